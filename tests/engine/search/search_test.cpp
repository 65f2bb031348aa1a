#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "engine/search/slice.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/sanitized.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

TEST_CASE("search: every game, measure, bound and evaluation") {
  for (const auto name : games::game_names()) {
    const auto game = games::make_game(name);
    for (const std::string& novelty : measures) {
      for (const char* rest :
           {"preset=reference", "preset=paper", "evaluation=playout", "evaluation=tuned"}) {
        CAPTURE(name);
        CAPTURE(novelty);
        CAPTURE(rest);
        const Options options = options_of("simulations=300 novelty=" + novelty + " " + rest);
        if (!is_measured(name, novelty)) {
          CHECK_THROWS_AS(check_options(*game, options), BadOption);
          continue;
        }
        check_report(searched(*game, options), *game, options);
      }
    }
  }
}

TEST_CASE("search: the same seed gives the same search, however it is sliced") {
  for (const auto name : games::game_names()) {
    CAPTURE(name);
    const auto game = games::make_game(name);
    for (const char* evaluation : {"static", "playout", "tuned"}) {
      const Options options = options_of(std::string("simulations=2000 novelty=pseudocount "
                                                     "evaluation=") +
                                         evaluation);
      const Report a = searched(*game, options);
      const Report b = searched(*game, options, 10us);
      CHECK(visits(a) == visits(b));
      CHECK(a.pv == b.pv);
    }
  }
}

TEST_CASE("search: seed 0 draws a seed that repeats the search") {
  const auto game = games::make_game("breakthrough");
  Options options = options_of("seed=0 simulations=500");
  const Report a = searched(*game, options);
  const Report b = searched(*game, options);
  CHECK(a.seed != b.seed);
  options.seed = static_cast<std::int64_t>(a.seed);
  CHECK(visits(searched(*game, options)) == visits(a));
}

TEST_CASE("search finds a win in one and avoids a loss in one") {
  const auto game = games::make_game("connect4");
  for (const std::string& novelty : measures) {
    for (const char* rest : {"preset=reference", "preset=paper"}) {
      CAPTURE(novelty);
      CAPTURE(rest);
      const Options options =
          options_of("simulations=3000 alpha=0.001 novelty=" + novelty + " " + rest);
      game->set_position("......./......./......./......./OOO..../XXX.... b");
      const auto search = make_search(*game);
      search->begin(*game, 6, options, limits_of(options));
      while (search->run(1s) != Progress::done) {
      }
      CHECK(game->text(search->best_move()) == "d1");
      game->set_position("......./......./......./......./OO...../XXX.... w");
      search->begin(*game, 5, options, limits_of(options));
      while (search->run(1s) != Progress::done) {
      }
      CHECK(game->text(search->best_move()) == "d1");
    }
  }
}

TEST_CASE("search: a full tree is searched on") {
  const auto game = games::make_game("gomoku");
  const Report report = searched(*game, options_of("tree_mb=1 simulations=30000"));
  CHECK(report.tree_full);
  CHECK(report.bytes <= 1024 * 1024);
  CHECK(report.simulations == 30000);
  // Simulations that find no room at the root still count, but belong to no move.
  CHECK(sum_of_visits(report) > 25000);
  CHECK_FALSE(report.pv.empty());
}

TEST_CASE("search: bounds") {
  const auto game = games::make_game("othello");
  CHECK_THROWS_AS((void)limits_of(options_of("simulations=0")), BadOption);
  // Other programs may have the processor for most of the time: one of a few tries is enough.
  Report timed;
  for (int tries = 0; tries < 40; ++tries) {
    timed = searched(*game, options_of("simulations=0 movetime=200"));
    CHECK(timed.seconds > 0.195);
    if (timed.seconds < 0.65 && timed.simulations > 100) break;
  }
  CHECK(timed.seconds < 0.65);
  CHECK(timed.simulations > 100);
  CHECK(searched(*game, options_of("simulations=1")).simulations == 1);
}

