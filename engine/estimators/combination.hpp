#pragma once

#include <span>

/// ME-MCTS (Baier, Kaisers 2021): combines the estimates of several estimators into one bound of a
/// move. Formulas in double precision, and the pass over all moves of a position.
namespace pitboss::engine {

/// One estimator's estimate of a move.
struct Estimate {
  double mean;         ///< of the results, in [0, 1]
  double count;        ///< samples
  double bias;         ///< the mean's expected error, which more samples do not reduce
  double exploration;  ///< c: scale of the width
};

/// sigma^2 = theta (1 - theta) / n for the theta in the Wilson interval of p that is nearest to
/// 1/2: the largest variance of the mean that the samples allow (sec. 3).
[[nodiscard]] double largest_variance(double p, double n, double z);

struct CombinedEstimate {
  double mean;   ///< sum of lambda_i T_i
  double width;  ///< sqrt(sum of lambda_i^2 w_i^2), w_i = c_i sqrt(8 ln t / n_i)
};
/// lambda_i = (1 / MSE_i) / sum of all, MSE_i = sigma_i^2 + b_i^2 (eqs. 4 and 5, uncorrelated).
/// Estimates without samples have weight 0; at least one must have samples. `log_t` is ln t for the
/// t simulations of the search so far. `weights`, if not empty, receives the lambdas.
[[nodiscard]] CombinedEstimate combined(std::span<const Estimate> estimates, double log_t, double z,
                                        std::span<double> weights = {});

/// One estimator's estimates of all moves of a position.
struct EstimateColumn {
  const float* mean;
  const float* count;
  float least_count;  ///< above 0; an estimate with fewer samples has no weight
  float bias_squared;
  float width_squared;  ///< 8 c^2 ln t
};

/// The parameters of the bound that are common to all estimators and moves.
struct BoundRule {
  float z;        ///< of the Wilson interval
  float unknown;  ///< bound of a move without samples in any estimator: first-play urgency
};

/// Writes mean + width of each of `moves` moves to `bound` and returns the highest. Arrays are
/// aligned to 32 bytes and have room for a multiple of 8; a mean with a count above 0 is in [0, 1].
/// Vectorised; the same bits on every machine.
float combined_bounds(std::span<const EstimateColumn> columns, BoundRule rule, int moves,
                      float* bound);

}  // namespace pitboss::engine
