#pragma once

#include <array>
#include <vector>

#include "engine/leaf/network/board_layout.hpp"
#include "engine/leaf/network/folded_layer.hpp"

namespace pitboss::engine {

/// 3x3 convolutions by minimal filtering, F(4x4, 3x3) of Winograd as Lavin and Gray (2016) use it:
/// a tile of 4x4 outputs takes 36 multiplications for each pair of channels instead of 144. The
/// board is cut into overlapping tiles of 6x6 inputs, and these and the weights are transformed, so
/// that each of the 36 numbers of a tile is a dense layer from channels to channels:
///
///     outputs = A' ((G weights G') * (B' inputs B)) A
///
/// Where that takes fewer multiplications a tile has three rows of outputs or three columns
/// (tile_side), and so five of inputs.
///
/// By Toom and Cook the matrices follow from five points p (four for three rows) and infinity. Row
/// i of G, but for the last, is (1, p, p^2) / q with q the product of the differences of p to the
/// others; of B' the coefficients of the polynomial whose roots are the others; column i of A' is
/// (1, p, p^2, p^3), or without the last. The points 0, +-3/4, +-3/2 round less than 0, +-1, +-2
/// do, and 0, +-3/4, 2 less than 0, +-1, 2.
///
/// The transformed tiles of some boards lie number by number, each tile by tile, of each its
/// channels; `tile_step` is from a number of a tile to the next.
template <int Side>
struct TilePoints;
template <>
struct TilePoints<4> {
  static constexpr double inner = 0.75;
  static constexpr double outer = 1.5;
  static constexpr std::array all{0.0, inner, -inner, outer, -outer};
};
template <>
struct TilePoints<3> {
  static constexpr double pair = 0.75;
  static constexpr double single = 2;
  static constexpr std::array all{0.0, pair, -pair, single};
};

/// G weights G' of a convolution of boards of this layout, as dense layers for the numbers of a
/// tile, without bias. Throws BadNetwork if one is not finite.
[[nodiscard]] std::vector<FoldedLayer> transformed(const FoldedLayer& convolution,
                                                   const BoardLayout& layout);

/// What follows the sums: A' sums A, plus bias and addend, and negative results become zero.
struct TilesToBoard {
  const float* tiles;
  int tile_step;
  const float* bias;
  const float* addend;  ///< a board like `out`, or `out` itself; null: nothing is added
  BoardLayout layout;
  float* out;
};

/// The other transforms, of boards with these tiles, for the instruction set in use.
struct TileTransforms {
  /// B' inputs B.
  void (*cut)(const BoardLayout& layout, const float* board, float* tiles, int tile_step);
  void (*join)(const TilesToBoard& ending);
};
[[nodiscard]] TileTransforms tile_transforms(const BoardLayout& layout);

}  // namespace pitboss::engine
