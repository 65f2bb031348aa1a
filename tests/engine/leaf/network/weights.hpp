#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/leaf/network/network_file.hpp"
#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "engine/leaf/network/tensor.hpp"
#include "games/random.hpp"

namespace pitboss::tests {

/// Weights as learning leaves them: biases are not zero and batch normalisations do something.
inline engine::Tensors learned_weights(const engine::NetworkShape& shape, std::uint64_t seed) {
  games::Random random{seed};
  const auto between = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random.below(1001)) / 1000;
  };
  engine::Tensors tensors = engine::random_weights(shape, seed);
  for (auto& [name, tensor] : tensors) {
    if (tensor.shape.size() > 1) continue;
    const bool variance = name.ends_with(".running_var");
    const bool scale = name.ends_with(".weight");
    for (float& x : tensor.data) {
      x = variance ? between(0.5F, 2) : scale ? between(-0.2F, 1) : between(-0.3F, 0.3F);
    }
  }
  return tensors;
}

/// A network of othello on 6x6, whatever its shape.
inline engine::NetworkFile learned_file(const engine::NetworkShape& shape) {
  engine::NetworkFile file;
  file.game = "othello";
  file.parameters = "size=6";
  file.shape = shape;
  file.tensors = learned_weights(shape, 5);
  return file;
}

/// Planes as of a board: most points have nothing. The last plane is full on every other position.
inline std::vector<float> random_planes(const engine::NetworkShape& shape, int positions,
                                        std::uint64_t seed) {
  games::Random random{seed};
  std::vector<float> planes;
  for (int p = 0; p < positions; ++p) {
    for (int i = 1; i < shape.planes * shape.points(); ++i) {
      planes.push_back(random.below(4) == 0 ? 1.0F : 0.0F);
    }
    planes.push_back(-0.5F);
    if (p % 2 == 0) std::fill_n(planes.end() - shape.points(), shape.points(), 1.0F);
  }
  return planes;
}

}  // namespace pitboss::tests
