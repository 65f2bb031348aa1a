#include "engine/root_rule.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <vector>

#include "engine/search/searcher.hpp"
#include "engine/wakeup.hpp"
#include "games/connect4.hpp"
#include "tests/engine/leaf/late_evaluator.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

namespace {

Report searched_by(Search& search, const games::AnyGame& game, const Options& options,
                   const RootRule& rule, std::set<std::string> avoided = {}) {
  Wakeup wakeup;
  Limits limits = limits_of(options);
  limits.root_rule = rule;
  limits.avoided = std::move(avoided);
  search.begin(game, 0, options, limits, wakeup.waker());
  wakeup.finish(search);
  return search.report();
}

Report searched_by(const games::AnyGame& game, const Options& options, const RootRule& rule,
                   std::set<std::string> avoided = {}) {
  return searched_by(*make_search(game), game, options, rule, std::move(avoided));
}

std::int64_t visits_of(const Report& report, std::string_view move) {
  return std::ranges::find(report.moves, move, &MoveReport::move)->visits;
}

/// Each open move in turn.
RootRule in_turn() {
  return [](std::span<const RootMove> moves) {
    int least = -1;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (moves[i].is_closed) continue;
      if (least < 0 || moves[i].visits < moves[static_cast<std::size_t>(least)].visits) {
        least = static_cast<int>(i);
      }
    }
    return least;
  };
}

}  // namespace

TEST_CASE("root rule: begins every simulation, and sees what the report tells") {
  const auto game = games::make_game("connect4");
  for (const char* selection : {"puct", "ucb1-tuned"}) {
    CAPTURE(selection);
    const Options options =
        options_of("simulations=700 virtual_samples=false selection=" + std::string(selection));
    std::vector<RootMove> seen;
    const Report report = searched_by(*game, options, [&](std::span<const RootMove> moves) {
      seen.assign(moves.begin(), moves.end());
      return in_turn()(moves);
    });
    CHECK(report.simulations == 700);
    for (const MoveReport& move : report.moves) CHECK(move.visits == 100);
    REQUIRE(seen.size() == 7);  // before the last simulation
    std::int64_t visits = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      visits += seen[i].visits;
      CHECK_FALSE(seen[i].is_closed);
      const std::string text(1, static_cast<char>('a' + i));
      const auto move = std::ranges::find(
          report.moves, true, [&](const MoveReport& one) { return one.move.starts_with(text); });
      if (seen[i].visits == move->visits) CHECK(seen[i].value == doctest::Approx(move->value));
      CHECK(seen[i].prior == doctest::Approx(move->prior.value_or(0)));
    }
    CHECK(visits == 699);
  }
}

TEST_CASE("root rule: one that leaves the choice changes nothing") {
  const auto game = games::make_game("breakthrough");
  const Options options = options_of("simulations=500 selection=puct");
  const Report plain = searched(*game, options);
  CHECK(visits(searched_by(*game, options, [](auto) { return -1; })) == visits(plain));
  CHECK(visits(searched_by(*game, options, {})) == visits(plain));
}

TEST_CASE("root rule: closed moves stay closed") {
  const auto game = games::make_game("connect4");
  const Options options = options_of("simulations=100 selection=puct");
  const Report report = searched_by(*game, options,
                                    [](std::span<const RootMove> moves) {
                                      CHECK(moves[3].is_closed);
                                      CHECK_FALSE(moves[2].is_closed);
                                      return 3;
                                    },
                                    {"d1"});
  CHECK(visits_of(report, "d1") == 0);
  CHECK(sum_of_visits(report) == 100);
}

TEST_CASE("root rule: with evaluations that come later") {
  for (const int in_flight : {1, 8}) {
    Searcher<games::Connect4> search(
        initial_position<games::Connect4>(),
        std::make_shared<LateSource<games::Connect4>>(50us, in_flight, true));
    const auto game = games::make_game("connect4");
    const Report report =
        searched_by(search, *game, options_of("simulations=210 selection=puct"), in_turn());
    CHECK(report.simulations == 210);
    for (const MoveReport& move : report.moves) CHECK(std::abs(move.visits - 30) <= in_flight);
  }
}

TEST_CASE("root rule: not for several threads, nor for estimators") {
  const auto game = games::make_game("connect4");
  for (const char* options : {"simulations=10 threads=2", "simulations=10 estimators=history"}) {
    CHECK_THROWS_AS(static_cast<void>(searched_by(*game, options_of(options), in_turn())),
                    BadOption);
  }
}
