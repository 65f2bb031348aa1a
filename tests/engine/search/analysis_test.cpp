#include <doctest/doctest.h>

#include <thread>

#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

namespace {

Limits endless_but(std::set<std::string> avoided) {
  Limits limits;
  limits.endless = true;
  limits.avoided = std::move(avoided);
  return limits;
}

std::int64_t visits_of(const Report& report, std::string_view move) {
  return std::ranges::find(report.moves, move, &MoveReport::move)->visits;
}

/// Checks what an analysis relies on between two slices.
void check_continuations(const Report& report, const games::AnyGame& game, std::size_t told) {
  for (std::size_t i = 0; i < report.moves.size(); ++i) {
    const MoveReport& move = report.moves[i];
    CHECK(move.pv.empty() == (i >= told));
    if (i >= told) continue;
    CHECK(move.pv.front() == move.move);
    CHECK(move.pv_visits.size() == move.pv.size());
    CHECK(move.pv_visits.front() == move.visits);
    CHECK(std::ranges::is_sorted(move.pv_visits, std::greater{}));
    const auto line = game.clone();
    for (const std::string& text : move.pv) CHECK_NOTHROW(line->play(text));
    CHECK(move.variance >= 0);
    CHECK(move.variance <= 0.25 + 1e-9);
  }
}

}  // namespace

TEST_CASE("analysis of a search: avoided moves are not tried, and open again for the next") {
  for (const char* threads : {"1", "2"}) {
    const auto game = games::make_game("connect4");
    const auto search = make_search(*game);
    Options options =
        options_of("simulations=3000 reuse_tree=true threads=" + std::string(threads));
    Limits limits = limits_of(options);
    limits.avoided = {"d1", "c1", "e1"};
    search->begin(*game, 0, options, limits);
    bool updated = false;
    while (search->run(100us) != Progress::done) {
      options.alpha = 5;  // all is scored anew
      if (!updated) search->update(options);
      updated = true;
    }
    Report report = search->report();
    CHECK(report.simulations == 3000);
    for (const auto& move : limits.avoided) CHECK(visits_of(report, move) == 0);
    CHECK(std::ranges::count(limits.avoided, report.move) == 0);

    search_on(*search, *game, 0, options);
    report = search->report();
    CHECK(report.reused > 0);
    CHECK(visits_of(report, "d1") > 0);

    // What the tree knows of a move does not make it the choice.
    limits.avoided = {"d1"};
    const auto before = visits_of(report, "d1");
    search->begin(*game, 0, options, limits);
    while (search->run(1ms) != Progress::done) {
    }
    report = search->report();
    CHECK(visits_of(report, "d1") == before);
    CHECK(report.move != "d1");
  }
}

TEST_CASE("analysis of a search: a move that was searched, then avoided, is searched again") {
  const auto game = games::make_game("connect4");
  for (const std::string rest :
       {"", "threads=2", "solver=true", "selection=puct", "novelty=pseudocount",
        "estimators=history,global", "evaluation=playout"}) {
    CAPTURE(rest);
    const Options options =
        options_of("simulations=700 tree_mb=4 reuse_tree=true k=3 c_puct=9 c_history=2 " + rest);
    const auto search = make_search(*game);
    std::string best = search_on(*search, *game, 0, options).move;
    for (int round = 0; round < 2; ++round) {
      // Avoided twice in a row, and another move with it the second time.
      const std::int64_t before = visits_of(search->report(), best);
      CHECK(before > 0);
      Limits limits = limits_of(options);
      for (const std::string avoided : {best.c_str(), "g1"}) {
        limits.avoided.insert(avoided);
        search->begin(*game, 0, options, limits);
        while (search->run(1s) != Progress::done) {
        }
        CHECK(search->report().reused > 0);
        CHECK(visits_of(search->report(), best) == before);
        CHECK(search->report().move != best);
      }
      const Report again = search_on(*search, *game, 0, options);
      CHECK(again.reused > 1400);
      CHECK(visits_of(again, best) > before);
      best = again.move;
    }
  }
}

TEST_CASE("analysis of a search: an endless one has no bounds, also when options change") {
  const auto game = games::make_game("connect4");
  const auto search = make_search(*game);
  const Options options = options_of("simulations=10 movetime=1");
  search->begin(*game, 0, options, endless_but({}));
  for (int i = 0; i < 20 || search->report().simulations <= 1000; ++i) {
    REQUIRE(search->run(1ms) == Progress::runnable);
    search->update(options);
  }
  search->stop();
  CHECK(search->run(1ms) == Progress::done);
}

TEST_CASE("analysis of a search: until the tree is full") {
  const auto game = games::make_game("gomoku", {});
  const auto search = make_search(*game);
  Limits limits = endless_but({});
  limits.until_full = true;
  search->begin(*game, 0, options_of("tree_mb=1"), limits);
  while (search->run(1ms) != Progress::done) {
  }
  CHECK(search->report().tree_full);
}

TEST_CASE("analysis of a search: reports between slices tell the continuations") {
  for (const char* name : {"connect4", "othello", "breakthrough"}) {
    const auto game = games::make_game(name);
    const auto search = make_search(*game);
    search->begin(*game, 0, options_of("novelty=pseudocount"), endless_but({}));
    std::int64_t before = 0;
    for (int i = 0; i < 20; ++i) {
      CHECK(search->run(1ms) == Progress::runnable);
      const Report report = search->report(3);
      check_continuations(report, *game, 3);
      CHECK(report.pv.front() == report.move);
      CHECK(report.simulations > before);
      CHECK(sum_of_visits(report) == report.simulations);
      before = report.simulations;
    }
    search->stop();
    CHECK(search->run(1ms) == Progress::done);
  }
}

TEST_CASE("analysis of a search: reports while others help") {
  const auto game = games::make_game("othello");
  const auto search = make_search(*game);
  search->begin(*game, 0, options_of("threads=3"), endless_but({}));
  std::vector<std::jthread> helpers;
  for (int i = 1; i < search->threads(); ++i) {
    helpers.emplace_back([&] {
      while (search->help(200us) == Progress::runnable) {
      }
    });
  }
  std::int64_t before = 0;
  for (int i = 0; i < 50; ++i) {
    CHECK(search->run(1ms) == Progress::runnable);
    const Report report = search->report(4);
    check_continuations(report, *game, 4);
    // Those that are being searched are told when their results have come.
    CHECK(sum_of_visits(report) == report.simulations);
    CHECK(report.simulations >= before);  // a slice may go by while the others have all there is
    before = report.simulations;
  }
  CHECK(before > 0);
  search->stop();
  CHECK(search->run(1ms) == Progress::done);
}