TEST_CASE("search: stop and update from another thread") {
  const auto game = games::make_game("othello");
  const Options options = options_of("simulations=0 movetime=60000 novelty=pseudocount");
  const auto search = make_search(*game);
  search->begin(*game, 0, options, limits_of(options));
  std::jthread other([&] {
    for (int i = 0; i < 100; ++i) {
      Options changed = options;
      changed.alpha = i;
      search->update(changed);
      std::this_thread::sleep_for(100us);
    }
    search->stop();
  });
  const auto begun = std::chrono::steady_clock::now();
  while (search->run(1ms) != Progress::done) {
  }
  CHECK(std::chrono::steady_clock::now() - begun < 20s);
}

TEST_CASE("search: live options reach the search that runs") {
  const auto game = games::make_game("breakthrough");
  Options options = options_of("simulations=1000000 novelty=pseudocount alpha=0 beta=2");
  const auto search = make_search(*game);
  search->begin(*game, 0, options, limits_of(options));
  CHECK(search->run(1us) == Progress::runnable);
  options.simulations = 2000;
  options.alpha = 5;
  search->update(options);
  while (search->run(1s) != Progress::done) {
  }
  const Report changed = search->report();
  CHECK(changed.simulations == 2000);
  const std::string never = "simulations=2000 novelty=pseudocount alpha=0 beta=2";
  CHECK(visits(changed) != visits(searched(*game, options_of(never))));
}

TEST_CASE(
    "search: every mix of novelty finds another tree, and a change reaches a running search") {
  const auto game = games::make_game("knightthrough");
  const std::string way = "simulations=3000 novelty=pseudocount alpha=0.02 beta=2 novelty_mix=";
  std::set<std::string> found;
  for (const std::string mix : {"convex", "additive", "centred"}) {
    const Report whole = searched(*game, options_of(way + mix));
    CHECK(sum_of_visits(whole) == 3000);
    std::string text;
    for (const MoveReport& move : whole.moves) {
      text += move.move + ' ' + std::to_string(move.visits) + ' ';
    }
    found.insert(text);
    // Begun with another mix, and changed before the first simulation: the same search.
    Options options = options_of(way + (mix == "convex" ? "additive" : "convex"));
    const auto search = make_search(*game);
    search->begin(*game, 0, options, limits_of(options));
    set_option(options, "novelty_mix", mix);
    search->update(options);
    while (search->run(1s) != Progress::done) {
    }
    CHECK(visits(search->report()) == visits(whole));
  }
  CHECK(found.size() == 3);
}

TEST_CASE("search: without a weight every mix is a search without novelty") {
  const auto game = games::make_game("knightthrough");
  const std::string never = "simulations=2000 novelty=pseudocount alpha=3 beta=0 novelty_mix=";
  const auto none = visits(searched(*game, options_of("simulations=2000")));
  for (const std::string mix : {"convex", "additive", "centred"}) {
    CHECK(visits(searched(*game, options_of(never + mix))) == none);
  }
  // The additive mix pulls nothing, so that without novelty nothing is left of it.
  const std::string additive = "simulations=2000 novelty=pseudocount alpha=0 beta=2 novelty_mix=";
  CHECK(visits(searched(*game, options_of(additive + "additive"))) == none);
  CHECK(visits(searched(*game, options_of(additive + "centred"))) != none);
}

TEST_CASE("search: rescoring the tree for a new alpha is the same as scoring move by move") {
  const auto game = games::make_game("breakthrough");
  Options options = options_of("simulations=3000 novelty=pseudocount alpha=0.02 beta=2");
  const auto search = make_search(*game);
  search->begin(*game, 0, options, limits_of(options));
  for (int i = 0; search->run(50us) != Progress::done; ++i) {
    // Two values between which no score differs, but which are not equal.
    options.alpha = i % 2 == 0 ? 0.02 : std::nextafter(0.02, 1);
    search->update(options);
  }
  options.alpha = 0.02;
  CHECK(visits(search->report()) == visits(searched(*game, options)));
}

TEST_CASE("search: update does not wait, and is obeyed, however large the tree") {
  const auto game = games::make_game("breakthrough");
  Options options = options_of("simulations=1000000 novelty=pseudocount tree_mb=512");
  const auto search = make_search(*game);
  search->begin(*game, 0, options, limits_of(options));
  CHECK(search->run(300ms) == Progress::runnable);
  for (int i = 1; i <= 20; ++i) {
    options.alpha = i;
    const auto begun = thread_time();  // what else the machine does costs this thread nothing
    search->update(options);
    static_cast<void>(search->run(1us));
    CHECK(thread_time() - begun < 100ms);
  }
  CHECK(search->report().options.alpha == 20);
}

