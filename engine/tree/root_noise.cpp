#include "engine/tree/root_noise.hpp"

#include <cmath>

#include "games/normal.hpp"

namespace pitboss::engine {

namespace {

/// The logarithm of a sample of the gamma distribution (Marsaglia, Tsang 2000; for alpha below 1 by
/// way of alpha + 1). For small alpha the sample itself is often below the smallest double.
double log_gamma_sample(double alpha, games::Random& random) {
  if (alpha < 1) {
    return log_gamma_sample(alpha + 1, random) + std::log(random.uniform()) / alpha;
  }
  const double d = alpha - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = games::normal(random);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) {
      return std::log(d) + std::log(v);
    }
  }
}

}  // namespace

std::vector<double> dirichlet(int count, double alpha, games::Random& random) {
  std::vector<double> shares(static_cast<std::size_t>(count));
  double largest = -INFINITY;
  for (double& share : shares) {
    share = log_gamma_sample(alpha, random);
    largest = std::max(largest, share);
  }
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - largest);
  for (double& share : shares) share /= sum;
  return shares;
}

void add_noise(MoveBlock& block, double share, double alpha, games::Random& random) {
  const std::vector<double> noise = dirichlet(block.count, alpha, random);
  for (int i = 0; i < block.count; ++i) {
    float& prior = block.prior()[i];
    prior = static_cast<float>((1 - share) * prior + share * noise[static_cast<std::size_t>(i)]);
  }
}

}  // namespace pitboss::engine
