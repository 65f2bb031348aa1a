#pragma once

// The members of Searcher<G> that set a search up. Included only by the sources that instantiate
// it.

#include <algorithm>
#include <new>
#include <utility>

#include "engine/search/searcher.hpp"
#include "engine/tree/reuse.hpp"

namespace pitboss::engine {

template <games::Game G>
void Searcher<G>::begin(const games::AnyGame& position, int ply, const Options& options,
                        const Limits& limits) {
  if (!limits.endless && !limits.simulations && !limits.time && !limits.clock) {
    throw BadOption("a search needs a bound");
  }
  check_slots<G>(options);
  const auto& boxed = dynamic_cast<const games::BoxedGame<G>&>(position);
  stop();
  auto lock = locked();
  left_.wait(lock, [&] { return helpers_ == 0; });  // of a search that was not run to its end
  const auto threads = static_cast<std::size_t>(options.threads);
  while (lanes_.size() > threads) lanes_.pop_back();
  while (lanes_.size() < threads) {
    const int thread = static_cast<int>(lanes_.size()) + 1;
    lanes_.push_back(std::make_unique<Lane>(root_, thread));
  }
  seed_ = options.seed != 0 ? static_cast<std::uint64_t>(options.seed) : fresh_seed();
  std::uint64_t stream = games::mix(seed_) + static_cast<std::uint64_t>(ply);
  for (const auto& lane : lanes_) {
    lane->memory = {};
    lane->simulator.begin(options, ply, boxed.game().to_move(), games::Random(stream));
    stream = games::mix(stream);
  }
  common_novelty_.reset();
  const Node* const kept_node = kept(boxed.game(), ply, options);
  kept_ = kept_node != nullptr ? std::optional(*kept_node) : std::nullopt;
  reused_ = 0;
  root_ = boxed.game();
  ply_ = ply;
  options_ = options;
  limits_ = limits;
  epoch_ = 0;
  simulations_ = 0;
  leased_ = 0;
  max_depth_ = 0;
  started_ = false;
  running_ = true;
  spent_ = {};
  begun_ = Clock::now();
  stopped_.store(false, std::memory_order_relaxed);
  const std::scoped_lock update_lock(update_mutex_);
  updated_.store(false, std::memory_order_relaxed);
}

/// The node of `position` in the tree of the search before, if it is there and its statistics mean
/// what those of a search with `options` mean; else null.
template <games::Game G>
const Node* Searcher<G>::kept(const G& position, int ply, const Options& options) const {
  constexpr int most_plies = 2;  // an own move and the reply: farther, the way is long to search
  const int plies = ply - ply_;
  if (!options.reuse_tree || !started_ || plies < 0 || plies > most_plies) return nullptr;
  if (options.evaluation != options_.evaluation ||
      (options.evaluation == Evaluation::playout && options.playout != options_.playout) ||
      options.relative_bonus != options_.relative_bonus || options_.solver > options.solver ||
      options.estimators != options_.estimators ||
      options.qualitative_bonus != options_.qualitative_bonus ||
      options.novelty != options_.novelty || options.virtual_samples != options_.virtual_samples) {
    return nullptr;
  }
  return find_position(*tree_, root_node_, root_, position, plies);
}

/// What needs memory waits for the first slice, so that `begin` is cheap.
template <games::Game G>
void Searcher<G>::start() {
  std::optional<Node> node = std::exchange(kept_, std::nullopt);
  std::unique_ptr<Tree> before;
  if (node) {
    try {
      auto fresh = std::make_unique<Tree>();
      fresh->reset(options_.tree_mb);
      before = std::exchange(tree_, std::move(fresh));
    } catch (const std::bad_alloc&) {
      node.reset();  // without room for both trees the search begins anew
    }
  }
  if (!node) tree_->reset(options_.tree_mb);
  for (const auto& lane : lanes_) {
    lane->simulator.reset(*tree_);
    lane->unexchanged = 0;
    lane->leases.reset();  // of another tree
    lane->depth = 0;
  }
  if (options_.novelty != Novelty::none) observe_root();
  Simulator<G>& first = lanes_[0]->simulator;
  if (node) {
    root_node_ = copy_subtree(*before, *node, *tree_, first.writer(),
                              [this] { return stopped_ || out_of_time(Clock::now()); });
  } else {
    root_node_ = Selector::untried();
  }
  root_node_.visits = std::max(root_node_.visits, 1U);  // no new position: simulations go on
  if (root_node_.moves != 0) {
    reused_ = tree_->block(root_node_.moves).visits;
  } else {
    root_node_.moves = first.expand(root_);
  }
  first.count_from(reused_);
  close_avoided();
  if (options_.solver && root_node_.moves != 0 && root_node_.proof == Proof::none) {
    root_node_.proof = first.prove_ends(root_, tree_->block(root_node_.moves));
  }
  if (!alone()) trunk_.reset(*tree_, root_, root_node_, threads());
  started_ = true;
}

/// The authors' program observes the root twice before the first simulation.
template <games::Game G>
void Searcher<G>::observe_root() {
  Slots<G>& slots = lanes_[0]->simulator.slots();
  const Values<G> values = slots.evaluator->evaluate(root_, {}, lanes_[0]->simulator.random());
  if (!alone()) common_novelty_ = make_novelty<G>(options_.novelty, options_.gamma);
  NoveltyMeasure<G>& measure = alone() ? *slots.novelty : *common_novelty_;
  measure.reset(root_);
  for (int i = 0; i < 2; ++i) {
    static_cast<void>(measure.observe(root_, values[games::index(root_.to_move())]));
  }
  if (alone()) return;
  for (const auto& lane : lanes_) {
    lane->simulator.slots().novelty->reset(root_);
    lane->simulator.slots().novelty->exchange(*common_novelty_);
  }
}

template <games::Game G>
void Searcher<G>::close_avoided() {
  avoided_.clear();
  if (limits_.avoided.empty() || root_node_.moves == 0) return;
  MoveBlock& block = tree_->block(root_node_.moves);
  root_node_.proof = Proof::none;  // it may be owed to a move that is avoided now
  for (int i = 0; i < block.count; ++i) {
    if (std::ranges::count(limits_.avoided, root_.text(block.move()[i])) > 0) {
      Selector::close(block, i);
      avoided_.push_back(i);
    } else if (block.node()[i] != 0 &&
               tree_->node(block.node()[i]).proof == won_by(root_.to_move())) {
      root_node_.proof = won_by(root_.to_move());
    }
  }
  lanes_[0]->simulator.selector().choose(block, lanes_[0]->simulator.random());
}

}  // namespace pitboss::engine
