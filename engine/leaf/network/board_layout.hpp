#pragma once

#include "engine/leaf/network/packed_layer.hpp"

namespace pitboss::engine {

/// The memory of a board: its points in rows, of each point `channels` numbers, padded to `step`.
/// Around it is a border of one point, always zero; a board with an odd side has two at the end of
/// it, so that it divides into tiles of two by two.
struct BoardLayout {
  int rows;
  int columns;
  int channels;

  [[nodiscard]] int step() const { return padded(channels); }
  [[nodiscard]] int row() const { return (2 * tile_columns() + 2) * step(); }
  [[nodiscard]] int floats() const { return (2 * tile_rows() + 2) * row(); }
  /// Where the top left point begins.
  [[nodiscard]] int first() const { return row() + step(); }

  [[nodiscard]] int tile_rows() const { return (rows + 1) / 2; }
  [[nodiscard]] int tile_columns() const { return (columns + 1) / 2; }
  [[nodiscard]] int tiles() const { return tile_rows() * tile_columns(); }
  /// From a number of the first transformed tile to the next number of that tile (winograd.hpp);
  /// the extra group keeps the sixteen numbers from sharing a place in the cache.
  [[nodiscard]] int tile_step() const { return tiles() * step() + output_group; }
};

}  // namespace pitboss::engine
