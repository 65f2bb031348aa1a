#pragma once

#include <cstddef>

#include "engine/leaf/network/aligned_floats.hpp"
#include "engine/leaf/network/folded_layer.hpp"

namespace pitboss::engine {

/// Outputs of a layer come in groups of so many, which are whole vectors in every instruction set;
/// what pads the last group is zero.
constexpr int output_group = 16;

[[nodiscard]] constexpr int padded(int outputs) {
  return (outputs + output_group - 1) / output_group * output_group;
}

/// The weights of a layer, or of several layers of the same sizes one after the other, in the order
/// in which the kernels read them: outputs in blocks of `width` (the last may be narrower), and of
/// each block one row of weights for every input.
class PackedLayer {
 public:
  /// Zeros; `width` is a multiple of two groups.
  PackedLayer(int layers, int inputs, int outputs, int width)
      : layers_(layers),
        inputs_(inputs),
        outputs_(padded(outputs)),
        width_(width),
        weights_(layers * layer_step()),
        bias_(static_cast<std::size_t>(layers) * outputs_) {}

  /// Sets the outputs from `output` on to those of a layer. Its inputs are `channels` of which each
  /// has as many numbers as there are points; here they are points of which each has as many
  /// numbers as there are channels.
  void set(int layer, const FoldedLayer& weights, int channels, int output = 0);

  [[nodiscard]] int layers() const { return layers_; }
  [[nodiscard]] int inputs() const { return inputs_; }
  [[nodiscard]] int outputs() const { return outputs_; }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] std::size_t bytes() const {
    return layers_ * (static_cast<std::size_t>(inputs_) + 1) * outputs_ * sizeof(float);
  }
  /// Floats between the weights of an input and the next, in the block that has this output.
  [[nodiscard]] int step(int output) const {
    return std::min(width_, outputs_ - output / width_ * width_);
  }
  /// Floats between the weights of a layer and the same of the next.
  [[nodiscard]] std::size_t layer_step() const {
    return static_cast<std::size_t>(inputs_) * outputs_;
  }
  /// The first input's weights from an output on.
  [[nodiscard]] const float* weights(int layer, int output) const {
    return weights_.data() + layer * layer_step() + place(output);
  }
  [[nodiscard]] const float* bias(int layer, int output) const {
    return bias_.data() + static_cast<std::ptrdiff_t>(layer) * outputs_ + output;
  }

 private:
  [[nodiscard]] std::size_t place(int output) const {
    const int block = output / width_ * width_;
    return static_cast<std::size_t>(block) * inputs_ + (output - block);
  }

  int layers_;
  int inputs_;
  int outputs_;
  int width_;
  AlignedFloats weights_;
  AlignedFloats bias_;
};

}  // namespace pitboss::engine
