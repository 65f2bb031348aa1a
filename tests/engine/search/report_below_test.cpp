#include <doctest/doctest.h>

#include <cmath>
#include <thread>

#include "engine/formulas.hpp"
#include "engine/search/choice_terms.hpp"
#include "tests/engine/search/searching.hpp"

// Search::report_below, and searches that go on (Limits::goes_on) and tell their paths.

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

namespace {

using Line = std::vector<std::string>;

/// The moves of a line, and the position behind it.
struct Played {
  std::vector<games::Move> moves;
  std::unique_ptr<games::AnyGame> position;
};
Played played(const games::AnyGame& root, const Line& line) {
  Played result{{}, root.clone()};
  for (const std::string& text : line) {
    result.moves.push_back(result.position->find(text));
    result.position->play(result.moves.back());
  }
  return result;
}

Report below(const Search& search, const games::AnyGame& root, const Line& line) {
  const auto report = search.report_below(played(root, line).moves);
  REQUIRE(report.has_value());
  return *report;
}

/// The search goes on for so many simulations, or a new one begins.
Report further(Search& search, const games::AnyGame& game, const Options& options,
               std::int64_t simulations = 1, int ply = 0) {
  Limits limits;
  limits.simulations = simulations;
  limits.endless = limits.goes_on = true;
  limits.paths = 100;
  search.begin(game, ply, options, limits);
  while (search.run(std::chrono::seconds(1)) != Progress::done) {
  }
  return search.report();
}

const MoveReport& of_move(const Report& report, const std::string& move) {
  const auto found = std::ranges::find(report.moves, move, &MoveReport::move);
  REQUIRE(found != report.moves.end());
  return *found;
}

/// Checks the position behind a line, and all below it that `visits` simulations have reached, in a
/// tree that has grown without bounds and proofs. Returns how many positions there are.
int check_below(const Search& search, const games::AnyGame& root, Line& line, std::int64_t visits) {
  const Report report = below(search, root, line);
  const auto behind = played(root, line).position;
  REQUIRE(report.path == line);
  REQUIRE(report.visits == visits);
  Line told;
  for (const MoveReport& move : report.moves) {
    told.push_back(move.move);
    REQUIRE(behind->text(move.code) == move.move);
  }
  std::ranges::sort(told);
  REQUIRE(told == behind->legal_moves());
  // The first simulation that came to a position ended there, and all of them if the game does.
  const std::int64_t ended = line.empty() ? 0 : behind->result().finished() ? visits : 1;
  REQUIRE(sum_of_visits(report) == visits - ended);
  REQUIRE(report.move.empty() == (visits == ended));
  if (!report.move.empty()) {
    REQUIRE(report.pv.front() == report.move);
    REQUIRE_NOTHROW(static_cast<void>(played(*behind, report.pv)));
  }
  int positions = 1;
  for (const MoveReport& move : report.moves) {
    line.push_back(move.move);
    if (move.visits > 0) {
      positions += check_below(search, root, line, move.visits);
    } else {
      REQUIRE_FALSE(search.report_below(played(root, line).moves).has_value());
    }
    line.pop_back();
  }
  return positions;
}

}  // namespace

TEST_CASE("report_below: of every position of the tree, in every game") {
  for (const auto name : games::game_names()) {
    const auto game = games::make_game(name);
    for (const std::string rest :
         {"", "novelty=pseudocount selection=ucb1", "selection=puct virtual_samples=false",
          "evaluation=playout estimators=history,global", "split_moves=true k=1"}) {
      CAPTURE(name);
      CAPTURE(rest);
      const auto search = make_search(*game);
      const Report report = search_on(*search, *game, 0, options_of("simulations=400 " + rest));
      CHECK(report.visits == 400);
      CHECK(report.path.empty());
      Line line;
      const int positions = check_below(*search, *game, line, 400);
      const bool is_split = report.options.split_moves && name == "amazons";
      if (!is_split) CHECK(positions == report.nodes + 1);  // the root is one, too
      CHECK(positions <= 401);
      CHECK(positions > 300);
    }
  }
}

