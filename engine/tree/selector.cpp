#include "engine/tree/selector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/tree/scoring_narrow.hpp"

namespace pitboss::engine {

Selector::Selector(int max_moves)
    : scores_((static_cast<std::size_t>(max_moves) + MoveBlock::padding) / 16 + 1) {}

void Selector::set(const Options& options, std::uint32_t epoch, int players) {
  factors_ = RuleFactors(options);
  rule_ = options.selection;
  choose_ = choose_move_by(rule_);
  with_novelty_ = options.novelty != Novelty::none;
  chooses_ = options.estimators.empty();
  virtual_sample_ = options.virtual_samples && chooses_ ? 1 : 0;
  virtual_value_ = virtual_sample_ == 0 ? Options().virtual_value : options.virtual_value;
  averages_ = selection_row(rule_).values_untried && virtual_sample_ == 0;
  epoch_ = epoch;
  if (with_novelty_) weights_.set(options.novelty_mix, options.alpha, options.beta, players);
}

/// An untried move has novelty 0. With virtual samples it has one sample of the virtual value;
/// without, it comes before all tried moves.
float Selector::untried_base() const {
  if (averages_) return 0;  // the rule adds the first-play urgency
  if (virtual_sample_ == 0) return std::numeric_limits<float>::infinity();
  const auto value = static_cast<float>(virtual_value_);
  return with_novelty_ ? weights_.mixed(weights_.of(1), 0, value) : value;
}

float Selector::untried_inverse_root() const {
  return averages_ ? std::numeric_limits<float>::infinity() : static_cast<float>(virtual_sample_);
}

void Selector::fill(MoveBlock& block, const games::Move* moves, double value) const {
  block.visits = 0;
  block.mean = static_cast<float>(value);
  block.epoch = epoch_;
  block.divided = false;
  block.is_studied = false;
  std::fill_n(block.base(), block.count, untried_base());
  std::fill(block.base() + block.count, block.base() + block.padded, never);
  std::fill_n(block.variance(), block.padded, 0.0F);
  std::fill_n(block.inverse_root(), block.padded, untried_inverse_root());
  std::fill_n(block.node(), block.padded, Index{0});
  std::copy_n(moves, block.count, block.move());
}

void Selector::open(MoveBlock& block, const games::Move* moves, double value,
                    games::Random& random) const {
  fill(block, moves, value);
  if (block.has_priors) {
    std::fill_n(block.prior(), block.padded, 1.0F / static_cast<float>(block.count));
  }
  block.set_next(random.below(block.count));
}

void Selector::open(MoveBlock& block, const games::Move* moves, double value,
                    std::span<const float> priors, games::Random& random) const {
  fill(block, moves, value);
  std::ranges::copy(priors, block.prior());
  std::fill(block.prior() + block.count, block.prior() + block.padded, 0.0F);
  int first = 0;
  int equals = 1;
  for (int i = 1; i < block.count; ++i) {
    if (priors[i] > priors[first]) {
      first = i;
      equals = 1;
    } else if (priors[i] == priors[first] && random.below(++equals) == 0) {
      first = i;
    }
  }
  block.set_next(first);
}

inline void Selector::enter(MoveBlock& block, int move, const Node& node, float base,
                            float inverse_root) {
  block.base()[move] = base;
  // Rounding must not make the variance negative, since the bound takes its root.
  const double variance = node.square - node.mean * node.mean;
  block.variance()[move] = std::max(static_cast<float>(variance), 0.0F);
  block.inverse_root()[move] = inverse_root;
}

void Selector::refresh(MoveBlock& block, int move, const Node& node) const {
  if (node.visits == 0 || node.closed) {
    block.base()[move] = node.closed ? never : untried_base();
    block.inverse_root()[move] = untried_inverse_root();
    return;
  }
  const std::uint32_t n = samples(node);
  const float base = with_novelty_ ? mixed(node, weights_.of(n)) : static_cast<float>(node.mean);
  enter(block, move, node, base, sample_share(n).inverse_root);
}

inline NodeTerms Selector::terms_of(const MoveBlock& block) const {
  return {block.visits + virtual_sample_ * block.count, block.mean};
}

/// Adds results, which the block's visits include already, to the mean of its position.
void Selector::average(MoveBlock& block, double sum, std::uint32_t count) const {
  const double more = (sum - count * static_cast<double>(block.mean)) / (block.visits + 1.0);
  block.mean += static_cast<float>(more);
}

/// The move with the highest score; among equals the first one at or after `from()` in cyclic
/// order. -1 if all are closed.
template <class From>
[[gnu::always_inline]] inline int Selector::best(MoveBlock& block, From&& from) {
  const NodeTerms node = terms_of(block);
  float* const score = scores_.data()->score;
  if (block.padded != MoveBlock::padding) [[unlikely]] {
    return choose_({block.base(), block.padded}, score, factors_, node, from());
  }
  const std::uint32_t equals = HWY_NAMESPACE::AllRules::with(rule_, [&]<class Rule>() {
    return HWY_NAMESPACE::best_of_eight<Rule>(block.base(), score, factors_, node);
  });
  if (std::has_single_bit(equals)) [[likely]]
    return std::countr_zero(equals);
  if (equals == 0) return -1;
  const int first = from();
  const auto onward = std::rotr(static_cast<std::uint8_t>(equals), first);
  return (std::countr_zero(onward) + first) % MoveBlock::padding;
}

void Selector::choose(MoveBlock& block, games::Random& random) {
  block.set_next(best(block, [&] { return random.below(block.count); }));
}

void Selector::choose_next_best(MoveBlock& block, games::Random& random) {
  float* const scores = scores_.data()->score;
  scores[block.next] = never;
  block.epoch = epoch_;
  block.set_next(best_of_(scores, block.padded, random.below(block.count)));
}

void Selector::catch_up(const Tree& tree, MoveBlock& block, games::Random& random) {
  if (block.epoch != (epoch_ | unchosen)) return renew(tree, block);
  block.epoch = epoch_;
  if (chooses_) choose(block, random);
}

/// Looks up all terms with one comparison: a node has no more visits than samples.
template <bool WithNovelty>
inline Selector::Shares Selector::shares(const Node& node) const {
  const std::uint32_t n = samples(node);
  Shares shares;
  if (n < sample_table_size) [[likely]] {
    shares.samples = {sample_table[n].share, sample_table[n].inverse_root};
    if constexpr (WithNovelty) {
      shares.visit = static_cast<float>(sample_table[node.visits].share);
      shares.mix = weights_.from_table(n);
    }
  } else {
    shares.samples = sample_share(n);
    if constexpr (WithNovelty) {
      shares.visit = static_cast<float>(sample_share(node.visits).share);
      shares.mix = weights_.of(n);
    }
  }
  return shares;
}

template <bool WithNovelty>
void Selector::back_up_path(std::span<const Edge> path, const double* values, float novelty,
                            games::Random& random) {
  for (const Edge& edge : path) {
    MoveBlock& block = *edge.block;
    Node& node = *edge.node;
    const double value = values[games::index(edge.mover)];
    ++block.visits;
    ++node.visits;
    if (averages_) average(block, value, 1);
    const Shares shares = this->shares<WithNovelty>(node);
    node.mean += (value - node.mean) * shares.samples.share;
    node.square += (value * value - node.square) * shares.samples.share;
    auto base = static_cast<float>(node.mean);
    if constexpr (WithNovelty) {
      node.novelty += (novelty - node.novelty) * shares.visit;
      base = mixed(node, shares.mix);
    }
    enter(block, edge.move, node, base, shares.samples.inverse_root);
  }
  if (!chooses_) return;
  // A second loop: a vector load right after a store to one of its numbers must wait until the
  // store has left the processor's store queue.
  for (const Edge& edge : path) {
    MoveBlock& block = *edge.block;
    block.set_next(best(block, [&] { return random.below(block.count); }));
  }
}

template void Selector::back_up_path<true>(std::span<const Edge>, const double*, float,
                                           games::Random&);
template void Selector::back_up_path<false>(std::span<const Edge>, const double*, float,
                                            games::Random&);

void Selector::add_virtual_visits(const Edge& edge, std::uint32_t visits) const {
  edge.node->visits += visits;
  edge.node->pending = static_cast<std::uint16_t>(edge.node->pending + visits);
  edge.block->visits += visits;
  refresh(*edge.block, edge.move, *edge.node);
  put_off_choice(*edge.block);
}

void Selector::complete(const Edge& edge, std::uint32_t visits,
                        const ColourSamples& samples) const {
  const Samples& own = samples[games::index(edge.mover)];
  const std::uint32_t missing = visits - own.count;
  edge.node->visits -= missing;
  edge.node->pending = static_cast<std::uint16_t>(edge.node->pending - visits);
  edge.block->visits -= missing;
  settle(*edge.node, own);
  if (averages_) average(*edge.block, own.sum, own.count);
  refresh(*edge.block, edge.move, *edge.node);
  put_off_choice(*edge.block);
}

/// Adds the samples of pending visits to a node; its visits include them already.
void Selector::settle(Node& node, const Samples& samples) const {
  const std::uint32_t settled = node.settled();
  if (settled == 0) return;
  const double count = samples.count;
  const double share = sample_share(settled + virtual_sample_).share;
  node.mean += (samples.sum - count * node.mean) * share;
  node.square += (samples.squares - count * node.square) * share;
  const double more = (samples.novelty - count * node.novelty) * sample_share(settled).share;
  node.novelty += static_cast<float>(more);
}

Index Selector::new_node(Tree& tree, MoveBlock& block, TreeWriter& writer, games::Random& random) {
  if (block.next < 0) return 0;
  const Index node = writer.add_node();
  if (node != 0) {
    tree.node(node) = untried(virtual_value_);
    block.node()[block.next] = node;
    block.next_node = node;
    return node;
  }
  // No room: the search continues with the moves that have a node.
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0) close(block, i);
  }
  choose(block, random);
  return block.next_node;
}

void Selector::renew(const Tree& tree, MoveBlock& block) {
  block.epoch = epoch_;
  for (int i = 0; i < block.count; ++i) {
    if (is_closed(block, i)) continue;
    if (const Index node = block.node()[i]; node != 0) {
      refresh(block, i, tree.node(node));
    } else {
      block.base()[i] = untried_base();
      block.inverse_root()[i] = untried_inverse_root();
    }
  }
  block.set_next(best(block, [&] { return std::max(block.next, 0); }));
}

}  // namespace pitboss::engine
