#include <doctest/doctest.h>

#include <map>
#include <thread>

#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "games/halves.hpp"
#include "games/notation.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/sanitized.hpp"

// Searches by half moves (option `split_moves`), of every game that has them.

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

namespace {

std::vector<std::string_view> games_with_halves() {
  std::vector<std::string_view> names;
  games::AllGames::for_each([&]<class G>(std::type_identity<G>) {
    if constexpr (games::HasHalves<G>) names.push_back(G::name);
  });
  return names;
}

Options split(const std::string& rest) { return options_of("split_moves=true " + rest); }

/// Black is to move and can shut white's queens in.
std::unique_ptr<games::AnyGame> almost_won() {
  games::Parameters small;
  small.set("size", "8");
  auto game = games::make_game("amazons", small);
  game->set_position("OO*...../OO*...../.**...../......../......../......../......../....XXXX b");
  return game;
}

/// The move played has the first half that was visited most, and of its second halves that one.
void check_most_visited(const Report& report, const MoveReport& best) {
  const auto first_half = [](const std::string& move) {
    const auto points = games::points_of(move);
    return points[0] + points[1];
  };
  std::map<std::string, std::int64_t> of_first;
  for (const MoveReport& move : report.moves) {
    of_first[first_half(move.move)] += move.visits;
    if (move.proven != Proven::no || first_half(move.move) != first_half(best.move)) continue;
    CHECK(move.visits <= best.visits);
  }
  if (report.options.solver) return;
  for (const auto& [half, visits] : of_first) CHECK(visits <= of_first[first_half(best.move)]);
}

/// What holds of every report of a search by half moves with a tree of its own; a simulation counts
/// for one whole move.
void check_whole_moves(const Report& report, const games::AnyGame& game) {
  CHECK(sum_of_visits(report) == report.simulations + report.reused);
  std::vector<std::string> told;
  for (const MoveReport& move : report.moves) told.push_back(move.move);
  std::ranges::sort(told);
  CHECK(told == game.legal_moves());
  const auto best = std::ranges::find(report.moves, report.move, &MoveReport::move);
  REQUIRE(best != report.moves.end());
  if (report.options.final_move == FinalMove::visits && best->proven == Proven::no) {
    check_most_visited(report, *best);
  }
  REQUIRE_FALSE(report.pv.empty());
  CHECK(report.pv.front() == report.move);
  const auto line = game.clone();
  for (const std::string& move : report.pv) CHECK_NOTHROW(line->play(move));
}

}  // namespace

TEST_CASE("split_moves: with every measure, bound, evaluation and playout") {
  for (const auto name : games_with_halves()) {
    const auto game = games::make_game(name);
    for (const std::string& novelty : measures) {
      if (!is_measured(name, novelty)) continue;
      for (const std::string rest :
           {"k=1", "final_move=value selection=ucb1 virtual_samples=false", "solver=true",
            "selection=puct", "selection=puct root_noise=0.25", "evaluation=playout",
            "evaluation=playout playout=informed solver=true",
            "evaluation=playout relative_bonus=true qualitative_bonus=true bonus_adaptive=true",
            "evaluation=playout mast=0.5", "estimators=history,global,3x3,oma",
            "evaluation=playout estimators=history,2gram,rave"}) {
        CAPTURE(name);
        CAPTURE(novelty);
        CAPTURE(rest);
        const Options options = split("simulations=400 novelty=" + novelty + " " + rest);
        const Report report = searched(*game, options);
        CHECK(report.simulations == 400);
        CHECK(report.nodes > 400);  // of moves, and of their first halves
        CHECK(report.nodes <= 800);
        check_whole_moves(report, *game);
        // The same seed gives the same search, however it is sliced.
        const Report again = searched(*game, options, 10us);
        CHECK(visits(again) == visits(report));
        CHECK(again.pv == report.pv);
      }
    }
  }
}

TEST_CASE("split_moves: after one simulation or a few the move is legal") {
  for (const auto name : games_with_halves()) {
    const auto game = games::make_game(name);
    const auto legal = game->legal_moves();
    for (const std::string bound : {"1", "2", "7", "40"}) {
      CAPTURE(bound);
      const Report report = searched(*game, split("simulations=" + bound));
      check_whole_moves(report, *game);
      CHECK(report.max_depth >= 1);
      CHECK(report.max_depth <= report.simulations);
    }
    const auto search = make_search(*game);
    const Options options = split("");
    search->begin(*game, 0, options, limits_of(options));
    CHECK(std::ranges::count(legal, game->text(search->best_move())) == 1);  // before the first one
    CHECK_FALSE(search->best_value().has_value());
    while (search->run(std::chrono::seconds(1)) != Progress::done) {
    }
    CHECK(game->text(search->best_move()) == search->report().move);
  }
}

