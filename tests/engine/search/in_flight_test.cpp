#include "engine/search/in_flight.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "engine/search/searcher.hpp"
#include "engine/wakeup.hpp"
#include "games/breakthrough.hpp"
#include "games/connect4.hpp"
#include "games/othello.hpp"
#include "tests/engine/leaf/late_evaluator.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

namespace {

/// Runs a search as the worker pool does: when it waits, not before it is woken or its time is
/// over. Counts how often it waited.
class Runner {
 public:
  Runner(Search& search, const games::AnyGame& game, const Options& options, int ply = 0)
      : search_(search) {
    search.begin(game, ply, options, limits_of(options), wakeup_.waker());
  }

  /// One slice, and the wait behind it.
  Progress step(std::chrono::microseconds slice = 1ms) {
    const Progress progress = search_.run(slice);
    if (!progress.is_waiting()) return progress;
    ++waits_;
    wakeup_.await(progress);
    return progress;
  }
  void to_end() {
    while (step() != Progress::done) {
    }
  }
  [[nodiscard]] int waits() const { return waits_; }

 private:
  Search& search_;
  Wakeup wakeup_;
  int waits_ = 0;
};

Report run_late(Search& search, const games::AnyGame& game, const Options& options, int ply = 0) {
  Runner runner(search, game, options, ply);
  runner.to_end();
  return search.report();
}

template <games::Game G>
Searcher<G> late_search(std::chrono::microseconds delay, int in_flight, bool has_priors = false) {
  return Searcher<G>(initial_position<G>(),
                     std::make_shared<LateSource<G>>(delay, in_flight, has_priors));
}

/// The first slices may be over before a leaf was sent.
Progress run_until_it_waits(Search& search) {
  Progress progress = Progress::runnable;
  while (progress == Progress::runnable) progress = search.run(1ms);
  return progress;
}

/// The part of all visits that each move of the root has.
std::map<std::string, double> shares(const Report& report) {
  std::map<std::string, double> shares;
  for (const MoveReport& m : report.moves) {
    shares[m.move] = static_cast<double>(m.visits) / static_cast<double>(report.simulations);
  }
  return shares;
}

/// The part of the visits that would have to move to make the one search the other.
double distance(const Report& a, const Report& b) {
  const auto other = shares(b);
  double sum = 0;
  for (const auto& [move, share] : shares(a)) sum += std::abs(share - other.at(move));
  return sum / 2;
}

/// Of searches of two lists that have different seeds.
double mean_distance(const std::vector<Report>& some, const std::vector<Report>& others) {
  double sum = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    for (std::size_t j = 0; j < others.size(); ++j) {
      if (i == j) continue;
      sum += distance(some[i], others[j]);
      ++pairs;
    }
  }
  return sum / pairs;
}

/// Every node behind a block: no visit is pending, and none is lost.
template <games::Game G>
void check_settled(const SearchState<G>& search, MoveBlock& block, bool has_priors) {
  std::uint32_t visits = 0;
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0) continue;
    const Node& node = search.tree->node(block.node()[i]);
    REQUIRE(node.pending == 0);
    visits += node.visits;
    // With priors a position has its moves from its first result on.
    if (has_priors && node.visits > 0) REQUIRE(node.moves != 0);
    if (node.moves != 0) check_settled(search, search.tree->block(node.moves), has_priors);
  }
  REQUIRE(visits == block.visits);
}

}  // namespace

TEST_CASE(
    "InFlight: eight leaves in flight give the tree of one at a time, as two seeds are alike") {
  const auto check = []<class G>(std::type_identity<G>) {
    CAPTURE(G::name);
    const auto game = games::make_game(G::name);
    std::vector<Report> alone;
    std::vector<Report> late;
    for (int seed = 1; seed <= 10; ++seed) {
      const Options options = options_of("simulations=5000 seed=" + std::to_string(seed));
      alone.push_back(searched(*game, options));
      Searcher<G> search(initial_position<G>(), std::make_shared<RoundSource<G>>(8));
      late.push_back(search_on(search, *game, 0, options));
      check_report(late.back(), *game, options);
    }
    const double seeds_differ = mean_distance(alone, alone);
    const double drivers_differ = mean_distance(alone, late);
    CAPTURE(seeds_differ);
    CAPTURE(drivers_differ);
    CHECK(seeds_differ > 0);
    // Means of ninety pairs each; over sixty seeds the two are equal within a tenth.
    CHECK(drivers_differ < 1.15 * seeds_differ);
  };
  check(std::type_identity<games::Connect4>{});
  check(std::type_identity<games::Breakthrough>{});
  check(std::type_identity<games::Othello>{});
}

