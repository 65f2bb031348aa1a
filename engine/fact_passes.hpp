#pragma once

namespace pitboss::engine {

/// Passes over one number a point of the board (novelty.hpp, FactTable), vectorised like those of
/// scoring.hpp. `n` is a multiple of 8; arrays are aligned to 64 bytes. Each pass also updates the
/// numbers, because it has them in hand.

struct Densities {
  double before;  ///< product of count / N
  double after;   ///< product of (count + 1) / (N + 1)
};
/// Adds 1 to every count; returns the products, with 1/N and 1/(N + 1) given.
[[nodiscard]] Densities multiply_and_count(double* counts, int n, double per_n, double per_n_next);

/// Adds 1 to every count; returns how many are then below `cut`.
[[nodiscard]] int count_and_compare(double* counts, int n, double cut);

/// Raises every entry to at least `value`; returns whether any was below it.
[[nodiscard]] bool raise(double* best, int n, double value);

}  // namespace pitboss::engine
