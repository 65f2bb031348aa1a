#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "games/board_graph.hpp"

/// Walks (Biasing MCTS with Features for General Games: Soemers, Piette, Browne 2019, sec. III):
/// places relative to an anchor, described so that they make sense on any board.
namespace pitboss::engine {

/// Turns are counted in this many parts of a circle, so that a neighbour of a square, a hexagon or
/// a point of the Alquerque board is a whole number of parts from the next one.
inline constexpr int full_turn = 24;

/// The same turn in (-full_turn / 2, full_turn / 2].
[[nodiscard]] int normal_turn(int turn);
/// As a fraction of a circle: "0", "1/4", "-1/6".
[[nodiscard]] std::string turn_text(int turn);

/// A sequence of steps from the anchor, each after a clockwise turn: the first turn is relative to
/// the north, later ones to straight on. Without steps: the anchor itself.
struct Walk {
  std::vector<std::int8_t> turns;

  /// Short walks first, then by turns: straight on, then smaller turns, clockwise ones first.
  friend std::strong_ordering operator<=>(const Walk& a, const Walk& b);
  friend bool operator==(const Walk&, const Walk&) = default;
};

/// "{0, 1/4}".
[[nodiscard]] std::string text_of(const Walk& walk);

/// How a feature lies on a board: turned clockwise, and perhaps mirrored.
struct Placement {
  int rotation = 0;  ///< in parts of a circle
  bool mirrored = false;
};

/// The end of the walk from the point `anchor`; BoardGraph::off if the walk leaves the board, even
/// if it would come back. A turn that the point does not have is rounded; halves are rounded down.
[[nodiscard]] int destination(const games::BoardGraph& graph, int anchor, const Walk& walk,
                              const Placement& placement = {});

/// The walk in a placement.
[[nodiscard]] Walk placed(const Walk& walk, const Placement& placement);
/// The walk from the end of `origin` to the end of `walk`, both from one anchor: back to where the
/// two part, then on. Needs arities that are even and divide the largest one.
[[nodiscard]] Walk seen_from(const Walk& origin, const Walk& walk);

/// The walk `first`, continued by `next`, whose first turn is relative to the north at the end of
/// `first`; steps that lead straight back are left out. Needs arities that are even and divide the
/// largest one.
[[nodiscard]] Walk joined(const Walk& first, const Walk& next);
/// The shortest walk between two points of a board; the first of several in the order of
/// neighbours.
[[nodiscard]] Walk shortest_walk(const games::BoardGraph& graph, int from, int to);

/// The rotations that map the neighbours of a point of `arity` onto one another.
[[nodiscard]] std::vector<int> rotations_of(int arity);
/// All walks of up to `longest` steps that begin in any of `arity` directions and never turn
/// straight back (sec. III).
[[nodiscard]] std::vector<Walk> walks_up_to(int longest, int arity);

}  // namespace pitboss::engine