TEST_CASE("InFlight: no visit is lost or counted twice, however the search ends") {
  using G = games::Breakthrough;
  const auto game = games::make_game("breakthrough");
  for (const bool has_priors : {false, true}) {
    for (const char* rest : {"", "novelty=pseudocount", "novelty=evaluation", "solver=true",
                             "estimators=history,global", "selection=ucb1 virtual_samples=false"}) {
      CAPTURE(has_priors);
      CAPTURE(rest);
      const Options options = options_of("simulations=3000 " + std::string(rest));
      const auto source = std::make_shared<LateSource<G>>(100us, 16, has_priors);
      SearchState<G> state(initial_position<G>(), nullptr);
      state.threads.push_back(std::make_unique<ThreadState<G>>(state.root));
      auto later = source->batch_evaluator(options, {});
      Simulator<G>& simulator = state.threads[0]->simulator;
      simulator.begin(options, 0, state.root, games::Random(1), source.get(), later.get());
      InFlight<G> driver(state, std::move(later), source->in_flight({}));
      state.control.begin(options, limits_of(options));
      state.tree->reset(16);
      simulator.prepare(state.root, "");
      simulator.reset(*state.tree);
      if (options.novelty != Novelty::none) simulator.slots().novelty->reset(state.root);
      state.root_node = Selector::untried();
      state.root_node.visits = 1;
      driver.begin(true);
      std::int64_t roots = 0;
      const auto see_root = [&](const Evaluation<G>& evaluation) {
        ++roots;
        CHECK(evaluation.priors.empty() == !has_priors);
        state.root_node.moves = simulator.expand(state.root, 0.5, evaluation.priors);
      };
      const auto run_until = [&](std::int64_t simulations) {
        Progress progress = Progress::runnable;
        while (progress != Progress::done && state.simulations < simulations) {
          Slice slice(1ms);
          progress = driver.run(slice, see_root);
        }
        return progress;
      };
      CHECK(run_until(1000) != Progress::done);
      driver.take_back();  // as when it is interrupted
      check_settled(state, state.tree->block(state.root_node.moves), has_priors);
      CHECK(state.tree->block(state.root_node.moves).visits == state.simulations);
      CHECK(run_until(3000) == Progress::done);
      CHECK(state.simulations == 3000);
      CHECK(roots == 1);
      check_settled(state, state.tree->block(state.root_node.moves), has_priors);
      CHECK(state.tree->block(state.root_node.moves).visits == 3000);
    }
  }
}

TEST_CASE("InFlight: a search waits, is called, and ends at once when it is stopped") {
  const auto game = games::make_game("connect4");
  auto search = late_search<games::Connect4>(10s, 4);  // no value will come
  const Options options = options_of("simulations=1000");
  std::atomic<int> calls = 0;
  search.begin(*game, 0, options, limits_of(options), [&calls] { ++calls; });
  CHECK(run_until_it_waits(search).is_waiting());
  CHECK(search.run(1s).is_waiting());
  CHECK(calls == 0);
  CHECK(search.report().simulations == 0);
  search.stop();
  CHECK(calls == 1);
  CHECK(search.run(1ms) == Progress::done);
  const Report report = search.report();
  CHECK(report.simulations == 0);
  CHECK(std::ranges::count(game->legal_moves(), game->text(search.best_move())) == 1);
  for (const MoveReport& m : report.moves) CHECK(m.visits == 0);
}

