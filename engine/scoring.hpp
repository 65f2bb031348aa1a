#pragma once

#include <cstdint>

namespace pitboss::engine {

/// Passes over the moves of one node (tree.hpp, MoveBlock). Each is a short loop over whole arrays
/// of `n` entries, n a multiple of 8, compiled for several instruction sets of which the machine's
/// best is chosen when the program starts. Only operations that IEEE 754 defines exactly are used,
/// so that every instruction set gives the same bits.

/// What one node's exploration term needs of the node.
struct Exploration {
  float root_log;   ///< k sqrt(ln n), n the samples of all moves
  float root_2log;  ///< sqrt(2 ln n)
};

/// score[i] = base[i] + k sqrt(ln n / n_i)
void score_ucb1(const float* base, const float* spread, Exploration x, float* score, int n);

/// score[i] = base[i] + k sqrt(ln n / n_i) sqrt(min(1/4, variance[i] + sqrt(2 ln n / n_i)))
void score_ucb1_tuned(const float* base, const float* variance, const float* spread, Exploration x,
                      float* score, int n);

/// The largest of `score`.
[[nodiscard]] float largest(const float* score, int n);

}  // namespace pitboss::engine
