#pragma once

#include "engine/leaf/network/packed_layer.hpp"

namespace pitboss::engine {

/// Rows (or columns) of the inputs of a tile (winograd.hpp) that has `side` rows of outputs.
[[nodiscard]] constexpr int tile_inputs(int side) { return side + 2; }
/// Tiles over so many rows of points.
[[nodiscard]] constexpr int tiles_over(int points, int side) { return (points + side - 1) / side; }
/// Rows of the outputs of a tile, 3 or 4, whichever takes fewer multiplications: over nine rows go
/// three tiles of either, but with five rows of numbers each, or with six.
[[nodiscard]] constexpr int tile_side(int points) {
  const auto numbers = [&](int side) { return tiles_over(points, side) * tile_inputs(side); };
  return numbers(3) < numbers(4) ? 3 : 4;
}

/// The memory of a board: its points in rows, of each point `channels` numbers, padded to `step`.
/// Around it is a border of one point, always zero, and behind that as many points more as it takes
/// to divide into tiles.
struct BoardLayout {
  int rows = 0;
  int columns = 0;
  int channels = 0;
  int tile_height = tile_side(rows);  ///< rows of a tile's outputs
  int tile_width = tile_side(columns);

  [[nodiscard]] int step() const { return padded(channels); }
  [[nodiscard]] int row() const { return (tile_width * tile_columns() + 2) * step(); }
  [[nodiscard]] int floats() const { return (tile_height * tile_rows() + 2) * row(); }
  /// Where the top left point begins.
  [[nodiscard]] int first() const { return row() + step(); }

  [[nodiscard]] int tile_rows() const { return tiles_over(rows, tile_height); }
  [[nodiscard]] int tile_columns() const { return tiles_over(columns, tile_width); }
  [[nodiscard]] int tiles() const { return tile_rows() * tile_columns(); }
  /// Of a transformed tile.
  [[nodiscard]] int tile_numbers() const {
    return tile_inputs(tile_height) * tile_inputs(tile_width);
  }
  /// From a number of the first transformed tile of some boards to the next number of that tile
  /// (winograd.hpp); the extra group keeps the numbers from sharing a place in the cache.
  [[nodiscard]] int tile_step(int boards) const { return boards * tiles() * step() + output_group; }
};

}  // namespace pitboss::engine