TEST_CASE("InFlight: moves that are avoided are not played, whenever the search is stopped") {
  const auto game = games::make_game("connect4");
  Limits limits;
  limits.endless = true;
  limits.avoided = {"a1", "b1", "c1", "d1", "e1", "f1"};
  for (int seed = 1; seed <= 20; ++seed) {
    auto search = late_search<games::Connect4>(10s, 4);
    search.begin(*game, 0, options_of("seed=" + std::to_string(seed)), limits);
    CHECK(run_until_it_waits(search).is_waiting());
    search.stop();
    CHECK(search.run(1ms) == Progress::done);
    CHECK(game->text(search.best_move()) == "g1");
  }
  // The tree of the last search knows a best move, and the root's value is on its way.
  Searcher<games::Connect4> search(initial_position<games::Connect4>(),
                                   std::make_shared<RoundSource<games::Connect4>>(4));
  const Options options = options_of("simulations=500 novelty=pseudocount reuse_tree=true");
  const Report report = search_on(search, *game, 0, options);
  limits.avoided = {report.move};
  search.begin(*game, 0, options, limits);
  CHECK(search.run(0us) != Progress::done);
  search.stop();
  CHECK(search.run(1ms) == Progress::done);
  CHECK(game->text(search.best_move()) != report.move);
}

TEST_CASE("InFlight: slices however short come to an end") {
  const auto game = games::make_game("connect4");
  Searcher<games::Connect4> search(initial_position<games::Connect4>(),
                                   std::make_shared<RoundSource<games::Connect4>>(4));
  const Options options = options_of("simulations=100");
  search.begin(*game, 0, options, limits_of(options));
  int slices = 0;
  while (search.run(0us) != Progress::done) REQUIRE(++slices < 1000);
  CHECK(search.report().simulations == 100);
}

TEST_CASE("InFlight: results of a search that has ended are not those of the next one") {
  const auto game = games::make_game("connect4");
  auto search = late_search<games::Connect4>(2ms, 8);
  const Options options = options_of("simulations=100 reuse_tree=true");
  for (int i = 0; i < 5; ++i) {
    search.begin(*game, 0, options, limits_of(options));
    CHECK(run_until_it_waits(search).is_waiting());
  }
  const Report report = run_late(search, *game, options);
  CHECK(report.simulations == 100);
  CHECK(sum_of_visits(report) == 100 + report.reused);
  const Report again = run_late(search, *game, options);
  CHECK(again.reused == 100 + report.reused);
  CHECK(sum_of_visits(again) == 100 + again.reused);
}

TEST_CASE("InFlight: live options and the end of its time reach a search that waits") {
  const auto game = games::make_game("othello");
  auto search = late_search<games::Othello>(1ms, 4);
  Options options = options_of("simulations=1000000");
  {
    Runner runner(search, *game, options);
    while (search.report().simulations < 20) runner.step();
    options.simulations = 10;
    options.k = 2;
    search.update(options);
    runner.to_end();
    CHECK(runner.waits() > 0);
  }
  CHECK(search.report().simulations < 100);
  CHECK(search.report().options.k == 2);

  auto slow = late_search<games::Othello>(60s, 4);
  const Options timed = options_of("simulations=0 movetime=50");
  const auto begin = environment::AwakeClock::now();
  Runner runner(slow, *game, timed);
  const Progress progress = run_until_it_waits(slow);
  CHECK(progress.is_waiting());
  CHECK(progress.wake_at >= begin + 50ms);
  runner.to_end();
  CHECK(environment::AwakeClock::now() - begin >= 50ms);
  CHECK(environment::AwakeClock::now() - begin < 20s);
}

TEST_CASE("InFlight: no bound of processor time, of which evaluations elsewhere are no part") {
  const auto game = games::make_game("othello");
  auto search = late_search<games::Othello>(200us, 4);
  const Options bounded = options_of("cputime=20");
  CHECK_THROWS_WITH_AS(search.begin(*game, 0, bounded, limits_of(bounded)),
                       "cputime does not count what an evaluator elsewhere takes: set it to 0",
                       BadOption);
  CHECK(run_late(search, *game, options_of("simulations=50")).simulations == 50);
}

TEST_CASE("InFlight: changes of the estimators in flight") {
  const auto game = games::make_game("breakthrough");
  auto search = late_search<games::Breakthrough>(200us, 8);
  Options options = options_of("simulations=1000000 estimators=history,global,2gram");
  Runner runner(search, *game, options);
  const auto until = [&](std::int64_t simulations) {
    while (search.report().simulations < simulations) runner.step();
  };
  until(200);
  for (const char* estimators : {"none", "history,rave", "history,global,2gram,3gram", "none"}) {
    set_option(options, "estimators", estimators);
    search.update(options);
    until(search.report().simulations + 200);
  }
  search.stop();
  runner.to_end();
  CHECK(sum_of_visits(search.report()) == search.report().simulations);
}

