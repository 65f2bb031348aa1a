#pragma once

#include <cstdint>

#include "engine/options/options.hpp"

namespace pitboss::engine {

/// Passes over the moves of one node (tree.hpp, MoveBlock), vectorised for several instruction sets
/// (Google Highway); the first call chooses the machine's best. The passes use only operations that
/// IEEE 754 defines exactly, so that every instruction set gives the same bits.

/// What selection rules read of the options.
struct RuleFactors {
  explicit RuleFactors(const Options& options);

  float k;
  float c_puct;
  float fpu_reduction;
  float most_variance;  ///< the largest variance of rewards
};

/// What selection rules read of a node.
struct NodeTerms {
  std::uint32_t samples;  ///< of all moves
  float mean;             ///< of the position, for rules that value untried moves
};

/// A node's moves as a pass reads them, laid out as in a MoveBlock: `padded` value parts of the
/// score, then as many variances of the results, then as many spreads 1 / sqrt(samples of the
/// move); for PUCT also priors, after the block's nodes and moves. No NaN, no variance below 0;
/// aligned to 32 bytes; `padded` is a multiple of 8. Entries after the last move have a value part
/// of minus infinity.
struct MoveTerms {
  const float* terms;
  int padded;

  [[nodiscard]] const float* base() const { return terms; }
  [[nodiscard]] const float* variance() const { return terms + padded; }
  [[nodiscard]] const float* inverse_root() const { return terms + 2 * padded; }
  [[nodiscard]] const float* prior() const { return terms + 5 * padded; }
};

/// Scores all moves by one selection rule and leaves the scores in `score`, which has room for
/// `padded` and is aligned like the terms. Returns the index of the highest score, among equals the
/// first at or after `from` in cyclic order; -1 if the highest score is minus infinity. Factors
/// come by reference: to pass computed terms on the stack, which are written one by one and read
/// together, has cost a third of a search's time where nodes have more than eight moves.
using ChooseMove = int (*)(MoveTerms moves, float* score, const RuleFactors& factors,
                           NodeTerms node, int from);
/// Returns the same index from given scores, aligned as for a ChooseMove.
using BestOf = int (*)(const float* score, int padded, int from);

/// The passes, as compiled for this processor.
[[nodiscard]] ChooseMove choose_move_by(Selection rule);
[[nodiscard]] BestOf best_of_scores();

}  // namespace pitboss::engine
