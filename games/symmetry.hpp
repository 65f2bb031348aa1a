#pragma once

#include <array>
#include <concepts>
#include <span>

#include "games/board_shape.hpp"

/// Symmetries of games: for networks, to which a position and its images are as good as one
/// another.
///
/// A symmetry of a game maps the game with its initial position onto itself. It maps points to
/// points and entries of the policy to entries, and keeps colours: whoever plays the images of a
/// game's moves has at every ply the image of its position, of its legal moves and of its result.
/// The symmetries of a game are a group, of which the first is the identity.
namespace pitboss::games {

/// A symmetry of a board: a matrix that turns steps. The middle of the board stays where it is.
struct Symmetry {
  int xx;  ///< what a step to the right adds to x,
  int xy;  ///< and a step up;
  int yx;  ///< what a step to the right adds to y,
  int yy;  ///< and a step up

  /// Where `point` goes, a point of the board.
  [[nodiscard]] constexpr int point(const BoardShape& shape, int point) const {
    // Twice the distance from the middle, which may lie between points.
    const int x = 2 * (point % shape.stride) - (shape.width - 1);
    const int y = 2 * (point / shape.stride) - (shape.height - 1);
    return shape.point((xx * x + xy * y + shape.width - 1) / 2,
                       (yx * x + yy * y + shape.height - 1) / 2);
  }
  /// Where a cell of the board goes (BoardShape::cell).
  [[nodiscard]] constexpr int cell(const BoardShape& shape, int cell) const {
    return shape.cell(point(shape, shape.point_of(cell)));
  }

  friend bool operator==(const Symmetry&, const Symmetry&) = default;
};

inline constexpr Symmetry identity{1, 0, 0, 1};
/// Left and right change places, on a board of squares.
inline constexpr Symmetry mirror{-1, 0, 0, 1};
inline constexpr Symmetry half_turn{-1, 0, 0, -1};

inline constexpr std::array<Symmetry, 2> mirror_symmetries{identity, mirror};
/// Of a square. The first four leave each diagonal on its place, the first two also the points of
/// the rising one.
inline constexpr std::array<Symmetry, 8> square_symmetries{{{1, 0, 0, 1},
                                                            {0, 1, 1, 0},
                                                            {-1, 0, 0, -1},
                                                            {0, -1, -1, 0},
                                                            {0, -1, 1, 0},
                                                            {0, 1, -1, 0},
                                                            {-1, 0, 0, 1},
                                                            {1, 0, 0, -1}}};
/// Of a hexagon (Lattice::hexagonal): six turns, then six reflections.
inline constexpr std::array<Symmetry, 12> hexagon_symmetries{{{1, 0, 0, 1},
                                                              {1, -1, 1, 0},
                                                              {0, -1, 1, -1},
                                                              {-1, 0, 0, -1},
                                                              {-1, 1, -1, 0},
                                                              {0, 1, -1, 1},
                                                              {0, 1, 1, 0},
                                                              {1, 0, 1, -1},
                                                              {1, -1, 0, -1},
                                                              {0, -1, -1, 0},
                                                              {-1, 0, -1, 1},
                                                              {-1, 1, 0, 1}}};

/// A game with other symmetries than the identity. `symmetries()` and `policy_image` are the same
/// for all positions of a game.
template <class G>
concept HasSymmetries = requires(const G g, int entry, const Symmetry& symmetry) {
  { g.symmetries() } -> std::same_as<std::span<const Symmetry>>;
  /// The entry of the policy (games/policy.hpp) to which an entry goes.
  { g.policy_image(entry, symmetry) } -> std::same_as<int>;
};

template <class G>
[[nodiscard]] std::span<const Symmetry> symmetries_of(const G& game) {
  if constexpr (HasSymmetries<G>) {
    return game.symmetries();
  } else {
    return std::span(&identity, 1);
  }
}
template <class G>
[[nodiscard]] int policy_image(const G& game, int entry, const Symmetry& symmetry) {
  if constexpr (HasSymmetries<G>) {
    return game.policy_image(entry, symmetry);
  } else {
    return entry;
  }
}

/// For policies of `blocks` times the cells: the image of an entry, in the same block. What is no
/// point of the board stays, and so do entries behind the blocks, such as swap.
template <class G>
[[nodiscard]] int image_of_cell(const G& game, int entry, const Symmetry& symmetry,
                                int blocks = 1) {
  const BoardShape shape = game.shape();
  const int cell = entry % shape.cells();
  const bool stays = entry >= blocks * shape.cells() || !game.points().has(shape.point_of(cell));
  return stays ? entry : entry - cell + symmetry.cell(shape, cell);
}

}  // namespace pitboss::games
