#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

/// The papers' formulas, one function each, in double precision. Tests compare the vectorised
/// passes of selection, novelty and estimators with them.
namespace pitboss::engine {

/// Weight of the novelty score against the mean result: b = sqrt(beta / (3 n + beta)) for n
/// samples of the move (Novelty in MCTS, eqs. 9 and 10). In [0, 1]; falls with n, rises with beta.
[[nodiscard]] inline double novelty_weight(double beta, double n) {
  return beta == 0 ? 0 : std::sqrt(beta / (3 * n + beta));
}

/// How the novelty N of a move and its mean result Q make the value part of its score.
enum class NoveltyMix : std::uint8_t {
  convex,    ///< b alpha N + (1 - b) Q: the papers'; pulls moves with few samples towards 0, too
  additive,  ///< Q + b alpha N: adds novelty and pulls nothing
  centred    ///< e + (1 - b) (Q - e) + b alpha N: pulls towards an even result, e = 1 / players
};

/// The value part, with the weight b and the scale alpha of the novelty, in a game of so many
/// players.
[[nodiscard]] inline double novelty_mix(NoveltyMix mix, double b, double alpha, double novelty,
                                        double mean, int players = 2) {
  const double term = b * alpha * novelty;
  const double even = 1.0 / players;
  switch (mix) {
    case NoveltyMix::additive:
      return mean + term;
    case NoveltyMix::centred:
      return even + (1 - b) * (mean - even) + term;
    case NoveltyMix::convex:
      break;
  }
  return term + (1 - b) * mean;
}

/// UCB1's exploration term k sqrt(ln n / n_a): n samples of all moves, n_a of this one.
[[nodiscard]] inline double ucb1_bonus(double k, double n, double n_a) {
  return k * std::sqrt(std::log(n) / n_a);
}

/// UCB1-Tuned's exploration term k sqrt(ln n / n_a min(c, v + sqrt(2 ln n / n_a))), v the variance
/// of the move's results and c the largest that results can have: 1/4 for those from 0 to 1 (Auer,
/// Cesa-Bianchi, Fischer 2002, with the factor k).
[[nodiscard]] inline double ucb1_tuned_bonus(double k, double n, double n_a, double variance,
                                             double most_variance = 0.25) {
  const double ratio = std::log(n) / n_a;
  return k * std::sqrt(ratio * std::min(most_variance, variance + std::sqrt(2 * ratio)));
}

/// PUCT's exploration term c P sqrt(n) / (1 + n_a), P the move's prior probability.
[[nodiscard]] inline double puct_bonus(double c, double prior, double n, double n_a) {
  return c * prior * std::sqrt(n) / (1 + n_a);
}

/// A quality-based bonus: -a + 2a / (1 + e^-(k lambda)), in (-a, a) for the bound a; lambda is the
/// number of standard deviations by which a win is better than the mean of its kind (Quality-based
/// Rewards for MCTS Simulations, where a is 1/4: b = -0.25 + 0.5 / (1 + e^-(k lambda))).
[[nodiscard]] inline double quality_bonus(double bound, double k_lambda) {
  return bound * (2 / (1 + std::exp(-k_lambda)) - 1);
}

/// The normal distribution's quantile for intervals of 95 %, rounded as in the NoveltyMCTS authors'
/// Util.java, so that our intervals are those they publish.
inline constexpr double normal_95 = 1.96;

/// Upper end of the Wilson score interval with continuity correction (Newcombe 1998) for a share p
/// of n >= 1 samples. The lower end is 1 minus the upper one of 1 - p.
[[nodiscard]] inline double wilson_upper(double p, double n, double z) {
  const double radicand = z * z - 1 / n + 4 * n * p * (1 - p) + 2 - 4 * p;
  const double end = 2 * n * p + z * z + z * std::sqrt(std::max(radicand, 0.0)) + 1;
  return std::min(end / (2 * (n + z * z)), 1.0);
}

/// x to the power of N >= 1, by repeated squaring.
template <int N>
[[nodiscard]] constexpr double power(double x) {
  if constexpr (N == 1) {
    return x;
  } else {
    const double root = power<N / 2>(x);
    return N % 2 == 0 ? root * root : root * root * x;
  }
}

/// N_C's score 1 / sqrt(pseudocount) of a position with density rho before it is observed and
/// rho_after afterwards: pseudocount = rho (1 - rho_after) / (rho_after - rho) (Bellemare et al.
/// 2016; Novelty in MCTS). 0 if the densities are too small to differ.
[[nodiscard]] inline double inverse_root_pseudocount(double rho, double rho_after) {
  if (!(rho > 0 && rho_after > rho)) return 0;
  const double gain = rho_after - rho;
  const double most = rho * (1 - rho_after);
  // sqrt(gain / most), as sqrt(gain most) / most where the product is a normal number: a search
  // waits for the result, and here root and division run in parallel.
  const double product = gain * most;
  return product > 1e-300 ? std::sqrt(product) * (1 / most) : std::sqrt(gain / most);
}

/// The whole number c such that count < c exactly if count / n < gamma (the fact is novel), for
/// counts of the form k + 1/2 and with the division's rounding.
[[nodiscard]] inline double threshold_count(double gamma, double n) {
  double cut = std::floor(gamma * n);
  while ((cut + 0.5) / n < gamma) cut += 1;
  while (cut > 0 && (cut - 0.5) / n >= gamma) cut -= 1;
  return cut;
}

}  // namespace pitboss::engine
