#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/leaf/network/board_layout.hpp"
#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/packed_layer.hpp"
#include "engine/leaf/network/tensor.hpp"

namespace pitboss::engine {

/// A board in the memory of an evaluation.
struct PlacedBoard {
  BoardLayout layout;
  std::size_t place;
};

/// A convolution from board to board.
struct Convolution {
  std::string name;
  /// A 1x1 convolution is one dense layer; a 3x3 convolution one for each number of a tile.
  PackedLayer layers;
  PlacedBoard in;
  PlacedBoard out;
  bool rectify;  ///< a 3x3 convolution always does
  /// Of a 3x3 convolution: its bias, and what is added besides.
  AlignedFloats bias;
  std::optional<PlacedBoard> addend;
};

/// The vectors of an evaluation.
enum class Vector : std::uint8_t {
  policy_input,
  value_input,
  hidden,  ///< of one head, or of both, one after the other
  policy,
  value,
};
constexpr int vectors = 5;

/// Makes a vector of a board: point by point, of each its channels.
struct Flattening {
  PlacedBoard in;
  Vector out;
};

/// A dense layer from vector to vector.
struct Dense {
  std::string name;
  PackedLayer layer;
  Vector in;
  int begin;  ///< where its inputs begin in that vector
  Vector out;
  bool rectify;
};

/// A network as the steps of its evaluation: first those on boards, then those on vectors.
struct NetworkPlan {
  PlacedBoard input;
  std::vector<Convolution> convolutions;
  std::vector<Flattening> flattenings;
  std::vector<Dense> dense_layers;
  std::size_t board_floats;         ///< all boards together
  std::size_t tile_floats;          ///< the transformed tiles of the largest board
  std::array<int, vectors> floats;  ///< of each vector, for one position
  int most_inputs;                  ///< of a dense layer
};

/// Folds the batch normalisations; `dense_width` is that of the blocks of dense layers' weights.
/// Throws BadNetwork if these are no weights for the shape.
[[nodiscard]] NetworkPlan plan_of(const NetworkShape& shape, const Tensors& tensors,
                                  int dense_width);

}  // namespace pitboss::engine
