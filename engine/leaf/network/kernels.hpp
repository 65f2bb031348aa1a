#pragma once

#include <cstddef>

#include "engine/leaf/network/packed_layer.hpp"

namespace pitboss::engine {

/// A dense layer, evaluated in all points of a board, or in all positions of a batch, which are one
/// row then.
struct WeightedSums {
  const PackedLayer* layer;
  int rows;
  int columns;
  const float* in;
  std::ptrdiff_t in_step;  ///< from a column to the next
  std::ptrdiff_t in_row;   ///< from a row to the next
  bool rectify;            ///< whether negative results become zero
  float* out;
  std::ptrdiff_t out_step;
  std::ptrdiff_t out_row;
};

/// The loops of dense layers. Every sum begins with its bias and takes its inputs in
/// their order, so that neither the size of a batch nor the width of vectors changes a bit of the
/// result; whether the instruction set has a fused multiply-add does.
struct Kernels {
  void (*add_up)(const WeightedSums& sums);
  /// The same for one row and column, skipping inputs that are zero. `places` has room for as many
  /// numbers as there are inputs.
  void (*add_up_one)(const WeightedSums& sums, int* places);
};

/// The kernels for the instruction set in use.
[[nodiscard]] Kernels kernels();

}  // namespace pitboss::engine
