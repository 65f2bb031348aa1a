#pragma once

#include <vector>

#include "engine/tree/tree.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// A sample of the symmetric Dirichlet distribution: `count` >= 1 shares that sum to 1. `alpha` >
/// 0.
[[nodiscard]] std::vector<double> dirichlet(int count, double alpha, games::Random& random);

/// Mixes noise into the priors of a block: (1 - share) P + share D, with D from the Dirichlet
/// distribution (Silver et al. 2017). The block must have priors.
void add_noise(MoveBlock& block, double share, double alpha, games::Random& random);

}  // namespace pitboss::engine
