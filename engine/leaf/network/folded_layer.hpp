#pragma once

#include <string>
#include <vector>

#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/tensor.hpp"

namespace pitboss::engine {

/// What batch normalisation adds to a variance.
constexpr double norm_epsilon = 1e-5;

/// A convolution or dense layer with the batch normalisation behind it, as one.
struct FoldedLayer {
  std::vector<float> weights;  ///< in the order of the layer's tensor
  std::vector<float> bias;     ///< one for each output
  [[nodiscard]] int outputs() const { return static_cast<int>(bias.size()); }
  [[nodiscard]] int inputs() const { return static_cast<int>(weights.size() / bias.size()); }
};

/// Throws BadNetwork unless these are the tensors of a network of this shape: none is missing, none
/// is superfluous, each has its shape, every number is finite and no variance negative.
void check(const NetworkShape& shape, const Tensors& tensors);

/// The layer LAYER.weight, LAYER.bias with the batch normalisation NORM.*; with an empty name: as
/// it is. The tensors have been checked. Throws BadNetwork if a product is not finite.
[[nodiscard]] FoldedLayer folded(const Tensors& tensors, const std::string& layer,
                                 const std::string& norm);

}  // namespace pitboss::engine
