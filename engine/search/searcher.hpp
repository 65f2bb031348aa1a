#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/evaluator_source.hpp"
#include "engine/search/in_flight.hpp"
#include "engine/search/one_thread.hpp"
#include "engine/search/search.hpp"
#include "engine/search/search_state.hpp"
#include "engine/search/several_threads.hpp"
#include "engine/search/tree_report.hpp"
#include "engine/tree/reuse.hpp"
#include "engine/tree/root_noise.hpp"
#include "environment/awake_clock.hpp"
#include "games/boxed_game.hpp"
#include "games/halves.hpp"

namespace pitboss::engine {

/// The tree search for games of type G: sets a search up, has one of three drivers make the
/// simulations (one_thread.hpp, several_threads.hpp, in_flight.hpp), and reports. The positions
/// that it is given and the moves that it tells are those of Whole<G>.
///
/// What reports is cold: GCC bounds the growth by inlining of a whole unit, and else inlines less
/// in playouts (othello's takes a call for each move).
template <games::Game G>
class Searcher final : public Search {
 public:
  /// `source` makes the evaluators that the options do not name; null: there are none. `memory`:
  /// of trees and tables; null: none.
  explicit Searcher(const G& root, std::shared_ptr<const EvaluatorSource<G>> source = nullptr,
                    std::shared_ptr<MemorySource> memory = nullptr)
      : state_(root, std::move(memory)), source_(std::move(source)) {}

  void begin(const games::AnyGame& position, int ply, const Options& options, const Limits& limits,
             Waker waker = {}) override;
  Progress run(std::chrono::microseconds slice) override;
  Progress help(std::chrono::microseconds slice) override;
  [[nodiscard]] bool has_steps() const override;
  Progress step(LeafBatch& batch, Progress::TimePoint now) override;
  void run_next_with(Company& company) override { company_ = &company; }
  [[nodiscard]] int threads() const override { return static_cast<int>(state_.threads.size()); }
  void stop() noexcept override { state_.control.stop(); }
  void update(const Options& options) override { state_.control.update(options); }
  [[nodiscard]] std::vector<Assessment> evaluate_all(
      std::span<const games::AnyGame* const> positions, const Options& options,
      const std::stop_token& stop) const override;
  void forget() override;
  [[nodiscard]] games::Move best_move() const override;
  [[nodiscard]] std::optional<double> best_value() const override;
  [[nodiscard, gnu::cold]] Report report(int continuations = 0) const override;
  [[nodiscard, gnu::cold]] std::optional<Report> report_below(
      std::span<const games::Move> path) const override;
  [[nodiscard]] Effort effort() const override;

 private:
  void check(const Options& options) const;
  [[nodiscard, gnu::cold]] bool can_go_on(const G& position, int ply, const Options& options,
                                          const Limits& limits);
  void prepare_threads(const G& position, int ply, const Options& options,
                       const BatchEvaluator<G>* later);
  /// Whether several threads may search: only then is there anything to lock.
  [[nodiscard]] bool has_helpers() const { return threads() > 1; }
  /// The lock of several threads; an empty one in a search by one thread.
  [[nodiscard]] std::unique_lock<std::mutex> lock() const {
    return has_helpers() ? several_threads_.lock() : std::unique_lock<std::mutex>();
  }
  Progress simulate(Slice& slice);
  Progress alone(const auto& call);
  void start();
  [[nodiscard]] std::optional<Node> kept() const;
  void plant_tree();
  void see_root(const Evaluation<G>& evaluation);
  void open_root(const Evaluation<G>& evaluation);
  void add_root_noise();
  void close_avoided();
  [[nodiscard]] const Options& options() const { return state_.control.options(); }
  [[nodiscard]] Simulator<G>& first() { return state_.threads[0]->simulator; }
  [[nodiscard]] TreeReport tree_report() const;
  [[nodiscard]] int chosen() const;
  [[nodiscard]] std::optional<MoveReport> best(bool with_pv) const;
  [[nodiscard, gnu::cold]] MoveReport describe(MoveBlock& block, const G& position, int i,
                                               bool with_pv) const;
  [[nodiscard, gnu::cold]] std::vector<MoveReport> moves(MoveBlock& block, const G& position,
                                                         int continuations) const;
  [[nodiscard, gnu::cold]] Report summary() const;
  [[nodiscard]] std::vector<TableReport> tables() const;
  [[nodiscard]] std::optional<NetworkUse> network_use() const;