TEST_CASE("report_below: in trees that are shared, reused, full or proven") {
  const auto game = games::make_game("othello");
  const auto search = make_search(*game);
  SUBCASE("by threads") {
    const Options options = options_of("simulations=3000 threads=3");
    search->begin(*game, 0, options, limits_of(options));
    std::vector<std::jthread> helpers;
    for (int i = 1; i < search->threads(); ++i) {
      helpers.emplace_back([&] {
        while (search->help(std::chrono::milliseconds(1)) == Progress::runnable) {
        }
      });
    }
    while (search->run(std::chrono::milliseconds(1)) != Progress::done) {
    }
    helpers.clear();
    Line line;
    CHECK(check_below(*search, *game, line, 3000) == 3001);
  }
  SUBCASE("reused") {
    const Options options = options_of("simulations=500 reuse_tree=true");
    const Report first = search_on(*search, *game, 0, options);
    game->play(first.move);
    const Report second = search_on(*search, *game, 1, options);
    REQUIRE(second.reused > 0);
    CHECK(second.visits == second.reused + 500);
    Line line;
    check_below(*search, *game, line, second.visits);
  }
  SUBCASE("full") {
    const Report report = search_on(*search, *game, 0, options_of("simulations=40000 tree_mb=1"));
    REQUIRE(report.tree_full);
    const Report child = below(*search, *game, {report.move});
    CHECK(child.visits == of_move(report, report.move).visits);
    CHECK(sum_of_visits(child) == child.visits - 1);
    CHECK(child.pv == Line(report.pv.begin() + 1, report.pv.end()));
  }
  SUBCASE("proven") {
    const auto lost = games::make_game("connect4");
    lost->set_position("......./......./......./......./OOO..../XXX.... b");
    const auto prover = make_search(*lost);
    const Report report = search_on(*prover, *lost, 0, options_of("simulations=50 solver=true"));
    CHECK(of_move(report, "d1").proven == Proven::win);
    const Report end = below(*prover, *lost, {"d1"});
    CHECK(end.moves.empty());
    CHECK(end.move.empty());
  }
}

TEST_CASE("report_below: nothing before a search, and nothing of a search that was forgotten") {
  const auto game = games::make_game("hex");
  const auto search = make_search(*game);
  const Options options = options_of("simulations=200");
  search->begin(*game, 0, options, limits_of(options));
  CHECK_FALSE(search->report_below({}).has_value());
  const Report report = search_on(*search, *game, 0, options);
  CHECK(search->report_below({})->visits == 200);
  CHECK(visits(*search->report_below({})) == visits(report));
  search->forget();
  CHECK_FALSE(search->report_below({}).has_value());
}

TEST_CASE("report_below: of two moves of four colours, each value is its mover's") {
  const auto game = games::make_game("rolit", games::parse_parameters("players=4"));
  const auto search = make_search(*game);
  const Options options = options_of("");
  for (int i = 0; i < 60; ++i) {
    const auto before = search->report_below({});
    const Report report = further(*search, *game, options);
    REQUIRE(report.paths.size() == 1);
    const PathReport& path = report.paths.front();
    REQUIRE(path.values.size() == 4);
    // The mean of a move with n visits and the sample of 1/2 moves by a share of 1 / (n + 2).
    for (std::size_t depth = 0; depth < path.moves.size(); ++depth) {
      const Line line(path.moves.begin(), path.moves.begin() + static_cast<std::ptrdiff_t>(depth));
      const MoveReport after = of_move(below(*search, *game, line), path.moves[depth]);
      if (depth > 0 || !before) continue;
      const MoveReport& was = of_move(*before, path.moves[0]);
      const double value = path.values[0];  // red moves first
      CHECK(after.visits == was.visits + 1);
      CHECK(after.value == doctest::Approx(was.value + (value - was.value) /
                                                           (static_cast<double>(was.visits) + 2)));
    }
    if (path.expanded) {
      const Line last(path.moves.begin(), path.moves.end() - 1);
      const auto mover = games::index(played(*game, last).position->to_move());
      const MoveReport leaf = of_move(below(*search, *game, last), path.moves.back());
      CHECK(leaf.visits == 1);
      CHECK(leaf.value ==
            doctest::Approx((0.5 + path.values[static_cast<std::size_t>(mover)]) / 2));
    }
  }
}

