#include "engine/estimators/estimators.hpp"

#include <doctest/doctest.h>

#include "engine/search/slots.hpp"
#include "games/all_games.hpp"
#include "tests/documents.hpp"
#include "tests/engine/leaf/evaluating.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

TEST_CASE("estimators, docs: what the context of each is") {
  std::string table = "| estimator | context | |\n|---|---|---|\n";
  for (const EstimatorRow& row : estimator_rows()) {
    table.append("| `").append(row.name).append("` | ").append(row.context).append(" | ");
    table.append(row.remark).append(row.remark.empty() ? "|\n" : " |\n");
  }
  check_generated("me-mcts.md", "estimators", table);
}

TEST_CASE("estimators: in every game, with playouts and static values, alone and together") {
  std::vector<std::string> lists{"history", "global", "history,global,3x3,oma", all_estimators()};
  for (const EstimatorRow& row : estimator_rows().subspan(1)) {
    lists.push_back("history," + std::string(row.name));
  }
  for (const auto name : games::game_names()) {
    const auto game = games::make_game(name);
    for (const std::string& list : lists) {
      for (const char* rest : {"evaluation=static", "evaluation=playout"}) {
        CAPTURE(name);
        CAPTURE(list);
        CAPTURE(rest);
        const Options options =
            options_of("simulations=60 estimators_mb=64 estimators=" + list + " " + rest);
        const Report report = searched(*game, options);
        check_report(report, *game, options);
        CHECK(visits(report) == visits(searched(*game, options)));
        for (const TableReport& table : report.tables) {
          CHECK(table.entries > 0);
          CHECK(table.bytes >= 65536);
          CHECK(table.evictions <= table.entries / 50);
        }
      }
    }
  }
}

TEST_CASE("estimators: with the other parts of a search") {
  for (const char* name : {"breakthrough", "othello", "rolit", "hex"}) {
    const auto game = games::make_game(name);
    for (const char* rest :
         {"novelty=pseudocount", "novelty=evaluation", "relative_bonus=true evaluation=playout",
          "relative_bonus=true bonus_adaptive=true evaluation=playout", "solver=true",
          "reuse_tree=true", "threads=3", "threads=2 solver=true evaluation=playout",
          "force_tree_first=true", "min_count=5", "keep_estimates=true", "preset=paper",
          "virtual_samples=true selection=ucb1", "tree_mb=1", "wilson_z=0.1", "c_history=0",
          "bias_global=0", "bias_3x3=1"}) {
      CAPTURE(name);
      CAPTURE(rest);
      // A preset switches estimators off: it goes first.
      const Options options =
          options_of("simulations=300 " + std::string(rest) + " estimators=history,global,3x3,oma");
      const Report report = searched(*game, options);
      CHECK(report.simulations == 300);
      CHECK(entries_of(report, "global") > 0);
      CHECK_FALSE(report.pv.empty());
    }
  }
}

TEST_CASE("estimators: several threads, also while they are switched") {
  for (const char* name : {"breakthrough", "othello"}) {
    for (const char* evaluation : {"static", "playout"}) {
      CAPTURE(name);
      CAPTURE(evaluation);
      const auto game = games::make_game(name);
      const Options options = options_of(
          "threads=3 simulations=6000 estimators=history,global,oma "
          "solver=true evaluation=" +
          std::string(evaluation));
      int slices = 0;
      const auto switch_over = [&](Search& search) {
        Options next = options;
        const char* const lists[] = {"history,global,oma", "none", "history,3x3,rave"};
        set_option(next, "estimators", lists[++slices % 3]);
        search.update(next);
        static_cast<void>(search.report(2));
      };
      const Report report =
          searched_by_threads(*game, options, std::chrono::microseconds(300), switch_over);
      CHECK(report.simulations == 6000);
      CHECK(sum_of_visits(report) == 6000);
    }
  }
}