// A win is proven when its first half is tried: k is so high that each is.
TEST_CASE("split_moves: a win in one is found, and proven") {
  const auto game = almost_won();
  for (const std::string rest : {"simulations=3000 k=2", "simulations=3000 k=2 solver=true",
                                 "simulations=3000 solver=true evaluation=playout",
                                 "simulations=3000 k=2 solver=true threads=3"}) {
    CAPTURE(rest);
    const Options options = split(rest);
    const Report report = searched_by_threads(*game, options);
    const auto after = game->clone();
    after->play(report.move);
    CHECK(after->result() == games::Result::win(games::Colour::black));
    if (!options.solver) continue;
    CHECK(report.simulations < 3000);
    CHECK(report.moves.front().proven == Proven::win);
    CHECK(report.moves.front().value == 1);
    CHECK(report.pv == std::vector<std::string>{report.move});
  }
}

TEST_CASE("split_moves: moves that lose are proven lost, and told last") {
  const auto game = almost_won();
  game->set_position("OO*...../OO*...../.**...../.*....../......../......../......../....XXXX w");
  const Report report = searched(*game, split("simulations=20000 solver=true k=1"));
  // Every move of white either leaves a6 open or shuts itself in at once.
  const auto loses = [&](const MoveReport& move) { return move.proven == Proven::loss; };
  CHECK(std::ranges::count_if(report.moves, loses) > 0);
  CHECK(std::ranges::is_partitioned(report.moves, [&](const auto& m) { return !loses(m); }));
  for (const MoveReport& move : report.moves) {
    if (loses(move)) CHECK(move.value == 0);
  }
}

TEST_CASE("split_moves: a full tree is searched on") {
  for (const auto name : games_with_halves()) {
    const auto game = games::make_game(name);
    for (const std::string rest : {"", "selection=puct", "solver=true", "estimators=history,global",
                                   "evaluation=playout relative_bonus=true"}) {
      CAPTURE(rest);
      const Report report = searched(*game, split("tree_mb=1 simulations=30000 " + rest));
      CHECK(report.tree_full);
      CHECK(report.bytes <= 1024 * 1024);
      CHECK(report.simulations == 30000);
      const auto line = game->clone();
      for (const std::string& move : report.pv) CHECK_NOTHROW(line->play(move));
    }
  }
}

TEST_CASE("split_moves: reuse_tree keeps what lies behind the moves played since") {
  for (const auto name : games_with_halves()) {
    for (const std::string rest : {"", "novelty=pseudocount", "evaluation=playout", "threads=2",
                                   "estimators=history,global", "solver=true"}) {
      CAPTURE(rest);
      const auto game = games::make_game(name);
      const Options options = split("simulations=3000 reuse_tree=true " + rest);
      const auto search = make_search(*game);
      const Report first = search_on(*search, *game, 0, options);
      game->play(first.move);
      const Report second = search_on(*search, *game, 1, options);
      // Of the visits of the move played, the first one ended at its position.
      CHECK(second.reused == first.moves.front().visits - 1);
      check_whole_moves(second, *game);
      REQUIRE(second.pv.size() > 1);
      game->play(second.pv.at(0));
      game->play(second.pv.at(1));
      const Report third = search_on(*search, *game, 3, options);
      CHECK((third.reused > 0) == (second.pv.size() > 2));
      check_whole_moves(third, *game);
    }
  }
}

TEST_CASE("split_moves: a change takes effect in the next search, which keeps nothing") {
  const auto game = games::make_game("amazons");
  const auto search = make_search(*game);
  const std::string rest = "simulations=2000 reuse_tree=true ";
  const Options whole = options_of(rest + "split_moves=false");
  const Options halves = split(rest);
  CHECK(search_on(*search, *game, 0, whole).nodes == 2000);
  search->begin(*game, 0, whole, limits_of(whole));
  search->update(halves);
  while (search->run(1s) != Progress::done) {
  }
  CHECK(search->report().nodes == 4000);  // with the first search's, by whole moves
  Report report = search_on(*search, *game, 0, halves);
  CHECK(report.reused == 0);
  CHECK(report.nodes > 2000);
  CHECK(report.nodes < 4000);
  CHECK(search_on(*search, *game, 0, halves).reused == 2000);
  CHECK(search_on(*search, *game, 0, whole).reused == 0);
  // A search that cannot begin leaves the last one to be reported.
  Options bad = halves;
  bad.qualitative_bonus = true;
  CHECK_THROWS_AS(search->begin(*game, 0, bad, limits_of(bad)), BadOption);
  CHECK(search->report().nodes == 2000);
}