TEST_CASE("choice_terms: below the root, too, the move with the highest bound is chosen") {
  for (const std::string way :
       {"selection=ucb1-tuned", "selection=ucb1 novelty=threshold alpha=2 beta=1000 k=0.5",
        "selection=ucb1-tuned novelty=pseudocount alpha=0.5 beta=20",
        "selection=puct novelty=pseudocount c_puct=2 alpha=1 beta=50",
        "selection=ucb1 novelty=pseudocount novelty_mix=centred alpha=0.1 beta=20 k=0.3",
        "selection=ucb1-tuned relative_bonus=true bonus_bound=0.5 evaluation=playout"}) {
    for (const char* name : {"othello", "breakthrough", "rolit"}) {
      CAPTURE(way);
      CAPTURE(name);
      const bool is_rolit = std::string(name) == "rolit";
      const auto game =
          games::make_game(name, games::parse_parameters(is_rolit ? "players=4" : ""));
      const auto search = make_search(*game);
      const Options options = options_of(way);
      further(*search, *game, options, 700);
      int compared = 0;
      for (int i = 0; i < 40; ++i) {
        // Where will it go? All positions on the way are read before the next simulation.
        const auto probe = make_search(*game);
        const Report next = further(*probe, *game, options, 701 + i);
        const Line path = next.paths.back().moves;
        for (std::size_t depth = 0; depth < path.size(); ++depth) {
          const Line line(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth));
          const Report report = below(*search, *game, line);
          const auto terms = choice_terms(report);
          const auto chosen = std::ranges::find(report.moves, path[depth], &MoveReport::move);
          REQUIRE(chosen != report.moves.end());
          const auto bound = terms[static_cast<std::size_t>(chosen - report.moves.begin())].bound;
          // The block of a position comes with its second visit, and a random move is its first.
          if (!bound || sum_of_visits(report) == 0) continue;
          ++compared;
          for (const ChoiceTerms& other : terms) {
            if (other.bound) CHECK(*other.bound <= *bound + 2e-6);
          }
        }
        CHECK(further(*search, *game, options).paths.back().moves == path);
      }
      CHECK(compared >= 60);
    }
  }
}

TEST_CASE("choice_terms: those below the root are the formulas'") {
  const auto game = games::make_game("othello");
  const auto search = make_search(*game);
  const Options options =
      options_of("simulations=900 selection=ucb1 k=0.4 novelty=pseudocount alpha=0.3 beta=9");
  const Report root = search_on(*search, *game, 0, options);
  const Report report = below(*search, *game, {root.pv.at(0), root.pv.at(1)});
  const auto terms = choice_terms(report);
  const auto n = static_cast<double>(report.visits - 1) + static_cast<double>(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const MoveReport& move = report.moves[i];
    const auto n_a = static_cast<double>(move.visits) + 1;
    const double b = novelty_weight(9, n_a);
    CHECK(*terms[i].b == doctest::Approx(b));
    CHECK(*terms[i].exploration == doctest::Approx(ucb1_bonus(0.4, n, n_a)));
    CHECK(*terms[i].bound ==
          doctest::Approx(novelty_mix(NoveltyMix::convex, b, 0.3, move.novelty, move.value) +
                          ucb1_bonus(0.4, n, n_a)));
  }
  SUBCASE("PUCT tells none of a position whose priors are not known yet") {
    const Options puct = options_of("simulations=3 selection=puct");
    const auto short_search = make_search(*game);
    const Report few = search_on(*short_search, *game, 0, puct);
    CHECK(choice_terms(few).front().exploration);
    const Report leaf = below(*short_search, *game, {few.moves.front().move});
    REQUIRE(sum_of_visits(leaf) == 0);
    CHECK_FALSE(choice_terms(leaf).front().exploration);
  }
}

TEST_CASE("goes_on: step by step, a search is the same as at once") {
  for (const auto name : games::game_names()) {
    for (const std::string rest :
         {"", "novelty=pseudocount evaluation=playout", "estimators=history,global,rave",
          "split_moves=true", "solver=true evaluation=playout mast=0.5",
          "evaluation=playout relative_bonus=true bonus_adaptive=true"}) {
      CAPTURE(name);
      CAPTURE(rest);
      const auto game = games::make_game(name);
      const Options options = options_of(rest);
      Options at_once = options;
      at_once.simulations = 150;
      const Report whole = searched(*game, at_once);
      const auto search = make_search(*game);
      for (int i = 0; i < 50; ++i) further(*search, *game, options);
      const Report report = further(*search, *game, options, 100);
      CHECK(report.simulations == 150);
      CHECK(report.reused == 0);
      CHECK(report.seed == whole.seed);
      CHECK(visits(report) == visits(whole));
      CHECK(report.pv == whole.pv);
      CHECK(report.nodes == whole.nodes);
      CHECK(report.max_depth == whole.max_depth);
      CHECK(report.paths.size() == 100);
      CHECK(search->effort().simulations == 150);
      for (const PathReport& path : report.paths) {
        CHECK(static_cast<int>(path.moves.size()) <= report.max_depth);
        CHECK_NOTHROW(static_cast<void>(played(*game, path.moves)));
      }
    }
  }
}