TEST_CASE("estimators: what the contexts of each are") {
  using G = games::Hex;
  const auto game = games::make_game("hex");
  const G root = inside<G>(*game);
  games::MoveList<G::max_moves> moves;
  root.legal_moves(moves);
  // The context of a sixth move (white's) behind five others, given by their places.
  const auto context = [&](Estimator kind, std::array<int, 5> line) {
    G position = root;
    Trail trail;
    for (const int i : line) {
      trail.follow(action_of(moves[i], position.to_move()), position.to_move());
      position.play(moves[i]);
    }
    std::uint64_t found = 0;
    make_abstractor<G>(kind)->contexts(position, trail, std::span(&moves.begin()[60], 1), &found);
    return found;
  };
  const std::array line{0, 1, 2, 3, 4};
  const std::array other_own{0, 11, 2, 3, 4};
  const std::array own_in_other_order{0, 3, 2, 1, 4};
  const std::array other_last{0, 1, 2, 3, 14};
  const std::array other_before_last{0, 1, 2, 13, 4};
  const std::array other_first{10, 1, 2, 3, 4};
  const auto is_same = [&](Estimator kind, const std::array<int, 5>& other) {
    return context(kind, line) == context(kind, other);
  };
  for (const auto& other :
       {other_own, own_in_other_order, other_last, other_before_last, other_first}) {
    CHECK(is_same(Estimator::global, other));
    CHECK_FALSE(is_same(Estimator::rave, other));
    CHECK(is_same(Estimator::block, other));  // far away
    CHECK(is_same(Estimator::wide_block, other));
    CHECK(is_same(Estimator::state, other) == (other == own_in_other_order));
  }
  // The move is f6; g6, h6, i6 and h8, h9 are 1, 2, 3 columns and 2, 3 rows away.
  for (const auto& [last, is_in_block, is_in_wide_block] :
       {std::tuple{61, true, true}, std::tuple{62, false, true}, std::tuple{63, false, false},
        std::tuple{84, false, true}, std::tuple{95, false, false}}) {
    CAPTURE(last);
    const std::array near{0, 1, 2, 3, last};
    CHECK(is_same(Estimator::block, near) == !is_in_block);
    CHECK(is_same(Estimator::wide_block, near) == !is_in_wide_block);
  }
  CHECK_FALSE(is_same(Estimator::own_moves, other_own));
  CHECK_FALSE(is_same(Estimator::own_moves, own_in_other_order));
  CHECK(is_same(Estimator::own_moves, other_last));
  CHECK(is_same(Estimator::own_moves, other_first));
  CHECK(is_same(Estimator::two_gram, other_own));
  CHECK(is_same(Estimator::two_gram, other_before_last));
  CHECK_FALSE(is_same(Estimator::two_gram, other_last));
  CHECK(is_same(Estimator::three_gram, other_own));
  CHECK_FALSE(is_same(Estimator::three_gram, other_before_last));
  CHECK_FALSE(is_same(Estimator::three_gram, other_last));
}

TEST_CASE("estimators: the order of a side's moves in one turn counts where the moves do") {
  // As in a chain, or of two halves of a move: both moves are black's, and then white is to move.
  using G = games::Fanorona;
  auto game = games::make_game("fanorona");
  game->set_position("O......../........./........./........./X........ w");
  const G position = inside<G>(*game);
  games::MoveList<G::max_moves> moves;
  position.legal_moves(moves);
  const games::Move move = moves[0];
  const auto context = [&](Estimator kind, std::initializer_list<std::uint32_t> line) {
    Trail trail;
    for (const std::uint32_t code : line) {
      trail.follow(action_of(games::Move{code}, games::Colour::black), games::Colour::black);
    }
    std::uint64_t found = 0;
    make_abstractor<G>(kind)->contexts(position, trail, std::span(&move, 1), &found);
    return found;
  };
  for (const Estimator kind : {Estimator::two_gram, Estimator::three_gram, Estimator::rave}) {
    CHECK(context(kind, {7, 5, 9}) != context(kind, {7, 9, 5}));
    CHECK(context(kind, {7, 5, 5}) != context(kind, {7, 9, 9}));
  }
  for (const Estimator kind : {Estimator::global, Estimator::own_moves, Estimator::block}) {
    CHECK(context(kind, {7, 5, 9}) == context(kind, {7, 9, 5}));  // white's own are none
  }
  // The move before alone, and that with the one before it alone.
  CHECK(context(Estimator::two_gram, {5, 9}) == context(Estimator::two_gram, {7, 9}));
  CHECK(context(Estimator::three_gram, {5, 9}) != context(Estimator::three_gram, {7, 9}));
  CHECK(context(Estimator::three_gram, {7, 5, 9}) == context(Estimator::three_gram, {8, 5, 9}));
  CHECK(context(Estimator::three_gram, {9}) != context(Estimator::three_gram, {9, 9}));
}