TEST_CASE("split_moves: live options reach the search that runs, and stop ends it") {
  const auto game = games::make_game("amazons");
  Options options = split("simulations=0 movetime=60000 novelty=pseudocount");
  const auto search = make_search(*game);
  search->begin(*game, 0, options, limits_of(options));
  CHECK(search->run(1ms) == Progress::runnable);
  options.simulations = search->report().simulations + 500;
  options.alpha = 3;
  search->update(options);
  while (search->run(1ms) != Progress::done) {
  }
  CHECK(search->report().simulations == options.simulations);
  CHECK(search->report().options.alpha == 3);
  check_whole_moves(search->report(), *game);
  options.simulations = 0;
  search->begin(*game, 0, options, limits_of(options));
  std::jthread other([&] { search->stop(); });
  while (search->run(1ms) != Progress::done) {
  }
  CHECK(search->report().seconds < 20);
}

TEST_CASE("split_moves: a search that avoids moves is by whole moves") {
  const auto game = games::make_game("amazons");
  const Options options = split("simulations=3000");
  const auto search = make_search(*game);
  const std::string best = search_on(*search, *game, 0, options).move;
  Limits limits = limits_of(options);
  limits.avoided = {best};
  search->begin(*game, 0, options, limits);
  while (search->run(1s) != Progress::done) {
  }
  const Report report = search->report();
  CHECK(report.move != best);
  CHECK(std::ranges::find(report.moves, best, &MoveReport::move)->visits == 0);
  CHECK(search_on(*search, *game, 0, options).move == best);
}

TEST_CASE("split_moves: an analysis tells whole moves, also while threads search") {
  constexpr int simulations = tests::sanitized ? 5000 : 60000;
  const auto game = games::make_game("amazons");
  for (const std::string threads : {"1", "3"}) {
    CAPTURE(threads);
    int reports = 0;
    const auto look = [&](Search& search) {
      const Report report = search.report(4);
      ++reports;
      if (report.simulations == 0) return;
      check_whole_moves(report, *game);
      for (std::size_t i = 0; i < 4; ++i) {
        const MoveReport& move = report.moves[i];
        REQUIRE_FALSE(move.pv.empty());
        CHECK(move.pv.front() == move.move);
        CHECK(move.pv_visits.size() == move.pv.size());
        CHECK(move.pv_visits.front() == move.visits);
        CHECK(std::ranges::is_sorted(move.pv_visits, std::greater{}));
        const auto line = game->clone();
        for (const std::string& text : move.pv) CHECK_NOTHROW(line->play(text));
      }
      CHECK(report.moves[4].pv.empty());
    };
    const std::string settings =
        "simulations=" + std::to_string(simulations) + " threads=" + threads;
    const Report last = searched_by_threads(*game, split(settings), 300us, look);
    CHECK(last.simulations == simulations);
    CHECK(reports > 0);
  }
}

TEST_CASE("split_moves: the priors of the halves are those of the network's whole moves") {
  const clients::ScratchFolder folder;
  const auto game = games::make_game("amazons");
  const auto [planes, rows, columns, policy, values] = network_interface(*game);
  NetworkFile file;
  file.game = game->name();
  file.parameters = game->parameters().line();
  file.shape = NetworkShape::paper(planes, rows, columns, policy, values);
  file.tensors = random_weights(file.shape, 1);
  clients::write_text(folder / "net.safetensors", network_bytes(file));
  const auto networks = std::make_shared<Networks>(folder.path());
  for (const std::string rest :
       {"", "prior_temperature=2 novelty=evaluation", "threads=2 solver=true"}) {
    CAPTURE(rest);
    const Options options =
        split("selection=puct evaluation=network network=net simulations=300 " + rest);
    const auto search = make_search(*game, networks);
    const Report report = search_on(*search, *game, 0, options);
    check_whole_moves(report, *game);
    REQUIRE(report.network.has_value());
    const Assessment assessment = search->evaluate(*game, options);
    REQUIRE(assessment.policy.size() == report.moves.size());
    int known = 0;
    for (const MoveReport& move : report.moves) {
      const auto says =
          std::ranges::find(assessment.policy, move.move, &std::pair<std::string, double>::first);
      REQUIRE(says != assessment.policy.end());
      CHECK((move.prior.has_value() || move.visits == 0));
      if (!move.prior) continue;
      ++known;
      CHECK(*move.prior == doctest::Approx(says->second).epsilon(1e-4));
    }
    CHECK(known > 30);
  }
  // As everywhere, several parts have no share of the whole policy.
  const Options all = split("selection=puct evaluation=network network=net prior_mask=all");
  CHECK_THROWS_AS(static_cast<void>(search_on(*make_search(*game, networks), *game, 0, all)),
                  BadOption);
}
