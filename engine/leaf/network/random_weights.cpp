#include "engine/leaf/network/random_weights.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "games/random.hpp"

namespace pitboss::engine {

Tensors random_weights(const NetworkShape& shape, std::uint64_t seed) {
  games::Random random{seed};
  Tensors tensors;
  for (const auto& [name, sizes] : tensor_shapes(shape)) {
    const std::size_t n = numbers_in(sizes);
    if (sizes.size() == 1) {
      // Batch normalisations are what else has weights in one dimension.
      const bool one = name.ends_with(".weight") || name.ends_with(".running_var");
      tensors[name] = {sizes, std::vector<float>(n, one ? 1.0F : 0.0F)};
      continue;
    }
    double variance = 2.0 * sizes.front() / static_cast<double>(n);
    if (name.ends_with(".conv2.weight")) variance /= shape.blocks();
    const double bound = std::sqrt(3 * variance);
    std::vector<float> weights(n);
    for (float& weight : weights) {
      const double in_0_2 = static_cast<double>(random.next() >> 11) * 0x1p-52;
      weight = static_cast<float>(bound * (in_0_2 - 1));
    }
    tensors[name] = {sizes, std::move(weights)};
  }
  return tensors;
}

NetworkFile random_network(const games::AnyGame& game, const NetworkShape& shape,
                           std::uint64_t seed) {
  NetworkFile file;
  file.game = game.name();
  file.parameters = game.parameters().line();
  file.shape = shape;
  file.procedure = "random weights, seed " + std::to_string(seed);
  file.tensors = random_weights(shape, seed);
  return file;
}

}  // namespace pitboss::engine
