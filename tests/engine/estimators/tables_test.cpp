#include "engine/estimators/estimators.hpp"

#include <doctest/doctest.h>

#include "games/all_games.hpp"
#include "tests/engine/search/searching.hpp"

/// What the estimators' tables hold: which moves are added, how long they are kept.
using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

TEST_CASE("estimators: tables stay within their bound, and can be kept") {
  const auto game = games::make_game("breakthrough");
  const Report small = searched(
      *game,
      options_of("simulations=3000 evaluation=playout estimators=history,oma estimators_mb=1"));
  REQUIRE(small.tables.size() == 1);
  CHECK(small.tables[0].bytes == 1 << 20);
  CHECK(small.tables[0].evictions > 0);
  const Options kept = options_of(
      "simulations=200 evaluation=playout estimators=history,global "
      "keep_estimates=true");
  const auto search = make_search(*game);
  const Report first = search_on(*search, *game, 0, kept);
  game->play(first.move);
  const Report second = search_on(*search, *game, 1, kept);
  CHECK(entries_of(second, "global") > entries_of(first, "global"));
  Options cleared = kept;
  cleared.keep_estimates = false;
  CHECK(entries_of(search_on(*search, *game, 1, cleared), "global") < entries_of(second, "global"));
}

TEST_CASE("estimators: kept tables are those of the same kind of rewards") {
  const auto game = games::make_game("breakthrough");
  const auto search = make_search(*game);
  const auto entries = [&](std::string_view more, const char* estimator) {
    const Options options = options_of("simulations=200 keep_estimates=true " + std::string(more));
    return entries_of(search_on(*search, *game, 0, options), estimator);
  };
  const char* const playouts = "evaluation=playout estimators=history,global,oma";
  const std::int64_t first = entries(playouts, "oma");
  CHECK(first > 1000);
  // Own moves are counted from the root on, which may be another one now.
  CHECK(entries(playouts, "oma") < first * 3 / 2);
  const std::int64_t all = entries(playouts, "global");
  // A simulation of a static search plays a few moves only.
  CHECK(entries("evaluation=static estimators=history,global,oma", "global") < all / 2);
}

TEST_CASE("estimators: kept are the tables whose contexts do not begin at the root") {
  using G = games::Hex;
  const G root = initial_position<G>();
  games::MoveList<G::max_moves> moves;
  root.legal_moves(moves);
  for (const char* keep : {"true", "false"}) {
    CAPTURE(keep);
    const Options options =
        options_of("evaluation=playout estimators=" + all_estimators() + " keep_estimates=" + keep);
    Estimators<G> estimators;
    estimators.begin(options);
    estimators.make_room();
    estimators.start(1);
    G position = root;
    for (const int i : {4, 9, 2}) {
      static_cast<void>(estimators.any_to_ask(position));
      estimators.follow(position, moves[i], 0, true);
      position.play(moves[i]);
    }
    estimators.learn(games::Values<G>{1, 0});
    const auto rows = estimator_rows();
    for (std::size_t i = 1; i < rows.size(); ++i) {  // all but `history`
      CHECK(estimators.samples(static_cast<Estimator>(i)) > 0);
    }
    estimators.begin(options);
    estimators.make_room();
    for (std::size_t i = 1; i < rows.size(); ++i) {
      CAPTURE(rows[i].name);
      const bool is_kept = options.keep_estimates && !rows[i].begins_at_root;
      CHECK(estimators.samples(static_cast<Estimator>(i)) == (is_kept ? 3 : 0));
    }
    CHECK(estimators.samples(Estimator::own_moves) == 0);
    CHECK(estimators.samples(Estimator::rave) == 0);
  }
}

TEST_CASE("estimators: kept tables are given up for what makes the rewards or the tables others") {
  using G = games::Hex;
  const G root = initial_position<G>();
  games::MoveList<G::max_moves> moves;
  root.legal_moves(moves);
  const auto kept_for = [&](std::string_view more) {
    const std::string first =
        "evaluation=playout estimators=history,global estimators_mb=4 keep_estimates=true ";
    Estimators<G> estimators;
    estimators.begin(options_of(first));
    estimators.make_room();
    estimators.start(1);
    static_cast<void>(estimators.any_to_ask(root));
    estimators.follow(root, moves[0], 0, true);
    estimators.learn(games::Values<G>{1, 0});
    estimators.begin(options_of(first + std::string(more)));
    estimators.make_room();
    return estimators.samples(Estimator::global) > 0;
  };
  for (const char* same : {"", "k=3 c_global=2", "simulations=7 solver=true", "bonus_bound=1"}) {
    CAPTURE(same);
    CHECK(kept_for(same));
  }
  for (const char* other : {"evaluation=static", "estimators=history,global,oma", "estimators_mb=8",
                            "relative_bonus=true", "keep_estimates=false"}) {
    CAPTURE(other);
    CHECK_FALSE(kept_for(other));
  }
}

