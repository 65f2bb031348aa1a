#include "engine/leaf/network/packed_layer.hpp"

namespace pitboss::engine {

void PackedLayer::set(const FoldedLayer& layer, int channels, int output) {
  const int points = layer.inputs() / channels;
  auto weight = layer.weights.begin();
  for (int o = 0; o < layer.outputs(); ++o) {
    bias_.data()[output + o] = layer.bias[o];
    float* column = weights_.data() + place(output + o);
    const std::size_t step = this->step(output + o);
    for (int c = 0; c < channels; ++c) {
      for (int p = 0; p < points; ++p) column[step * (p * channels + c)] = *weight++;
    }
  }
}

}  // namespace pitboss::engine
