#pragma once

#include "engine/leaf/network/packed_layer.hpp"

namespace pitboss::engine {

/// Rows and columns of a tile (winograd.hpp), and of the inputs that it takes.
constexpr int tile_side = 4;
constexpr int tile_inputs = tile_side + 2;

/// The memory of a board: its points in rows, of each point `channels` numbers, padded to `step`.
/// Around it is a border of one point, always zero, and behind that as many points more as it takes
/// to divide into tiles.
struct BoardLayout {
  int rows;
  int columns;
  int channels;

  [[nodiscard]] int step() const { return padded(channels); }
  [[nodiscard]] int row() const { return (tile_side * tile_columns() + 2) * step(); }
  [[nodiscard]] int floats() const { return (tile_side * tile_rows() + 2) * row(); }
  /// Where the top left point begins.
  [[nodiscard]] int first() const { return row() + step(); }

  [[nodiscard]] int tile_rows() const { return (rows + tile_side - 1) / tile_side; }
  [[nodiscard]] int tile_columns() const { return (columns + tile_side - 1) / tile_side; }
  [[nodiscard]] int tiles() const { return tile_rows() * tile_columns(); }
  /// From a number of the first transformed tile of some boards to the next number of that tile
  /// (winograd.hpp); the extra group keeps the numbers from sharing a place in the cache.
  [[nodiscard]] int tile_step(int boards) const { return boards * tiles() * step() + output_group; }
};

}  // namespace pitboss::engine
