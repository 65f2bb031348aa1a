#pragma once

#include <vector>

#include "engine/leaf/network/board_layout.hpp"
#include "engine/leaf/network/folded_layer.hpp"

namespace pitboss::engine {

/// 3x3 convolutions by minimal filtering, F(2x2, 3x3) of Winograd as Lavin and Gray (2016) use it:
/// a tile of 2x2 outputs takes 16 multiplications for each pair of channels instead of 36. The
/// board is cut into overlapping tiles of 4x4 inputs, and these and the weights are transformed, so
/// that each of the 16 numbers of a tile is a dense layer from channels to channels:
///
///     outputs = A' ((G weights G') * (B' inputs B)) A
///
///     B' = 1  0 -1  0    G = 1   0    0     A' = 1  1  1  0
///          0  1  1  0        1/2 1/2  1/2        0  1 -1 -1
///          0 -1  1  0        1/2 -1/2 1/2
///          0  1  0 -1        0   0    1
///
/// The transformed tiles of a board lie number by number, each tile by tile, of each its channels.
constexpr int tile_numbers = 16;

/// G weights G' of a convolution, as dense layers for the numbers of a tile, without bias. Throws
/// BadNetwork if one is not finite.
[[nodiscard]] std::vector<FoldedLayer> transformed(const FoldedLayer& convolution);

/// What follows the sums: A' sums A, plus bias and addend, and negative results become zero.
struct TilesToBoard {
  const float* tiles;
  const float* bias;
  const float* addend;  ///< a board like `out`, or `out` itself; null: nothing is added
  BoardLayout layout;
  float* out;
};

/// The other transforms, for the instruction set in use.
struct TileTransforms {
  /// B' inputs B.
  void (*cut)(const BoardLayout& layout, const float* board, float* tiles);
  void (*join)(const TilesToBoard& ending);
};
[[nodiscard]] TileTransforms tile_transforms();

}  // namespace pitboss::engine