TEST_CASE("estimators: every move of every simulation is counted once") {
  using G = games::Othello;
  const auto game = games::make_game("othello");
  const G root = inside<G>(*game);
  // Own moves alone know little of a playout; what they do not know is drawn without them.
  for (const char* list : {"history,global,3x3,oma", "history,oma"}) {
    CAPTURE(list);
    Estimators<G> estimators;
    estimators.begin(options_of("evaluation=playout estimators=" + std::string(list)));
    estimators.make_room();
    games::Random random(1);
    PlayoutEvaluator<G, GuidedPolicy<G>> playout(nullptr, GuidedPolicy<G>(estimators));
    std::int64_t played = 0;
    for (int i = 0; i < 50; ++i) {
      estimators.start(i + 1);
      const auto values = values_by(playout, root, random);
      played += estimators.plies();
      CHECK(values[0] + values[1] == doctest::Approx(1));
      estimators.learn(values);
    }
    std::vector<TableUsage> usage;
    estimators.tell_usage(usage);
    for (const auto& table : usage) {
      const double samples = estimators.samples(table.estimator);
      CHECK((table.evictions > 0 || samples == static_cast<double>(played)));
      CHECK(samples <= static_cast<double>(played));
    }
    CHECK(usage.back().entries <= 50 * 60);
    CHECK(usage.back().entries > 50 * 40);  // all first moves are worth the same
    if (usage.size() == 1) continue;
    REQUIRE(usage.size() == 3);
    CHECK(usage[0].evictions == 0);
    // 60 squares and a pass for each colour; 3x3 and own moves tell more apart.
    CHECK(usage[0].entries <= 2 * 61);
    CHECK(usage[0].entries > 100);
    CHECK(usage[1].entries > usage[0].entries);
    CHECK(usage[2].entries > usage[0].entries);
  }
}

TEST_CASE("estimators: informed playouts are as without them, and each of their moves is counted") {
  using G = games::Hex;
  const G root = initial_position<G>();
  Estimators<G> estimators;
  estimators.begin(options_of("evaluation=playout playout=informed estimators=history,global"));
  estimators.make_room();
  PlayoutEvaluator<G, ObservedPolicy<G>> observed(nullptr, ObservedPolicy<G>(estimators));
  PlayoutEvaluator<G, InformedPolicy> alone(nullptr);
  games::Random random(1);
  games::Random random_alone(1);
  std::int64_t played = 0;
  for (int i = 0; i < 50; ++i) {
    estimators.start(i + 1);
    const auto values = values_by(observed, root, random);
    CHECK(values == values_by(alone, root, random_alone));
    played += estimators.plies();
    estimators.learn(values);
  }
  CHECK(random.next() == random_alone.next());
  CHECK(played > 50 * 21);
  CHECK(estimators.samples(Estimator::global) == static_cast<double>(played));
}

TEST_CASE("estimators: a move that has always won is found again elsewhere") {
  // Teach `global` that one move wins; where the tree knows nothing, it is chosen.
  using G = games::Hex;
  const auto game = games::make_game("hex");
  const G root = inside<G>(*game);
  games::MoveList<G::max_moves> moves;
  root.legal_moves(moves);
  const std::span list(moves.begin(), moves.end());
  Estimators<G> estimators;
  estimators.begin(options_of("evaluation=playout estimators=history,global c_global=0.01"));
  estimators.make_room();
  for (int i = 0; i < static_cast<int>(list.size()); ++i) {
    for (int n = 0; n < 20; ++n) {
      estimators.start(n + 1);
      games::Random any(1);
      static_cast<void>(estimators.choose(root, list, nullptr, any));
      estimators.follow(root, list[i], i, false);
      estimators.learn(i == 17 ? games::Values<G>{1, 0} : games::Values<G>{0, 1});
    }
  }
  G later = root;
  later.play(list[3]);
  later.play(list[5]);
  games::MoveList<G::max_moves> there;
  later.legal_moves(there);
  estimators.start(21);
  games::Random random(1);
  const int chosen =
      estimators.choose(later, std::span(there.begin(), there.end()), nullptr, random);
  CHECK(there[chosen] == list[17]);
}

TEST_CASE("estimators: history alone finds a win in one") {
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  const Report report = searched(*game, options_of("simulations=500 estimators=history"));
  CHECK(report.move == "d1");
  CHECK(report.moves.front().value > 0.99);
}