TEST_CASE("search: a search keeps its last bound, and its clock") {
  const auto game = games::make_game("othello");
  Options options = options_of("simulations=0 movetime=50");
  const auto search = make_search(*game);
  search->begin(*game, 0, options, limits_of(options));
  options.movetime_ms = 0;
  search->update(options);  // would leave none
  while (search->run(1ms) != Progress::done) {
  }
  CHECK(search->report().seconds < 20);
  options.movetime_ms = 60000;
  search->begin(*game, 0, options, limits_of(options, 50ms));
  options.movetime_ms = 90000;
  search->update(options);
  while (search->run(1ms) != Progress::done) {
  }
  CHECK(search->report().seconds < 20);
}

TEST_CASE("search: cputime bounds what a search uses of a processor, and not how long it waits") {
  for (const char* game_name : {"othello", "connect4"}) {
    const auto game = games::make_game(game_name);
    const auto search = make_search(*game);
    const Options options = options_of("preset=uct cputime=20");
    for (int ply = 0; ply < 2; ++ply) {  // one after the other
      search->begin(*game, 0, options, limits_of(options));
      int slices = 1;
      for (; search->run(1ms) != Progress::done; ++slices) std::this_thread::sleep_for(3ms);
      const Effort effort = search->effort();
      CHECK(effort.processor_time >= 20ms);
      CHECK(effort.processor_time < (sanitized ? 1s : 50ms));  // of a slow machine
      CHECK(effort.time >= 20ms + 3ms * (slices - 1));
      CHECK(effort.simulations > (sanitized ? 0 : 10));
    }
  }
  const auto game = games::make_game("othello");
  const auto search = make_search(*game);
  const Options both = options_of("simulations=10 cputime=60000");
  CHECK(search_on(*search, *game, 0, both).simulations == 10);
  const Options two = options_of("cputime=20 threads=2");
  CHECK_THROWS_WITH_AS(search->begin(*game, 0, two, limits_of(two)),
                       "cputime bounds one thread: set threads to 1, or cputime to 0", BadOption);
}

TEST_CASE("search: every selection rule without virtual samples") {
  // The variance of one sample is 0 or, by rounding, less, and untried moves have infinite bounds:
  // no score may become NaN.
  for (const SelectionRow& rule : selection_rows()) {
    for (const auto name : games::game_names()) {
      CAPTURE(rule.name);
      CAPTURE(name);
      const auto game = games::make_game(name);
      const Report report = searched(
          *game,
          options_of("simulations=3000 virtual_samples=false selection=" + std::string(rule.name)));
      CHECK(sum_of_visits(report) == 3000);
      CHECK_FALSE(report.tree_full);
    }
  }
  const auto game = games::make_game("connect4");
  game->set_position("XXXOOO./OOXXXO./OXOOXX./XOXOOO./XOOXXO./XOXXOX. b");
  CHECK(searched(*game, options_of("simulations=1000 virtual_samples=false")).pv.size() == 6);
}

TEST_CASE("search: alpha 0 leaves the shrinking only, beta 0 nothing at all") {
  const auto game = games::make_game("knightthrough");
  const Report plain = searched(*game, options_of("simulations=2000"));
  const Report beta0 =
      searched(*game, options_of("simulations=2000 novelty=pseudocount alpha=3 beta=0"));
  CHECK(visits(plain) == visits(beta0));
  const Report a =
      searched(*game, options_of("simulations=2000 novelty=pseudocount alpha=0 beta=2"));
  const Report b = searched(*game, options_of("simulations=2000 novelty=threshold alpha=0 beta=2"));
  CHECK(visits(a) == visits(b));
  CHECK(visits(a) != visits(plain));
}

TEST_CASE("search: before its first simulation it has a legal move and an empty report") {
  const auto game = games::make_game("connect4");
  const auto search = make_search(*game);
  const Options options = options_of("simulations=100");
  search->begin(*game, 0, options, limits_of(options));
  CHECK(search->report().simulations == 0);
  CHECK(std::ranges::count(game->legal_moves(), game->text(search->best_move())) == 1);
  CHECK(search->run(1s) == Progress::done);
}
