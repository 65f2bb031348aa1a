#pragma once

// The members of Searcher<G>. Included only by the sources that instantiate it.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/searcher.hpp"
#include "engine/thread_time.hpp"

namespace pitboss::engine {

template <games::Game G>
void Searcher<G>::simulate() {
  const G leaf = descend();
  const games::Result result = leaf.result();
  const Values<G> values =
      result.finished() ? values_of<G>(result) : slots_.evaluator->evaluate(leaf, random_);
  double novelty = 0;
  if (slots_.novelty) {
    novelty = slots_.novelty->observe(leaf, values[games::index(root_.to_move())]);
  }
  back_up(values, novelty);
  ++simulations_;
}

/// Walks from the root by selection to a position that is new (for which it makes a node),
/// finished, or has no room for its moves; leaves the way there in path_.
template <games::Game G>
G Searcher<G>::descend() {
  G position = root_;
  path_.clear();
  Index block_index = root_block_;
  while (block_index != 0) {
    MoveBlock& block = tree_.block(block_index);
    const int move = select(block);
    if (move < 0) break;
    Index& child = block.node()[move];
    const bool is_new = child == 0;
    if (is_new) {
      child = tree_.add_node();
      if (child == 0) {
        // No room: the search goes on without this move.
        block.base()[move] = -std::numeric_limits<float>::infinity();
        continue;
      }
      tree_.node(child) = Node{0.5, 0.25, 0, 0, 0, 0};
    }
    path_.push_back({block_index, move, position.to_move()});
    position.play(block.move()[move]);
    if (is_new || position.result().finished()) break;
    Node& node = tree_.node(child);
    if (node.moves == 0) node.moves = expand(position);
    block_index = node.moves;
  }
  return position;
}

/// The move with the highest score; -1 if there is room for none. Among equals, the first one
/// from a random place on: what the authors' program does.
template <games::Game G>
int Searcher<G>::select(MoveBlock& block) {
  if (block.epoch != epoch_) rescore(block);
  const std::uint32_t samples = block.visits + (options_.virtual_samples ? block.count : 0);
  const Exploration x = exploration(static_cast<float>(options_.k), samples);
  const int from = random_.below(static_cast<int>(block.count));
  const ScoredMoves moves{block.base(), block.variance(), block.spread(), score_.data(),
                          static_cast<int>(block.padded)};
  return options_.selection == Selection::ucb1 ? choose_ucb1(moves, x, from)
                                               : choose_ucb1_tuned(moves, x, from);
}

/// A block with the moves of an unfinished position, none of them tried; 0 if there is no room.
template <games::Game G>
Index Searcher<G>::expand(const G& position) {
  games::MoveList<G::max_moves> moves;
  position.legal_moves(moves);
  const Index index = tree_.add_block(moves.size());
  if (index == 0) return 0;
  MoveBlock& block = tree_.block(index);
  block.epoch = epoch_;
  const float base = untried_base();
  const float spread = options_.virtual_samples ? 1 : 0;
  for (int i = 0; i < static_cast<int>(block.padded); ++i) {
    const bool real = i < moves.size();
    block.base()[i] = real ? base : -std::numeric_limits<float>::infinity();
    block.variance()[i] = 0;
    block.spread()[i] = spread;
    block.node()[i] = 0;
    block.move()[i] = real ? moves[i] : games::Move{};
  }
  return index;
}

template <games::Game G>
void Searcher<G>::back_up(const Values<G>& values, double novelty) {
  for (const Step& step : path_) {
    MoveBlock& block = tree_.block(step.block);
    Node& node = tree_.node(block.node()[step.move]);
    const double value = values[games::index(step.mover)];
    ++block.visits;
    ++node.visits;
    const double share = 1.0 / samples(node);
    node.mean += (value - node.mean) * share;
    node.square += (value * value - node.square) * share;
    node.novelty += static_cast<float>((novelty - node.novelty) / node.visits);
    refresh(block, step.move);
  }
  max_depth_ = std::max(max_depth_, static_cast<int>(path_.size()));
}

/// Brings the arrays that selection reads up to date with a move's node.
template <games::Game G>
void Searcher<G>::refresh(MoveBlock& block, int move) const {
  const Node& node = tree_.node(block.node()[move]);
  const auto [spread, weight] = terms_.of(samples(node));
  double base = node.mean;
  if (slots_.novelty) base = novelty_mix(weight, options_.alpha, node.novelty, node.mean);
  block.base()[move] = static_cast<float>(base);
  // Rounding must not make it negative: the bound takes a root of it.
  block.variance()[move] = static_cast<float>(std::max(node.square - node.mean * node.mean, 0.0));
  block.spread()[move] = spread;
}

/// Recomputes the value parts of a block that were computed before alpha or beta changed.
template <games::Game G>
void Searcher<G>::rescore(MoveBlock& block) const {
  block.epoch = epoch_;
  for (int i = 0; i < static_cast<int>(block.count); ++i) {
    if (block.node()[i] != 0) {
      refresh(block, i);
    } else if (block.base()[i] != -std::numeric_limits<float>::infinity()) {
      block.base()[i] = untried_base();
    }
  }
}

/// Samples of a move as the formulas count them: n_a.
template <games::Game G>
std::uint32_t Searcher<G>::samples(const Node& node) const {
  return node.visits + (options_.virtual_samples ? 1 : 0);
}

/// An untried move has novelty 0 and, with virtual samples, one sample of 1/2; without, it comes
/// before all others.
template <games::Game G>
float Searcher<G>::untried_base() const {
  if (!options_.virtual_samples) return std::numeric_limits<float>::infinity();
  const double b = slots_.novelty ? terms_.of(1).weight : 0;
  return static_cast<float>(novelty_mix(b, options_.alpha, 0, 0.5));
}

template <games::Game G>
void Searcher<G>::begin(const games::AnyGame& position, int ply, const Options& options,
                        const Limits& limits) {
  if (!limits.simulations && !limits.time && !limits.clock) {
    throw BadOption("a search needs a bound");
  }
  Slots<G> slots = make_slots<G>(options, options_.gamma);  // gamma is read where it changes
  const auto& boxed = dynamic_cast<const games::BoxedGame<G>&>(position);
  slots_ = std::move(slots);
  root_ = boxed.game();
  game_ = std::string(G::name);
  options_ = options;
  limits_ = limits;
  terms_.set_beta(options.beta);
  seed_ = options.seed != 0 ? static_cast<std::uint64_t>(options.seed) : fresh_seed();
  random_ = games::Random(games::mix(seed_) + static_cast<std::uint64_t>(ply));
  simulations_ = 0;
  max_depth_ = 0;
  started_ = false;
  spent_ = {};
  begun_ = Clock::now();
  stopped_.store(false, std::memory_order_relaxed);
  const std::scoped_lock lock(update_mutex_);
  updated_.store(false, std::memory_order_relaxed);
}

/// What needs memory waits for the first slice, so that `begin` is cheap.
template <games::Game G>
void Searcher<G>::start() {
  path_.reserve(G::max_plies);
  tree_.reset(options_.tree_mb);
  if (slots_.novelty) observe_root();
  root_block_ = expand(root_);
  started_ = true;
}

/// The authors' program observes the root twice before the first simulation.
template <games::Game G>
void Searcher<G>::observe_root() {
  slots_.novelty->reset(root_);
  const Values<G> values = slots_.evaluator->evaluate(root_, random_);
  for (int i = 0; i < 2; ++i) {
    static_cast<void>(slots_.novelty->observe(root_, values[games::index(root_.to_move())]));
  }
}

template <games::Game G>
Progress Searcher<G>::run(std::chrono::microseconds slice) {
  constexpr int simulations_per_look = 16;  // at the clock; a look costs about 25 ns
  const auto start_of_slice = Clock::now();
  const auto used_before = thread_time();
  if (!started_) start();
  Progress progress = Progress::runnable;
  do {
    for (int i = 0; i < simulations_per_look && progress == Progress::runnable; ++i) {
      if (updated_.load(std::memory_order_relaxed)) take_update();
      simulate();
      if (finished()) progress = Progress::done;
    }
    const auto now = Clock::now();
    for (const auto& bound : {limits_.time, limits_.clock}) {
      if (bound && now - begun_ >= *bound) progress = Progress::done;
    }
    // On a busy machine the thread may have been waiting for its processor instead of searching;
    // then it has not had its slice, and searches that share a worker would not progress alike.
    if (now - start_of_slice >= slice && thread_time() - used_before >= slice / 2) break;
  } while (progress == Progress::runnable);
  spent_ += Clock::now() - start_of_slice;
  return progress;
}

template <games::Game G>
bool Searcher<G>::finished() const {
  return stopped_.load(std::memory_order_relaxed) || simulations_ >= max_simulations ||
         (limits_.simulations && simulations_ >= *limits_.simulations);
}

template <games::Game G>
void Searcher<G>::update(const Options& options) {
  const std::scoped_lock lock(update_mutex_);
  update_ = options;
  updated_.store(true, std::memory_order_relaxed);
}

/// Obeys what `update` has left. The tree is rescored where the search comes by (`select`), so
/// that this takes no time however large it is.
template <games::Game G>
void Searcher<G>::take_update() {
  Options next;
  {
    const std::scoped_lock lock(update_mutex_);
    updated_.store(false, std::memory_order_relaxed);
    next = update_;
  }
  Limits limits{std::nullopt, std::nullopt, limits_.clock};
  if (next.simulations > 0) limits.simulations = next.simulations;
  if (next.movetime_ms > 0) limits.time = std::chrono::milliseconds(next.movetime_ms);
  if (limits.simulations || limits.time || limits.clock) limits_ = limits;
  if (next.alpha != options_.alpha || next.beta != options_.beta) ++epoch_;
  options_.simulations = next.simulations;
  options_.movetime_ms = next.movetime_ms;
  options_.k = next.k;
  options_.alpha = next.alpha;
  options_.beta = next.beta;
  options_.gamma = next.gamma;
  terms_.set_beta(options_.beta);
}

/// The tried move that is best by visits (equal visits: by mean) or by mean; remaining ties are
/// broken at random. -1 if none has been tried.
template <games::Game G>
int Searcher<G>::favourite(MoveBlock& block, FinalMove by, games::Random& ties) const {
  int best = -1;
  int equal = 0;
  std::pair<double, double> best_key;
  for (int i = 0; i < static_cast<int>(block.count); ++i) {
    if (block.node()[i] == 0) continue;
    const Node& node = tree_.node(block.node()[i]);
    const std::pair<double, double> key =
        by == FinalMove::visits ? std::pair{static_cast<double>(node.visits), node.mean}
                                : std::pair{node.mean, 0.0};
    if (best < 0 || key > best_key) {
      best = i;
      best_key = key;
      equal = 1;
    } else if (key == best_key && ties.below(++equal) == 0) {
      best = i;
    }
  }
  return best;
}

/// The root move to play; -1 if none has been tried. Always the same one for the same search.
template <games::Game G>
int Searcher<G>::chosen() const {
  games::Random ties(games::mix(seed_) + static_cast<std::uint64_t>(simulations_));
  if (!started_ || root_block_ == 0) return -1;
  return favourite(tree_.block(root_block_), options_.final_move, ties);
}

template <games::Game G>
std::string Searcher<G>::best_move() const {
  if (const int best = chosen(); best >= 0) {
    return root_.text(tree_.block(root_block_).move()[best]);
  }
  games::Random any(seed_);
  return root_.text(games::random_move(root_, any));
}

template <games::Game G>
Report Searcher<G>::report() const {
  Report report;
  report.game = game_;
  report.options = options_;
  report.simulations = simulations_;
  report.seconds = std::chrono::duration<double>(spent_).count();
  report.seed = seed_;
  if (!started_) return report;  // what is in the tree belongs to the search before
  report.nodes = tree_.nodes();
  report.bytes = tree_.bytes();
  report.max_depth = max_depth_;
  report.tree_full = tree_.full();
  if (root_block_ == 0) return report;
  MoveBlock& root = tree_.block(root_block_);
  for (int i = 0; i < static_cast<int>(root.count); ++i) {
    MoveReport move{root_.text(root.move()[i]), 0, 0.5, 0};
    if (const Index child = root.node()[i]; child != 0) {
      const Node& node = tree_.node(child);
      move = {move.move, node.visits, node.mean, node.novelty};
    }
    report.moves.push_back(move);
  }
  std::ranges::stable_sort(report.moves, std::greater{}, &MoveReport::visits);
  report.move = best_move();
  G position = root_;
  games::Random ties(seed_);
  for (Index b = root_block_; b != 0;) {
    MoveBlock& block = tree_.block(b);
    const int best = b == root_block_ ? chosen() : favourite(block, options_.final_move, ties);
    if (best < 0) break;
    report.pv.push_back(position.text(block.move()[best]));
    position.play(block.move()[best]);
    b = tree_.node(block.node()[best]).moves;
  }
  return report;
}

}  // namespace pitboss::engine
