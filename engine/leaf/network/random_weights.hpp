#pragma once

#include <cstdint>

#include "engine/leaf/network/network_file.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// Weights to begin learning from, the same for a seed on every machine: uniform with the variance
/// of He et al. (2015), 2 / inputs. That of a block's second convolution is divided by the number
/// of blocks, so that what enters the heads of a deep tower is no larger than what leaves its stem
/// by more than a small factor. Biases are zero, batch normalisations change nothing. Throws
/// BadNetwork if the shape is bad.
[[nodiscard]] Tensors random_weights(const NetworkShape& shape, std::uint64_t seed);

/// A network of this shape, with such weights, for the game with its parameters.
[[nodiscard]] NetworkFile random_network(const games::AnyGame& game, const NetworkShape& shape,
                                         std::uint64_t seed);

}  // namespace pitboss::engine
