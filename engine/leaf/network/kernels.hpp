#pragma once

#include <cstddef>

#include "engine/leaf/network/packed_layer.hpp"

namespace pitboss::engine {

/// The memory of a board: its points in rows, of each point `channels` numbers, padded to `step`.
/// Around it is a border of one point, always zero.
struct BoardLayout {
  int rows;
  int columns;
  int channels;
  int step;

  [[nodiscard]] int row() const { return (columns + 2) * step; }
  [[nodiscard]] int floats() const { return (rows + 2) * row(); }
  /// Where the top left point begins.
  [[nodiscard]] int first() const { return row() + step; }
};

/// Numbers that lie in succession in the input of a sum, for the output at row and column 0.
struct Run {
  const float* in;
  int count;
  std::ptrdiff_t step;  ///< to the same numbers for the next column
  std::ptrdiff_t row;   ///< to the same numbers for the next row
};

/// Sums of weighted inputs for all points of a board, or for all positions of a batch (one row): a
/// convolution or a dense layer. The inputs of the layer are the runs, one after the other.
struct WeightedSums {
  static constexpr int max_runs = 10;  // three by three and a skip

  const PackedLayer* layer;
  int rows;
  int columns;
  Run runs[max_runs];
  int n_runs;
  const float* addend;  ///< what is added to the sums, laid out as `out`; null: nothing
  bool rectify;         ///< whether negative results become zero
  float* out;
  std::ptrdiff_t out_step;
  std::ptrdiff_t out_row;
};

/// The loops of a network's evaluation. Every sum begins with its bias and takes its inputs in
/// their order, so that neither the size of a batch nor the width of vectors changes a bit of the
/// result; whether the instruction set has a fused multiply-add does.
struct Kernels {
  void (*add_up)(const WeightedSums& sums);
  /// The same for one run in one row and column with no addend, skipping inputs that are zero.
  /// `places` has room for as many numbers as there are inputs.
  void (*add_up_one)(const WeightedSums& sums, int* places);
};

/// The kernels for the instruction set in use.
[[nodiscard]] Kernels kernels();

}  // namespace pitboss::engine
