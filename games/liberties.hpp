#pragma once

/// Groups and their liberties, for games that capture groups without a liberty. A geometry has
/// `neighbours` of a board's points and the `flood` of a seed within some points, as Grid does.
namespace pitboss::games {

/// The stones whose group touches a point of `liberties`.
template <class Geometry, class Board>
[[nodiscard]] Board breathing(const Geometry& geometry, const Board& stones,
                              const Board& liberties) {
  return geometry.flood(geometry.neighbours(liberties), stones);
}

/// Whether the side with the stones `own` may place a stone on the point `p` of `empty`, whose
/// neighbours are `next`: the stone's group has a liberty, or an enemy group loses its last one.
template <class Geometry, class Board>
[[nodiscard]] bool is_placement(const Geometry& geometry, int p, const Board& next,
                                const Board& own, const Board& enemy, const Board& empty) {
  if ((next & empty).any()) return true;
  const Board elsewhere = minus(empty, Board::point(p));
  return (next & breathing(geometry, own, elsewhere)).any() ||
         minus(next & enemy, breathing(geometry, enemy, elsewhere)).any();
}

/// The points where a stone may be placed.
template <class Geometry, class Board>
[[nodiscard]] Board placements(const Geometry& geometry, const Board& own, const Board& enemy,
                               const Board& empty) {
  Board legal = empty & geometry.neighbours(empty);
  minus(empty, legal).for_each([&](int p) {
    const Board next = geometry.neighbours(Board::point(p));
    if (is_placement(geometry, p, next, own, enemy, empty)) legal.add(p);
  });
  return legal;
}

}  // namespace pitboss::games
