#include "engine/leaf/network/packed_layer.hpp"

namespace pitboss::engine {

void PackedLayer::set(int layer, const FoldedLayer& weights, int channels, int output) {
  const int points = weights.inputs() / channels;
  auto weight = weights.weights.begin();
  for (int o = 0; o < weights.outputs(); ++o) {
    bias_.data()[std::ptrdiff_t{layer} * outputs_ + output + o] = weights.bias[o];
    float* column = weights_.data() + layer * layer_step() + place(output + o);
    const std::size_t step = this->step(output + o);
    for (int c = 0; c < channels; ++c) {
      for (int p = 0; p < points; ++p) column[step * (p * channels + c)] = *weight++;
    }
  }
}

}  // namespace pitboss::engine