TEST_CASE("InFlight: a proven win ends the search") {
  // Black has three in a row, open at both ends.
  const auto game = games::make_game("connect4");
  for (const char* move : {"a", "a", "c", "g", "d", "g", "e"}) game->play(move);
  game->play("a");
  auto search = late_search<games::Connect4>(100us, 8);
  const Report report = run_late(search, *game, options_of("simulations=5000 solver=true"));
  CHECK(report.simulations < 5000);
  CHECK(report.moves.front().proven == Proven::win);
}

TEST_CASE("priors: a position gets its moves with its first visit, and begins with the likeliest") {
  using G = games::Connect4;
  const auto game = games::make_game("connect4");
  const G root = inside<G>(*game);
  const std::vector<float> priors = some_priors(root);
  const auto likeliest = std::ranges::max_element(priors) - priors.begin();
  games::MoveList<G::max_moves> moves;
  root.legal_moves(moves);
  const std::string first = root.text(moves[static_cast<int>(likeliest)]);
  REQUIRE(std::ranges::count(priors, priors[static_cast<std::size_t>(likeliest)]) == 1);

  Searcher<G> at_once(root, std::make_shared<PriorSource<G>>());
  CHECK(search_on(at_once, *game, 0, options_of("simulations=1")).moves.front().move == first);
  auto later = late_search<G>(0us, 8, true);
  const Report one = run_late(later, *game, options_of("simulations=1"));
  CHECK(one.moves.front().move == first);
  CHECK(one.moves.front().visits == 1);

  const Report with = search_on(at_once, *game, 0, options_of("simulations=2000"));
  CHECK(with.simulations == 2000);
  CHECK(sum_of_visits(with) == 2000);
  const Report late = run_late(later, *game, options_of("simulations=2000"));
  CHECK(sum_of_visits(late) == 2000);
}

TEST_CASE("priors: threads, novelty and a tree that is reused") {
  using G = games::Breakthrough;
  const auto game = games::make_game("breakthrough");
  for (const char* rest : {"", "threads=3", "novelty=pseudocount", "solver=true", "tree_mb=1"}) {
    CAPTURE(rest);
    Searcher<G> search(initial_position<G>(), std::make_shared<PriorSource<G>>());
    const Options options = options_of("simulations=20000 reuse_tree=true " + std::string(rest));
    const Report report = search_on(search, *game, 0, options);
    CHECK(sum_of_visits(report) == 20000);
    const auto next = game->clone();
    next->play(report.move);
    const Report second = search_on(search, *next, 1, options);
    CHECK(second.reused > 0);
    CHECK(sum_of_visits(second) == 20000 + second.reused);
  }
}

TEST_CASE("in flight: a search goes on simulation by simulation, in the tree of the one before") {
  const auto game = games::make_game("othello");
  auto search = late_search<games::Othello>(20us, 8, true);
  const Options options = options_of("simulations=200 selection=puct");
  run_late(search, *game, options);
  for (int i = 0; i < 5; ++i) {
    Limits limits;
    limits.simulations = 1;
    limits.endless = limits.goes_on = true;
    limits.paths = 100;
    Wakeup wakeup;
    search.begin(*game, 0, options, limits, wakeup.waker());
    for (;;) {
      const Progress progress = search.run(1ms);
      if (progress == Progress::done) break;
      if (progress.is_waiting()) wakeup.await(progress);
    }
    const Report report = search.report();
    CHECK(report.visits == 201 + i);
    REQUIRE(report.paths.size() == 1);
    const PathReport& path = report.paths.front();
    CHECK(path.values.size() == 2);
    CHECK(path.values[0] + path.values[1] == doctest::Approx(1));
    const auto line = game->clone();
    std::vector<games::Move> moves;
    for (const std::string& move : path.moves) {
      moves.push_back(line->find(move));
      line->play(moves.back());
    }
    const auto leaf = search.report_below(moves);
    REQUIRE(leaf.has_value());
    CHECK(path.expanded == (leaf->visits == 1));
    // With priors a position has its moves from its first result on.
    for (const MoveReport& move : leaf->moves) CHECK(move.prior.has_value());
  }
}
