#pragma once

#include <cstddef>

#include "engine/leaf/network/packed_layer.hpp"

namespace pitboss::engine {

/// Dense layers, evaluated in rows and columns of points.
struct WeightedSums {
  const PackedLayer* layers;  ///< one for each row, or one for all
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

/// A dense layer, evaluated for some vectors that have many zeros.
struct SparseSums {
  const PackedLayer* layer;
  int positions;
  const float* in;
  std::ptrdiff_t in_step;  ///< from a position to the next
  bool rectify;            ///< whether negative results become zero
  float* out;
  std::ptrdiff_t out_step;
  int* places;  ///< room for `places_step` numbers of each position
  std::ptrdiff_t places_step;
};

/// Numbers that `SparseSums::places` needs for each position.
[[nodiscard]] constexpr int places_for(int inputs) { return inputs + 2 + output_group; }

/// The loops of dense layers. Every sum begins with its bias and takes its inputs in
/// their order, so that neither the size of a batch nor the width of vectors changes a bit of the
/// result; whether the instruction set has a fused multiply-add does.
struct Kernels {
  void (*add_up)(const WeightedSums& sums);
  void (*add_up_sparse)(const SparseSums& sums);
  int sparse_width;  ///< of the blocks of weights with which `add_up_sparse` is fastest
};

/// The kernels for the instruction set in use.
[[nodiscard]] Kernels kernels();

}  // namespace pitboss::engine
