#include <doctest/doctest.h>

#include <array>
#include <thread>

#include "engine/search/slice.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/sanitized.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

TEST_CASE("threads: every simulation counts once, in every game and with every measure") {
  constexpr std::array rests{"preset=reference", "preset=paper", "evaluation=playout"};
  std::size_t turn = 0;  // the thread sanitizer has one of them with each measure
  for (const auto name : games::game_names()) {
    const auto game = games::make_game(name);
    for (const std::string& novelty : measures) {
      if (!is_measured(name, novelty)) continue;
      ++turn;
      for (const char* rest : rests) {
        if (tests::thread_sanitized && rest != rests[turn % rests.size()]) continue;
        CAPTURE(name);
        CAPTURE(novelty);
        CAPTURE(rest);
        const Options options =
            options_of("threads=3 simulations=1500 novelty=" + novelty + " " + rest);
        check_report(searched_by_threads(*game, options, 50us), *game, options);
      }
    }
  }
}

TEST_CASE("threads: a search whose helpers never come ends all the same, and is deterministic") {
  const auto game = games::make_game("othello");
  const Options options = options_of("threads=4 simulations=3000 novelty=threshold");
  const Report a = searched(*game, options);
  CHECK(sum_of_visits(a) == 3000);
  CHECK(visits(a) == visits(searched(*game, options)));
}

TEST_CASE("threads: a search does what it does, whatever was searched before") {
  for (const char* name : {"pentalath", "breakthrough", "connect4"}) {
    CAPTURE(name);
    const auto game = games::make_game(name);
    const Options options = options_of("threads=2 simulations=2000");
    const auto kept = make_search(*game);
    for (int ply = 0; ply < 8; ++ply) {
      CAPTURE(ply);
      const Report report = search_on(*kept, *game, ply, options);
      CHECK(visits(report) == visits(search_on(*make_search(*game), *game, ply, options)));
      game->play(report.move);
    }
  }
}

TEST_CASE("threads: what is found is what one thread finds") {
  // Subtrees handed out in portions must not change which moves a search prefers.
  for (const char* name : {"breakthrough", "othello", "gomoku"}) {
    CAPTURE(name);
    const auto game = games::make_game(name);
    const Report one = searched(*game, options_of("simulations=40000"));
    const Report three = searched_by_threads(*game, options_of("simulations=40000 threads=3"));
    double difference = 0;
    for (const MoveReport& m : one.moves) {
      const auto same = std::ranges::find(three.moves, m.move, &MoveReport::move);
      REQUIRE(same != three.moves.end());
      difference += std::abs(static_cast<double>(m.visits - same->visits)) / 40000;
    }
    CHECK(difference < 0.1);
  }
}

TEST_CASE("threads: one good move among many gets what one thread gives it") {
  // Black has four in a row, one end of which is open.
  const auto game = games::make_game("gomoku");
  game->set_position(
      "........./........./O......../........./.OXXXX.../........./........./......O../......... "
      "w");
  const auto share_of_best = [&](const Options& options) {
    const Report report = searched_by_threads(*game, options);
    return std::pair(report.moves.front().move,
                     static_cast<double>(report.moves.front().visits) / 40000);
  };
  const auto [best, share] = share_of_best(options_of("simulations=40000"));
  for (const char* threads : {"2", "8"}) {
    CAPTURE(threads);
    const auto [move, share_too] =
        share_of_best(options_of(std::string("simulations=40000 threads=") + threads));
    CHECK(move == best);
    CHECK(share_too > share - 0.1);
  }
}

TEST_CASE("threads: a win in one, a position with one reply, a full tree") {
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  CHECK(searched_by_threads(*game, options_of("threads=2 simulations=3000")).move == "d1");
  game->set_position("XXXOOO./OOXXXO./OXOOXX./XOXOOO./XOOXXO./XOXXOX. b");
  const Report forced = searched_by_threads(*game, options_of("threads=3 simulations=2000"));
  CHECK(sum_of_visits(forced) == 2000);
  CHECK(forced.pv.size() == 6);
  const auto gomoku = games::make_game("gomoku");
  const Report full =
      searched_by_threads(*gomoku, options_of("threads=2 tree_mb=1 simulations=30000"));
  CHECK(full.tree_full);
  CHECK(full.simulations == 30000);
  CHECK(full.bytes <= 1024 * 1024);
}

