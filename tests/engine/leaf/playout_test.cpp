#include "engine/leaf/playout.hpp"

#include <doctest/doctest.h>

#include "engine/policy/mast.hpp"
#include "tests/engine/leaf/evaluating.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

TEST_CASE("MAST: at rate 0 playouts are what they are without") {
  using G = games::Connect4;
  const auto game = games::make_game("connect4");
  const G start = inside<G>(*game);
  const double never = 0;
  ContextTable means;
  means.reset(1 << 20);
  using Mast = MastPolicy<G, UniformPolicy>;
  PlayoutEvaluator<G, Mast> idle(nullptr, Mast(never, means));
  PlayoutEvaluator<G, UniformPolicy> uniform(nullptr);
  // At rate 0 it draws a number a move more, so only the shares of wins are the same.
  const auto share_of_first = [&](Evaluator<G>& evaluator, int playouts) {
    games::Random random(1);
    double sum = 0;
    for (int i = 0; i < playouts; ++i) sum += values_by(evaluator, start, random)[0];
    return sum / playouts;
  };
  const double expected = share_of_first(uniform, 20000);
  CHECK(share_of_first(idle, 20000) == doctest::Approx(expected).epsilon(0.03));
}

TEST_CASE("MAST: a win in one that has been seen is played again") {
  using G = games::Connect4;
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  const G position = inside<G>(*game);
  const double always = 1;
  ContextTable means;
  means.reset(1 << 20);
  using Mast = MastPolicy<G, UniformPolicy>;
  PlayoutEvaluator<G, Mast> greedy(nullptr, Mast(always, means));
  games::Random random(1);
  double late = 0;
  for (int i = 0; i < 400; ++i) {
    const double first = values_by(greedy, position, random)[0];
    if (i >= 200) late += first;
  }
  CHECK(late == 200);
}

TEST_CASE("search: MAST in every game, with either policy") {
  for (const auto name : games::game_names()) {
    for (const char* rest : {"mast=0.3", "mast=1", "mast=0.5 playout=informed", "mast=1 threads=2",
                             "mast=0.5 relative_bonus=true"}) {
      CAPTURE(name);
      CAPTURE(rest);
      const auto game = games::make_game(name);
      const Options options = options_of("evaluation=playout simulations=150 " + std::string(rest));
      try {
        check_options(*game, options);
      } catch (const BadOption&) {
        CHECK(options.playout == Playout::informed);
        continue;
      }
      const Report report = searched(*game, options);
      CHECK(report.simulations == 150);
      if (options.threads == 1) CHECK(visits(report) == visits(searched(*game, options)));
    }
  }
}