TEST_CASE("estimators: what each option does") {
  const auto game = games::make_game("breakthrough");
  const auto visits_with = [&](std::string_view assignments) {
    return visits(searched(
        *game, options_of("simulations=400 evaluation=playout " + std::string(assignments))));
  };
  // Factors of what is in use matter, no others do.
  for (const EstimatorRow& row : estimator_rows()) {
    const std::string name(row.name);
    CAPTURE(name);
    const bool is_first = name == "history" || name == "global";
    const std::string list = "estimators=history,global" + (is_first ? " " : "," + name + " ");
    CHECK(visits_with(list + "c_" + name + "=0.9") != visits_with(list));
    if (row.bias != nullptr) {
      CHECK(visits_with(list + "bias_" + name + "=0.5") != visits_with(list));
    }
  }
  const auto plain = visits_with("estimators=history,global");
  for (const char* used : {"wilson_z=5", "first_play_urgency=0.5"}) {
    CAPTURE(used);
    CHECK(visits_with("estimators=history,global " + std::string(used)) != plain);
  }
  for (const EstimatorRow& row : estimator_rows()) {
    const std::string name(row.name);
    if (name == "history" || name == "global") continue;
    CAPTURE(name);
    CHECK(visits_with("estimators=history,global c_" + name + "=2 bias_" + name + "=1") == plain);
  }
  for (const char* unused : {"k=5", "selection=ucb1"}) {
    CAPTURE(unused);
    CHECK(visits_with("estimators=history,global " + std::string(unused)) == plain);
  }
  // What never counts might as well not be there.
  CHECK(visits_with("estimators=history,global,3x3 min_count=1000000") ==
        visits_with("estimators=history"));
  // New moves of the tree come first, or only if what is known of them is good.
  const auto untried = [&](std::string_view assignments) {
    const auto counts = visits_with(assignments);
    return std::ranges::count(counts, 0);
  };
  CHECK(untried("estimators=history,global c_global=0.01 simulations=60 force_tree_first=true") ==
        0);
  CHECK(untried("estimators=history,global c_global=0.01 simulations=60") > 0);
}

TEST_CASE("estimators: what cannot be is refused") {
  const auto game = games::make_game("breakthrough");
  const auto refused = [&](std::string_view assignments, std::string_view sentence) {
    CAPTURE(assignments);
    try {
      check_options(*game, options_of(assignments));
      FAIL("accepted");
    } catch (const BadOption& bad) {
      CHECK(std::string_view(bad.what()).find(sentence) != std::string_view::npos);
    }
  };
  refused("estimators=", "estimators must be none, or some of history, global, 3x3, oma");
  refused("estimators=history,,global", "estimators must be none, or some of");
  refused("estimators=history,colour", "not 'history,colour'");
  refused("estimators=history,none", "not 'history,none'");
  refused("bias_global=1.5", "bias_global must be a number from 0 to 1");
  refused("c_oma=-1", "c_oma must be a number from 0 to 10");
  refused("first_play_urgency=-1", "first_play_urgency must be a number from 0 to 1000");
  refused("wilson_z=0", "wilson_z must be a number from 0.1 to 10");
  refused("min_count=0", "min_count must be");
  refused("estimators_mb=0", "estimators_mb must be");
  refused("estimators=global evaluation=playout playout=features", "set playout to uniform");
  refused("estimators=global evaluation=playout mast=0.5", "set mast to 0");
  // Factors of what is not in use are kept.
  CHECK(options_of("c_rave=3").c_rave == 3);
  CHECK(get_option(options_of("estimators=OMA,history"), "estimators") == "history,oma");
  CHECK(get_option(options_of("estimators=none"), "estimators") == "none");
}

TEST_CASE("estimators: can be switched while a search runs") {
  const auto game = games::make_game("othello");
  for (const char* evaluation : {"evaluation=static", "evaluation=playout"}) {
    for (const char* threads : {"", " threads=2"}) {
      const Options before =
          options_of("simulations=100000000 " + std::string(evaluation) + threads);
      const auto search = make_search(*game);
      search->begin(*game, 0, before, limits_of(before));
      for (const char* list : {"history,global", "none", "history,3x3,oma", "rave", "none"}) {
        Options next = before;
        set_option(next, "estimators", list);
        search->update(next);
        for (int i = 0; i < 5; ++i) {
          CHECK(search->run(std::chrono::milliseconds(1)) == Progress::runnable);
        }
      }
      search->stop();
      static_cast<void>(search->run(std::chrono::milliseconds(1)));
      const Report report = search->report();
      CHECK(sum_of_visits(report) == report.simulations);
    }
  }
}
