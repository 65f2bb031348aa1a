#pragma once

#include <array>
#include <concepts>
#include <span>

#include "games/board_shape.hpp"

/// Symmetries of games: networks may see a position as any of its images.
///
/// A symmetry maps the game and its initial position onto itself. It maps points to points and
/// policy entries to policy entries, and keeps colours: after the images of a game's moves, the
/// position, its legal moves and its result are the images of those in the game. The symmetries of
/// a game are a group, whose first element is the identity.
namespace pitboss::games {

/// A symmetry of a board: a matrix that maps steps. The middle of the board is fixed.
struct Symmetry {
  int xx;  ///< a step to the right adds this to x
  int xy;  ///< a step up adds this to x
  int yx;  ///< a step to the right adds this to y
  int yy;  ///< a step up adds this to y

  /// The image of a point of the board.
  [[nodiscard]] constexpr int point(const BoardShape& shape, int point) const {
    // Computes with twice the distances from the middle, which may lie between points.
    const int x = 2 * (point % shape.stride) - (shape.width - 1);
    const int y = 2 * (point / shape.stride) - (shape.height - 1);
    return shape.point((xx * x + xy * y + shape.width - 1) / 2,
                       (yx * x + yy * y + shape.height - 1) / 2);
  }
  /// The image of a cell of the board (BoardShape::cell).
  [[nodiscard]] constexpr int cell(const BoardShape& shape, int cell) const {
    return shape.cell(point(shape, shape.point_of(cell)));
  }

  friend bool operator==(const Symmetry&, const Symmetry&) = default;
};

inline constexpr Symmetry identity{1, 0, 0, 1};
/// Exchanges left and right, on a board of squares.
inline constexpr Symmetry mirror{-1, 0, 0, 1};
inline constexpr Symmetry half_turn{-1, 0, 0, -1};

inline constexpr std::array<Symmetry, 2> mirror_symmetries{identity, mirror};
/// The symmetries of a square. The first four map each diagonal onto itself, the first two also fix
/// the points of the rising diagonal.
inline constexpr std::array<Symmetry, 8> square_symmetries{{{1, 0, 0, 1},
                                                            {0, 1, 1, 0},
                                                            {-1, 0, 0, -1},
                                                            {0, -1, -1, 0},
                                                            {0, -1, 1, 0},
                                                            {0, 1, -1, 0},
                                                            {-1, 0, 0, 1},
                                                            {1, 0, 0, -1}}};
/// The symmetries of a hexagon (Lattice::hexagonal): six turns, then six reflections.
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

/// A game with symmetries besides the identity. `symmetries()` and `policy_image` are the same for
/// all positions of a game.
template <class G>
concept HasSymmetries = requires(const G g, int entry, const Symmetry& symmetry) {
  { g.symmetries() } -> std::same_as<std::span<const Symmetry>>;
  /// The image of a policy entry (games/policy.hpp).
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

/// For policies of `blocks` times the cells: the image of an entry, in the same block. Entries for
/// places that are no points stay, and so do entries after the blocks, such as swap.
template <class G>
[[nodiscard]] int image_of_cell(const G& game, int entry, const Symmetry& symmetry,
                                int blocks = 1) {
  const BoardShape shape = game.shape();
  const int cell = entry % shape.cells();
  const bool stays = entry >= blocks * shape.cells() || !game.points().has(shape.point_of(cell));
  return stays ? entry : entry - cell + symmetry.cell(shape, cell);
}

}  // namespace pitboss::games