TEST_CASE("goes_on: the last paths are told, of this search alone") {
  const auto game = games::make_game("connect4");
  const auto search = make_search(*game);
  const Options options = options_of("");
  const Report report = further(*search, *game, options, 250);
  CHECK(report.paths.size() == 100);
  CHECK(further(*search, *game, options, 3).paths.size() == 3);
  CHECK(search_on(*search, *game, 0, options_of("simulations=10")).paths.empty());
}

TEST_CASE("goes_on: after other searches of the position, and not after others") {
  const auto game = games::make_game("othello");
  game->play("e3");
  const auto search = make_search(*game);
  const Options options = options_of("simulations=400");
  const std::string best = search_on(*search, *game, 0, options).move;
  SUBCASE("after a search with the same options") {
    CHECK(further(*search, *game, options).simulations == 401);
    CHECK(search->report().reused == 0);
    // A search that does not go on is not changed by one that did.
    CHECK(visits(search_on(*search, *game, 0, options)) == visits(searched(*game, options)));
  }
  SUBCASE("live options take effect in the next simulation") {
    Options live = options;
    live.k = 3;
    live.simulations = 7;
    CHECK(further(*search, *game, live).simulations == 401);
    CHECK(search->report().options.k == 3);
    const Report wide = further(*search, *game, live, 300);
    CHECK(wide.simulations == 701);
    Options both = options;
    both.simulations = 701;
    CHECK(visits(wide).front() < visits(searched(*game, both)).front());
  }
  SUBCASE("other options: a new search reuses the tree, if it stays valid") {
    Options other = options;
    other.seed = 9;
    CHECK(further(*search, *game, other).reused == 400);
    CHECK(search->report().simulations == 1);
    CHECK(search->report().visits == 401);
    other.novelty = Novelty::pseudocount;
    CHECK(further(*search, *game, other).reused == 0);
    CHECK(search->report().visits == 1);
  }
  SUBCASE("another position") {
    game->play(best);
    CHECK(further(*search, *game, options, 1, 1).reused == 0);
    CHECK(search->report().simulations == 1);
  }
  SUBCASE("another position, with reuse_tree") {
    Options reusing = options;
    reusing.reuse_tree = true;
    const Report before = further(*search, *game, reusing);
    CHECK(before.reused == 400);
    game->play(before.move);
    CHECK(further(*search, *game, reusing, 1, 1).reused == before.moves.front().visits - 1);
  }
  SUBCASE("moves that were avoided are not any more") {
    Limits limits = limits_of(options);
    limits.avoided = {best};
    search->begin(*game, 0, options, limits);
    while (search->run(std::chrono::seconds(1)) != Progress::done) {
    }
    CHECK(of_move(search->report(), best).visits == 0);
    const Report report = further(*search, *game, options, 50);
    CHECK(report.reused == 400);
    CHECK(of_move(report, best).visits > 0);
  }
  SUBCASE("several threads: one takes their tree over") {
    const Options several = options_of("simulations=2000 threads=2");
    search->begin(*game, 0, several, limits_of(several));
    while (search->run(std::chrono::seconds(1)) != Progress::done) {
    }
    const Report report = further(*search, *game, options);
    CHECK(report.reused == 2000);
    CHECK(report.visits == 2001);
    CHECK(further(*search, *game, options).visits == 2002);
  }
  SUBCASE("a search that was forgotten") {
    search->forget();
    CHECK(further(*search, *game, options).visits == 1);
  }
}

TEST_CASE("goes_on: a proven position is searched on when the solver is switched off") {
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  const auto search = make_search(*game);
  Options options = options_of("solver=true");
  const Report proven = further(*search, *game, options, 1000);
  CHECK(proven.simulations < 1000);
  const Report same = further(*search, *game, options);
  CHECK(same.simulations == proven.simulations);
  CHECK(same.paths.empty());
  options.solver = false;
  CHECK(further(*search, *game, options, 5).paths.size() == 5);
}