  SearchState<G> state_;
  SeveralThreads<G> several_threads_{state_};  ///< used by no search with one thread but to begin
  std::shared_ptr<const EvaluatorSource<G>> source_;
  std::unique_ptr<InFlight<G>> in_flight_;  ///< null if leaves are evaluated at once
  std::string parameters_;                  ///< of the root's game
  int ply_ = 0;
  std::uint64_t seed_ = 0;
  /// The last search's tree, in which this one's root may be.
  struct Before {
    G root;
    int plies;  ///< played since
  };
  std::optional<Before> before_;  ///< until the search starts, if it reuses trees
  std::vector<std::unique_ptr<ThreadState<G>>>
      outdated_;  ///< more threads than there are now had these
  std::optional<FeatureUse> features_;
  std::vector<int> avoided_;    ///< moves of the root's block
  Company* company_ = nullptr;  ///< for the next slice
  bool started_ = false;        ///< there is a tree of this search
  environment::AwakeClock::duration spent_{};
};

template <games::Game G>
void Searcher<G>::check(const Options& options) const {
  check_options(abilities_of<G>(), options);
  if (uses_features(options) && (!source_ || !source_->feature_sets())) {
    throw BadOption("there are no features: start pitbossd with --features FOLDER");
  }
  // Options are set one after the other, so that none alone is refused.
  if (uses_features(options) && options.features == "none") {
    throw BadOption(std::string(options.prior == Prior::features ? "prior" : "playout") +
                    " features needs a set of features: set the option features to its name");
  }
  if (options.evaluation != EvaluatorKind::network) return;
  if (!source_ || !source_->has_networks()) {
    throw BadOption("there are no networks: start pitbossd with --networks FOLDER");
  }
  if (options.network == "none") {
    throw BadOption(
        "evaluation network needs a network: set the option network to its name, or to auto for "
        "that of the game");
  }
  source_->check(options);
}

/// Whether the last search can go on (Limits::goes_on).
template <games::Game G>
bool Searcher<G>::can_go_on(const G& position, int ply, const Options& options,
                            const Limits& limits) {
  const Options& before = this->options();
  return limits.goes_on && started_ && !has_helpers() && !in_flight_ && limits.avoided.empty() &&
         state_.control.limits().avoided.empty() && ply == ply_ && position == state_.root &&
         !state_.has_asked && with_live(before, options) == options &&
         // What is proven is searched on if the solver is switched off.
         !(state_.is_proven() && !proves(options)) &&
         // It has not ended for want of memory for its live options (SearchState).
         first().selector().epoch() == state_.control.epoch();
}

template <games::Game G>
void Searcher<G>::begin(const games::AnyGame& position, int ply, const Options& options,
                        const Limits& limits, Waker waker) {
  if (!limits.endless && !limits.is_bounded()) {
    throw BadOption("a search needs a bound: simulations, a time or a clock");
  }
  if (limits.root_rule && (options.threads > 1 || !options.estimators.empty())) {
    throw BadOption("a root rule needs a search by one thread without estimators");
  }
  check(options);
  const G root(dynamic_cast<const games::BoxedGame<games::Whole<G>>&>(position).game());
  state_.paths.clear();
  if (can_go_on(root, ply, options, limits)) {
    Limits further = limits;
    if (further.simulations) *further.simulations += state_.simulations;
    state_.control.go_on(options, further, std::move(waker), state_.time);
    return;
  }
  stop();
  auto lock = several_threads_.lock();
  several_threads_.await_helpers(lock);  // of a search that was not run to its end
  if (in_flight_) in_flight_->take_back();
  constexpr int most_plies = 2;  // an own move and the reply: more take long to find
  const int plies = ply - ply_;
  const bool is_wanted = options.reuse_tree || (limits.goes_on && plies == 0);
  const bool reuses = is_wanted && started_ && plies >= 0 && plies <= most_plies &&
                      tree_kept(this->options(), options);
  before_ = reuses ? std::optional(Before{state_.root, plies}) : std::nullopt;
  avoided_.clear();
  started_ = false;  // what follows may throw std::bad_alloc
  const Options seeded = with_seed(options);
  seed_ = static_cast<std::uint64_t>(seeded.seed);
  auto later = source_ ? source_->batch_evaluator(seeded, waker) : nullptr;
  if (limits.processor_time && later) {
    throw BadOption("cputime does not count what an evaluator elsewhere takes: set it to 0");
  }
  prepare_threads(root, ply, seeded, later.get());
  state_.root = root;
  parameters_ = position.parameters().line();
  company_ = nullptr;
  state_.has_asked = false;
  state_.simulations = 0;
  state_.reused = 0;
  state_.max_depth = 0;
  state_.processor_time = {};
  state_.time = {};
  in_flight_.reset();
  if (later) {
    in_flight_ =
        std::make_unique<InFlight<G>>(state_, std::move(later), source_->in_flight(seeded));
  }
  several_threads_.begin();
  ply_ = ply;
  spent_ = {};
  state_.control.begin(options, limits, std::move(waker));
}

template <games::Game G>
void Searcher<G>::prepare_threads(const G& position, int ply, const Options& options,
                                  const BatchEvaluator<G>* later) {
  // A search whose leaves are evaluated later has one thread.
  const auto count = later != nullptr ? 1U : static_cast<std::size_t>(options.threads);
  auto& threads = state_.threads;
  for (; threads.size() > count; threads.pop_back()) {
    outdated_.push_back(std::move(threads.back()));
  }
  while (threads.size() < count) threads.push_back(std::make_unique<ThreadState<G>>(position));
  std::uint64_t stream = games::mix(seed_) + static_cast<std::uint64_t>(ply);
  for (const auto& thread : threads) {
    thread->memory = {};
    thread->simulator.begin(options, ply, position, games::Random(stream), source_.get(), later);
    stream = games::mix(stream);
  }
}

template <games::Game G>
Progress Searcher<G>::run(std::chrono::microseconds slice_length) {
  Slice slice(slice_length);
  if (!started_) {
    const auto lock = this->lock();
    if (has_helpers()) several_threads_.close();  // if this throws
    try {
      start();
    } catch (const OutOfBudget& refusal) {
      if (has_helpers() && refusal.is_coming()) several_threads_.wait_to_open();
      throw;
    }
    if (has_helpers()) several_threads_.open();
  }
  const Progress progress = simulate(slice);
  auto lock = this->lock();
  const auto now = environment::AwakeClock::now();
  // What waits for evaluations takes that time, too.
  spent_ = in_flight_ ? now - state_.control.begun() : spent_ + (now - slice.begin());
  state_.processor_time += slice.used();
  state_.time = now - state_.control.begun();
  state_.threads[0]->note_memory();
  if (has_helpers() && progress == Progress::done) {
    several_threads_.close();
    several_threads_.await_helpers(lock);
  }
  return progress;
}

/// Has the driver make simulations for a slice.
template <games::Game G>
Progress Searcher<G>::simulate(Slice& slice) {
  if (in_flight_) return in_flight_->run(slice, [this](const auto& root) { see_root(root); });
  if (has_helpers()) return several_threads_.run(slice);
  if (Company* const company = std::exchange(company_, nullptr); company != nullptr) {
    return alone([&](auto thread) { return thread.run_with(*company, slice); });
  }
  return alone([&](auto thread) { return thread.run(slice); });
}

/// Calls `call` with the driver of one thread.
template <games::Game G>
Progress Searcher<G>::alone(const auto& call) {
  const Limits& limits = state_.control.limits();
  return limits.paths > 0 || limits.root_rule ? call(OneThread<true, G>(state_))
                                              : call(OneThread<false, G>(state_));
}

template <games::Game G>
bool Searcher<G>::has_steps() const {
  const auto& evaluator = state_.threads.at(0)->simulator.slots().evaluator;
  // In a step others use the thread, too.
  return !has_helpers() && !in_flight_ && !state_.control.limits().processor_time && evaluator &&
         evaluator->has_questions();
}

template <games::Game G>
Progress Searcher<G>::step(LeafBatch& batch, Progress::TimePoint now) {
  if (!started_) start();
  const Progress progress = alone([&](auto thread) { return thread.step(batch, now); });
  if (progress == Progress::done) state_.threads[0]->note_memory();
  return progress;
}

template <games::Game G>
Progress Searcher<G>::help(std::chrono::microseconds slice_length) {
  Slice slice(slice_length);
  return several_threads_.help(slice);
}

template <games::Game G>
void Searcher<G>::forget() {
  const auto lock = this->lock();
  started_ = false;
  if (in_flight_) in_flight_->take_back();
  in_flight_.reset();
  for (const auto& thread : state_.threads) thread->simulator.forget();
}

/// Before the value of a root is known, it is taken for even.
template <games::Game G>
[[nodiscard]] Evaluation<G> even_evaluation() {
  Evaluation<G> evaluation;
  evaluation.values.fill(1.0 / G::players);
  return evaluation;
}

/// Set-up that needs memory is part of the first slice, so that `begin` is cheap.
template <games::Game G>
void Searcher<G>::start() {
  outdated_.clear();
  for (const auto& thread : state_.threads) thread->simulator.prepare(state_.root, parameters_);
  if (in_flight_) in_flight_->evaluator().prepare(state_.root, parameters_);
  const auto features_before =
      std::exchange(features_, features_in_use(first().slots(), options()));
  if (features_ != features_before) before_.reset();  // its priors are those of another set
  plant_tree();
  const bool is_opened = state_.root_node.moves != 0;
  state_.reused = is_opened ? state_.tree->block(state_.root_node.moves).visits : 0;
  const bool needs_root =
      options().novelty != Novelty::none || (first().slots().has_priors && !is_opened);
  if (in_flight_) {
    in_flight_->begin(needs_root);
    // What is known of the root's moves counts before its value arrives.
    if (!needs_root || is_opened) open_root(even_evaluation<G>());
  } else if (needs_root) {
    Evaluation<G> evaluation;
    first().slots().evaluator->evaluate(Trajectory<G>(state_.root), first().random(), evaluation);
    see_root(evaluation);
  } else {
    open_root(even_evaluation<G>());
  }
  started_ = true;
}

/// The node of the root in the last search's tree, if the search may reuse it and it is there.
template <games::Game G>
std::optional<Node> Searcher<G>::kept() const {
  if (!before_) return std::nullopt;
  const Node* const node = find_position(*state_.tree, state_.root_node, before_->root, state_.root,
                                         before_->plies * games::moves_a_ply<G>);
  return node != nullptr ? std::optional(*node) : std::nullopt;
}

/// Makes an empty tree, or one with the subtree kept of the last search.
template <games::Game G>
void Searcher<G>::plant_tree() {
  std::optional<Node> node = kept();
  state_.tables.release();
  state_.tables = Reservation(state_.memory, MemorySource::Kind::trees, table_bytes(options()));
  before_.reset();
  std::unique_ptr<Tree> before;
  // The blocks of both trees have room for priors, or those of neither.
  if (node && node->moves != 0 &&
      state_.tree->block(node->moves).has_priors != first().has_prior_room()) {
    node.reset();
  }
  if (node) {
    try {
      auto fresh = state_.spare ? std::move(state_.spare) : std::make_unique<Tree>(state_.memory);
      fresh->reset(options().tree_mb);
      before = std::exchange(state_.tree, std::move(fresh));
    } catch (const std::bad_alloc&) {
      node.reset();  // without room for both trees the search begins anew
    }
  }
  if (!node) state_.tree->reset(options().tree_mb);
  for (const auto& thread : state_.threads) thread->simulator.reset(*state_.tree);
  state_.root_node = Selector::untried();
  if (node) {
    const auto is_over = [this] {
      return state_.control.is_stopped() || state_.is_out_of_time(environment::AwakeClock::now());
    };
    state_.root_node = copy_subtree(*before, *node, *state_.tree, first().access().writer, is_over);
    if (before->is_small()) state_.spare = std::move(before);
  }
  // The root counts as visited: simulations begin at it.
  state_.root_node.visits = std::max(state_.root_node.visits, 1U);
}

/// Observes the evaluated root twice before the first simulation, as the authors' program does, and
/// opens it.
template <games::Game G>
void Searcher<G>::see_root(const Evaluation<G>& evaluation) {
  if (options().novelty != Novelty::none) {
    const bool is_shared = has_helpers();
    auto common = is_shared ? make_novelty<G>(options().novelty, options().gamma) : nullptr;
    NoveltyMeasure<G>& measure = is_shared ? *common : *first().slots().novelty;
    measure.reset(state_.root);
    const double value = evaluation.values[games::index(state_.root.to_move())];
    for (int i = 0; i < 2; ++i) static_cast<void>(measure.observe(state_.root, value));
    if (is_shared) several_threads_.share(std::move(common));
  }
  open_root(evaluation);
}

/// Gives the root its moves, if it has none yet.
template <games::Game G>
void Searcher<G>::open_root(const Evaluation<G>& evaluation) {
  Node& root = state_.root_node;
  const double value = evaluation.values[games::index(state_.root.to_move())];
  if (root.moves == 0) root.moves = first().expand(state_.root, value, evaluation.priors);
  first().count_from(state_.reused);
  add_root_noise();
  if constexpr (HasKnowledge<G>) {
    if (state_.control.limits().avoided.empty()) first().study_root(state_.root, root);
  }
  close_avoided();
  if (options().solver && root.moves != 0 && root.proof == Proof::none) {
    root.proof = first().prove_ends(state_.root, state_.tree->block(root.moves));
  }
}

template <games::Game G>
void Searcher<G>::add_root_noise() {
  if (options().root_noise == 0 || state_.root_node.moves == 0) return;
  MoveBlock& block = state_.tree->block(state_.root_node.moves);
  if (!block.has_priors) return;
  add_noise(block, options().root_noise, options().root_noise_alpha, first().random());
  first().selector().choose(block, first().random());
}

template <games::Game G>
void Searcher<G>::close_avoided() {
  avoided_.clear();
  Node& root = state_.root_node;
  const std::set<std::string>& wanted = state_.control.limits().avoided;
  if (wanted.empty() || root.moves == 0) return;
  MoveBlock& block = state_.tree->block(root.moves);
  // A proof, and what is known of other moves, may rest on a move that is avoided now.
  root.proof = Proof::none;
  block.is_studied = true;
  const Proof won = won_by(state_.root.to_move());
  for (int i = 0; i < block.count; ++i) {
    Node* const node = block.node()[i] == 0 ? nullptr : &state_.tree->node(block.node()[i]);
    if (wanted.contains(state_.root.text(block.move()[i]))) {
      Selector::close(block, i);
      avoided_.push_back(i);
    } else if (node != nullptr && node->proof == won) {
      root.proof = won;
    } else if (node != nullptr && node->closed && node->proof == Proof::none) {
      node->closed = false;
      first().selector().refresh(block, i, *node);
    }
  }
  // With priors the likeliest move stays the first, unless it is avoided.
  if (block.has_priors && !Selector::is_closed(block, block.next)) return;
  first().selector().choose(block, first().random());
}

}  // namespace pitboss::engine

#include "engine/search/searcher_report.hpp"  // the members of Searcher that report
