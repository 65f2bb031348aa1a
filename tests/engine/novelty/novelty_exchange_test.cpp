#include <doctest/doctest.h>

#include <memory>
#include <utility>
#include <vector>

#include "engine/search/slots.hpp"
#include "games/all_games.hpp"
#include "games/any_game.hpp"
#include "tests/engine/instruction_sets.hpp"
#include "tests/engine/leaf/evaluating.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using pitboss::tests::initial_position;

namespace {

constexpr double rare = 0.1;

/// What a search might observe: positions up to ten plies from the first one, most of them more
/// than once, and finished ones where the game allows.
template <games::Game G>
std::vector<std::pair<G, double>> some_positions(int count) {
  games::Random random(11);
  std::vector<std::pair<G, double>> positions;
  while (static_cast<int>(positions.size()) < count) {
    G game = initial_position<G>();
    for (int plies = random.below(11); plies > 0 && !game.result().finished(); --plies) {
      game.play(games::random_move(game, random));
    }
    for (int times = 1 + random.below(2); times > 0; --times) {
      positions.emplace_back(game, random.below(50) / 50.0);
    }
  }
  return positions;
}

/// Calls `check(type of the game, measure)` for every game and every measure that it has.
template <class Check>
void for_all_measures(Check&& check) {
  games::AllGames::for_each([&]<class G>(std::type_identity<G> type) {
    CAPTURE(G::name);
    for (const Novelty novelty :
         {Novelty::pseudocount, Novelty::pseudocount_features, Novelty::evaluation,
          Novelty::threshold, Novelty::evaluation_features, Novelty::threshold_features}) {
      CAPTURE(static_cast<int>(novelty));
      if (make_novelty<G>(novelty, rare)) check(type, novelty);
    }
  });
}

}  // namespace

TEST_CASE("novelty measures that exchange after every observation are as one") {
  for_all_measures([]<class G>(std::type_identity<G>, Novelty novelty) {
    const G root = initial_position<G>();
    const auto one = make_novelty<G>(novelty, rare);
    const auto common = make_novelty<G>(novelty, rare);
    std::vector<std::unique_ptr<NoveltyMeasure<G>>> measures;
    for (int search = 0; search < 2; ++search) {  // the second begins with a reset
      one->reset(root);
      common->reset(root);
      measures.resize(3);
      for (auto& measure : measures) {
        if (!measure) measure = make_novelty<G>(novelty, rare);
        measure->reset(root);
      }
      int turn = 0;
      for (const auto& [position, value] : some_positions<G>(60)) {
        auto& measure = measures[turn++ % measures.size()];
        measure->exchange(*common);
        CHECK(measure->observe(position, value) ==
              doctest::Approx(one->observe(position, value)).epsilon(1e-12));
        measure->exchange(*common);
      }
    }
  });
}

TEST_CASE("novelty measures that exchange at the end have seen what all saw") {
  for_all_measures([]<class G>(std::type_identity<G>, Novelty novelty) {
    const G root = initial_position<G>();
    const auto one = make_novelty<G>(novelty, rare);
    const auto common = make_novelty<G>(novelty, rare);
    one->reset(root);
    common->reset(root);
    // A search observes its root before its threads begin.
    static_cast<void>(one->observe(root, 0.5));
    static_cast<void>(common->observe(root, 0.5));
    std::vector<std::unique_ptr<NoveltyMeasure<G>>> measures;
    for (int i = 0; i < 4; ++i) {
      measures.push_back(make_novelty<G>(novelty, rare));
      measures.back()->reset(root);
      measures.back()->exchange(*common);
    }
    const auto positions = some_positions<G>(400);
    int turn = 0;
    for (const auto& [position, value] : positions) {
      static_cast<void>(measures[turn++ % measures.size()]->observe(position, value));
      static_cast<void>(one->observe(position, value));
    }
    for (int round = 0; round < 2; ++round) {  // after the second one all measures know everything
      for (auto& measure : measures) measure->exchange(*common);
    }
    for (const auto& [position, value] : some_positions<G>(40)) {
      const auto expected = doctest::Approx(one->observe(position, value + 0.1)).epsilon(1e-12);
      CHECK(common->observe(position, value + 0.1) == expected);
      for (auto& measure : measures) CHECK(measure->observe(position, value + 0.1) == expected);
    }
  });
}

TEST_CASE("novelty measures give the same bits on every instruction set") {
  std::vector<std::vector<double>> scores;
  tests::with_each_instruction_set([&] {
    std::vector<double>& of_target = scores.emplace_back();
    for_all_measures([&]<class G>(std::type_identity<G>, Novelty novelty) {
      const auto measure = make_novelty<G>(novelty, rare);
      measure->reset(initial_position<G>());
      for (const auto& [position, value] : some_positions<G>(100)) {
        of_target.push_back(measure->observe(position, value));
      }
    });
    CHECK(of_target == scores.front());
  });
}

TEST_CASE("measures of features take them from the evaluation of the same position") {
  games::AllGames::for_each([]<class G>(std::type_identity<G>) {
    if constexpr (games::HasFeatures<G> && games::HasStaticValue<G>) {
      CAPTURE(G::name);
      Options options;
      options.evaluation = EvaluatorKind::static_value;
      options.gamma = rare;
      for (const Novelty novelty : {Novelty::pseudocount_features, Novelty::evaluation_features,
                                    Novelty::threshold_features}) {
        options.novelty = novelty;
        const Slots<G> slots = make_slots<G>(options, 0, initial_position<G>().to_move());
        const auto alone = make_novelty<G>(options.novelty, rare);
        slots.novelty->reset(initial_position<G>());
        alone->reset(initial_position<G>());
        games::Random random(1);
        for (const auto& [position, value] : some_positions<G>(100)) {
          if (!position.result().finished()) {
            CHECK(tests::values_by(*slots.evaluator, position, random)[0] ==
                  position.static_value());
          }
          CHECK(slots.novelty->observe(position, value) == alone->observe(position, value));
        }
      }
    }
  });
}

TEST_CASE("ThresholdNovelty obeys a gamma that changes") {
  double changing = 0.5;
  const double then = 0.02;
  const auto changed = make_novelty<games::Othello>(Novelty::threshold, changing);
  const auto constant = make_novelty<games::Othello>(Novelty::threshold, then);
  changed->reset(initial_position<games::Othello>());
  constant->reset(initial_position<games::Othello>());
  int count = 0;
  for (const auto& [position, value] : some_positions<games::Othello>(400)) {
    if (++count == 100) changing = 0.9;
    if (count == 200) changing = then;
    const double expected = constant->observe(position, value);
    const double score = changed->observe(position, value);
    if (count < 200) CHECK(score >= expected);
    if (count >= 200) CHECK(score == expected);
  }
}
