#pragma once

#include "engine/estimators/estimators.hpp"

/// How Estimators choose a move: the estimates of tables and tree for all moves as columns, the
/// moves' combined bounds, and a random one of the highest.
namespace pitboss::engine {

/// Decides which tables are read for the next move: those that may contain it. Returns whether
/// there are any.
template <games::Game G>
bool Estimators<G>::ask(games::Colour mover, bool in_tree) {
  bool any = false;
  for (Part& part : parts_) {
    // What counts all later moves learns at positions of the tree only.
    part.asked = part.row.counts_all_later ? in_tree : !part.beyond_known[games::index(mover)];
    any |= part.asked;
  }
  return any;
}

/// Fills the moves' keys of the tables that are read.
template <games::Game G>
void Estimators<G>::look_up(const G& position, std::span<const games::Move> moves) {
  const games::Colour mover = position.to_move();
  for (Part& part : parts_) {
    if (!part.asked) continue;
    std::uint64_t* const keys = part.keys.data();
    part.abstractor->contexts(position, now_.trail, moves, keys);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      keys[i] = key_of(keys[i], action_of(moves[i], mover));
      part.table.prefetch(keys[i]);
    }
  }
}

/// The tree's own estimates as a column: means in [0, 1]. New and closed moves have no samples.
/// Counts include pending visits, as in the ordinary search.
template <games::Game G>
void Estimators<G>::read_history(MoveBlock& block) {
  float* const mean = data(means_[0]);
  float* const count = data(counts_[0]);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto low = static_cast<float>(low_);
  const auto scale = static_cast<float>(scale_);
  const float* const base = block.base();
  const float* const inverse_root = block.inverse_root();
  for (int i = 0; i < block.padded; ++i) {  // without branches, for the vector unit
    const float n = 1 / (inverse_root[i] * inverse_root[i]);
    const bool known = (inverse_root[i] > 0) & (std::abs(base[i]) < infinity);
    mean[i] = std::min(std::max((base[i] - low) * scale, 0.0F), 1.0F);
    count[i] = known ? n : 0.0F;
  }
}

/// Sets the bounds of closed moves to minus infinity, and with `force_tree_first` those of moves
/// new to the tree to infinity. Returns the highest bound; `highest` is the highest before.
template <games::Game G>
float Estimators<G>::obey_tree(MoveBlock& block, float highest) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float* const base = block.base();
  int closed = 0;
  for (int i = 0; i < block.count; ++i) closed += base[i] == -infinity ? 1 : 0;
  if (closed == 0 && !options_.force_tree_first) return highest;
  float* const bound = data(bounds_);
  highest = -infinity;
  for (int i = 0; i < block.count; ++i) {
    if (options_.force_tree_first && base[i] == infinity) bound[i] = infinity;
    if (base[i] == -infinity) bound[i] = -infinity;
    highest = std::max(highest, bound[i]);
  }
  return highest;
}

template <games::Game G>
int Estimators<G>::choose(const G& position, std::span<const games::Move> moves, MoveBlock* block,
                          games::Random& random) {
  ask(position.to_move(), block != nullptr);
  look_up(position, moves);
  const int count = static_cast<int>(moves.size());
  const int padded = MoveBlock::padded_count(count);
  std::array<EstimateColumn, AllEstimators::count> columns;
  std::size_t used = 0;
  const auto add = [&](Estimator kind, const Column& mean, const Column& n, float least) {
    const Factors& factors = factors_[static_cast<std::size_t>(kind)];
    columns[used++] = {mean.front().value, n.front().value, least, factors.bias_squared,
                       factors.width_squared * log_t_};
  };
  if (block != nullptr && options_.estimators.has(Estimator::history)) {
    read_history(*block);
    add(Estimator::history, means_[0], counts_[0], 0.5F);
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!parts_[p].asked) continue;
    float* const mean = data(means_[p + 1]);
    float* const n = data(counts_[p + 1]);
    for (int i = 0; i < count; ++i) {
      const ContextTable::Mean known = parts_[p].table.of(parts_[p].keys[i]);
      mean[i] = known.value;
      n[i] = known.count;
    }
    std::fill(n + count, n + padded, 0.0F);
    add(parts_[p].kind, means_[p + 1], counts_[p + 1], static_cast<float>(options_.min_count));
  }
  float* const bound = data(bounds_);
  float highest = combined_bounds(
      std::span(columns.data(), used),
      {static_cast<float>(options_.wilson_z), static_cast<float>(options_.first_play_urgency)},
      count, bound);
  if (block != nullptr) highest = obey_tree(*block, highest);
  return pick(count, highest, random);
}

/// A random one of the moves with the highest bound; -1 if that bound is minus infinity.
template <games::Game G>
int Estimators<G>::pick(int count, float highest, games::Random& random) const {
  if (highest == -std::numeric_limits<float>::infinity()) return -1;
  const float* const bound = bounds_.front().value;
  int equals = 0;
  for (int i = 0; i < count; ++i) equals += bound[i] == highest ? 1 : 0;
  int n = equals == 1 ? 0 : random.below(equals);
  for (int i = 0;; ++i) {
    if (bound[i] == highest && n-- == 0) return i;
  }
}

}  // namespace pitboss::engine
