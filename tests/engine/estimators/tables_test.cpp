#include "engine/estimators/estimators.hpp"

#include <doctest/doctest.h>

#include "games/all_games.hpp"
#include "tests/engine/search/searching.hpp"

/// What the estimators' tables hold, and for how long.
using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

TEST_CASE("estimators: tables stay within their bound") {
  const auto game = games::make_game("breakthrough");
  const Report small = searched(
      *game,
      options_of("simulations=3000 evaluation=playout estimators=history,oma estimators_mb=1"));
  REQUIRE(small.tables.size() == 1);
  CHECK(small.tables[0].bytes == 1 << 20);
  CHECK(small.tables[0].evictions > 0);
}

TEST_CASE("estimators: every search begins with empty tables") {
  using G = games::Hex;
  const G root = initial_position<G>();
  games::MoveList<G::max_moves> moves;
  root.legal_moves(moves);
  const Options options = options_of("evaluation=playout estimators=" + all_estimators());
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
  const int all = static_cast<int>(estimator_rows().size());
  for (int i = 1; i < all; ++i) {  // all but `history`
    CHECK(estimators.samples(static_cast<Estimator>(i)) > 0);
  }
  estimators.begin(options);
  estimators.make_room();
  for (int i = 1; i < all; ++i) CHECK(estimators.samples(static_cast<Estimator>(i)) == 0);
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
  for (const char* rest : {"", " evaluation=playout"}) {
    CAPTURE(rest);
    const Report report = searched(
        *game,
        options_of("simulations=20000 tree_mb=1 estimators=history,global" + std::string(rest)));
    CHECK(report.tree_full);
    CHECK(report.simulations == 20000);
    CHECK(sum_of_visits(report) == 20000);
  }
}