TEST_CASE("estimators: what a search before has left in memory changes nothing") {
  const auto game = games::make_game("breakthrough");
  const auto search = make_search(*game);
  const Options options = options_of(
      "simulations=1000 evaluation=playout estimators=history,oma,2gram,rave estimators_mb=16");
  const Report first = search_on(*search, *game, 0, options);
  static_cast<void>(search_on(*search, *game, 0,
                              options_of("simulations=3000 evaluation=playout "
                                         "estimators=history,oma,2gram,rave "
                                         "estimators_mb=16 seed=2")));
  const Report again = search_on(*search, *game, 0, options);
  CHECK(visits(again) == visits(first));
  for (const TableReport& table : first.tables) {
    CAPTURE(table.estimator);
    CHECK(table.evictions > 0);  // which are where it could tell
    CHECK(entries_of(again, table.estimator) == table.entries);
  }
}

TEST_CASE("estimators: switched off they are gone") {
  const auto game = games::make_game("othello");
  const auto search = make_search(*game);
  const Options with = options_of("simulations=100000000 estimators=history,global");
  search->begin(*game, 0, with, limits_of(with));
  static_cast<void>(search->run(std::chrono::milliseconds(2)));
  CHECK(search->report().tables.size() == 1);
  Options without = with;
  without.estimators = {};
  search->update(without);
  static_cast<void>(search->run(std::chrono::milliseconds(2)));
  CHECK(search->report().tables.empty());
}

TEST_CASE("estimators: static values teach them the moves in the tree, and no others") {
  for (const char* name : {"hex", "breakthrough"}) {
    CAPTURE(name);
    const auto game = games::make_game(name);
    // What own moves tell apart is at most what the tree does, whose nodes are its moves.
    const Report report = searched(*game, options_of("simulations=500 estimators=history,oma"));
    CHECK(entries_of(report, "oma") > 0);
    CHECK(entries_of(report, "oma") <= report.nodes);
  }
}

TEST_CASE("estimators: RAVE counts a move at all positions of the tree before it") {
  using G = games::Hex;
  const G root = initial_position<G>();
  games::MoveList<G::max_moves> moves;
  root.legal_moves(moves);
  Estimators<G> estimators;
  estimators.begin(options_of("evaluation=playout estimators=history,rave"));
  estimators.make_room();
  // Three moves in the tree, two in the playout; black plays the first, third and fifth.
  const std::array<int, 5> line{4, 9, 2, 7, 5};
  constexpr int in_tree = 3;
  estimators.start(1);
  G position = root;
  for (int ply = 0; ply < 5; ++ply) {
    CHECK_FALSE(estimators.any_to_ask(position));
    estimators.follow(position, moves[line[ply]], 0, ply < in_tree);
    position.play(moves[line[ply]]);
  }
  estimators.learn(games::Values<G>{1, 0});
  // At the root and behind two moves black's later moves, behind one white's.
  CHECK(estimators.samples(Estimator::rave) == 3 + 2 + 2);
  std::vector<TableUsage> usage;
  estimators.tell_usage(usage);
  CHECK(usage.at(0).entries == 7);
}

TEST_CASE("estimators: a walk from the root chooses with the t that it is told") {
  using G = games::Hex;
  const G root = initial_position<G>();
  games::MoveList<G::max_moves> moves;
  root.legal_moves(moves);
  const std::span two(moves.begin(), 2);
  Estimators<G> estimators;
  estimators.begin(options_of("evaluation=playout estimators=global c_global=0.5 bias_global=0"));
  estimators.make_room();
  // The first move wins 60 of 100, the second 5 of 10: it is chosen once the widths count.
  const auto teach = [&](int move, int wins, int games) {
    for (int i = 0; i < games; ++i) {
      estimators.start(1);
      static_cast<void>(estimators.any_to_ask(root));
      games::Random random(1);
      static_cast<void>(estimators.choose(root, two, nullptr, random));
      estimators.follow(root, two[move], move, false);
      estimators.learn(i < wins ? games::Values<G>{1, 0} : games::Values<G>{0, 1});
    }
  };
  teach(0, 60, 100);
  teach(1, 5, 10);
  games::Random random(1);
  estimators.start(1);
  CHECK(estimators.choose(root, two, nullptr, random) == 0);
  estimators.begin_at_root(100);
  CHECK(estimators.choose(root, two, nullptr, random) == 1);
  estimators.begin_at_root(1);
  CHECK(estimators.choose(root, two, nullptr, random) == 0);
}

TEST_CASE("estimators: in a full tree the search goes on among the moves that have nodes") {
  const auto game = games::make_game("breakthrough");
  for (const char* rest : {"", " force_tree_first=true", " evaluation=playout"}) {
    CAPTURE(rest);
    const Report report = searched(
        *game,
        options_of("simulations=20000 tree_mb=1 estimators=history,global" + std::string(rest)));
    CHECK(report.tree_full);
    CHECK(report.simulations == 20000);
    CHECK(sum_of_visits(report) == 20000);
  }
}
