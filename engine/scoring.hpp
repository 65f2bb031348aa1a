#pragma once

namespace pitboss::engine {

/// Passes over the moves of one node (tree.hpp, MoveBlock), vectorised for several instruction sets
/// (Google Highway) of which the machine's best is chosen at the first call. Only operations that
/// IEEE 754 defines exactly are used, so that every instruction set gives the same bits.

/// What one node's exploration term needs of the node.
struct Exploration {
  float root_log;               ///< k sqrt(ln n), n the samples of all moves
  float root_2log;              ///< sqrt(2 ln n)
  float most_variance = 0.25F;  ///< that rewards can have
};

/// A node's moves as a pass reads them: numbers, none of them NaN, no variance below 0; arrays of
/// `padded` entries, a multiple of 8, each aligned to 32 bytes. What lies behind the last move has
/// a base of minus infinity.
struct ScoredMoves {
  const float* base;      ///< value part of the score
  const float* variance;  ///< of the results
  const float* spread;    ///< 1 / sqrt(samples of the move)
  float* score;           ///< receives the scores
  int padded;
};

/// The place of the highest of `padded` scores, as the functions below return it.
[[nodiscard]] int best_of(const float* score, int padded, int from);

/// score = base + k sqrt(ln n / n_a). Returns the index of the highest score, among equals the
/// first at or after `from` in cyclic order; -1 if the highest score is minus infinity.
[[nodiscard]] int choose_ucb1(const ScoredMoves& moves, Exploration x, int from);

/// The same for score = base + k sqrt(ln n / n_a) sqrt(min(most_variance, variance + sqrt(2 ln n /
/// n_a))).
[[nodiscard]] int choose_ucb1_tuned(const ScoredMoves& moves, Exploration x, int from);

}  // namespace pitboss::engine