TEST_CASE("threads: a search's processor time is that of all of them") {
  const auto game = games::make_game("connect4");
  const auto search = make_search(*game);
  const Options options = options_of("threads=2 simulations=20000");
  search->begin(*game, 0, options, limits_of(options));
  CHECK(search->effort().processor_time == 0ns);
  while (search->run(100us) == Progress::runnable && search->effort().simulations < 100) {
  }
  const auto before = search->effort();
  CHECK(before.processor_time > 0ns);
  CHECK(before.time >= before.processor_time / 2);
  std::chrono::nanoseconds helped{};
  std::jthread([&] {
    const auto begun = thread_time();
    for (int i = 0; i < 20; ++i) static_cast<void>(search->help(100us));
    helped = thread_time() - begun;
  }).join();
  const auto after = search->effort();
  CHECK(after.simulations > before.simulations);
  CHECK(after.depth > 1);
  CHECK(after.processor_time - before.processor_time > helped / 2);
  CHECK(after.processor_time - before.processor_time <= helped);
  search->stop();
  while (search->run(1ms) != Progress::done) {
  }
}

TEST_CASE("threads: live options, bounds and stop reach all of them") {
  const auto game = games::make_game("breakthrough");
  Options options = options_of("threads=3 simulations=0 movetime=60000 novelty=pseudocount");
  const auto search = make_search(*game);
  for (int round = 0; round < 5; ++round) {
    search->begin(*game, round, options, limits_of(options));
    std::vector<std::jthread> helpers;
    for (int i = 1; i < 3; ++i) {
      helpers.emplace_back([&] {
        while (search->help(200us) == Progress::runnable) {
        }
      });
    }
    std::jthread other([&] {
      for (int i = 0; i < 50; ++i) {
        Options changed = options;
        changed.alpha = i;
        changed.gamma = i / 100.0;
        changed.k = 1 + i / 10.0;
        search->update(changed);
        std::this_thread::sleep_for(100us);
      }
      search->stop();
    });
    const auto begun = std::chrono::steady_clock::now();
    while (search->run(1ms) != Progress::done) {
    }
    CHECK(std::chrono::steady_clock::now() - begun < 20s);
    const Report report = search->report();
    CHECK(sum_of_visits(report) == report.simulations);
    CHECK(report.options.alpha == 49);
  }
  // Other programs may have the processor when the time is over: one of a few tries is enough.
  Report timed;
  for (int tries = 0; tries < 5; ++tries) {
    timed = searched_by_threads(*game, options_of("threads=2 simulations=0 movetime=50"));
    CHECK(timed.seconds > (tests::sanitized ? 0.03 : 0.045));
    if (timed.seconds < 0.5) break;
  }
  CHECK(timed.seconds < 0.5);
}

TEST_CASE("threads: a turn ends in time where simulations are long") {
  const auto game = games::make_game("amazons");
  const Options options =
      options_of("threads=2 simulations=100000 evaluation=playout estimators=" + all_estimators());
  // Each simulation takes a millisecond, about; a lease is 256.
  const auto search = make_search(*game);
  search->begin(*game, 0, options, limits_of(options));
  CHECK(search->run(0us) == Progress::runnable);
  CHECK(search->run(1ms) == Progress::runnable);
  CHECK(search->report().simulations > 0);
  CHECK(search->report().simulations < 40);
  Options timed = options;
  timed.simulations = 0;
  timed.movetime_ms = 20;
  CHECK(search_on(*search, *game, 0, timed, 10s).simulations < 128);
}

TEST_CASE("threads: a report tells what this search has taken, not the one before") {
  const auto game = games::make_game("amazons");
  const auto search = make_search(*game);
  const Options large = options_of("threads=2 simulations=20000");
  search->begin(*game, 0, large, limits_of(large));
  CHECK(search->run(0us) == Progress::runnable);
  CHECK(search->help(1ms) == Progress::runnable);  // on a part of its own
  while (search->run(1s) != Progress::done) {
  }
  CHECK(search->report().nodes > 10000);
  const Report small = search_on(*search, *game, 0, options_of("threads=2 simulations=1"));
  CHECK(small.nodes <= 1);
  CHECK(small.bytes > 0);
}

TEST_CASE("threads: help without a search, or with enough helpers, has nothing to do") {
  const auto game = games::make_game("connect4");
  const auto search = make_search(*game);
  CHECK(search->help(1ms) == Progress::done);
  const Options alone = options_of("simulations=100");
  search->begin(*game, 0, alone, limits_of(alone));
  CHECK(search->run(0us) == Progress::runnable);
  CHECK(search->help(1ms) == Progress::done);
}
