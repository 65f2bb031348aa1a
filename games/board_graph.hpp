#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/board_shape.hpp"
#include "games/game.hpp"

namespace pitboss::games {

/// A game on the Alquerque board: neighbours are those of the square board, and diagonally where
/// x + y is even.
template <class G>
concept OnAlquerque = requires {
  requires G::is_alquerque;
};

/// The neighbours of each point of a board in circular order: clockwise from the north, with `off`
/// where the board ends. Their number, the point's arity, is that of a point inside the board: 4 on
/// squares, where diagonals are no neighbours, 6 on hexagons, 4 or 8 on the Alquerque board
/// (Biasing MCTS with Features, sec. III).
class BoardGraph {
 public:
  static constexpr int off = -1;
  static constexpr int largest_arity = 8;

  /// `points` are the board's points.
  BoardGraph(const BoardShape& shape, std::vector<int> points, bool is_alquerque);

  [[nodiscard]] const BoardShape& shape() const { return shape_; }
  /// Ascending.
  [[nodiscard]] const std::vector<int>& points() const { return points_; }
  [[nodiscard]] int arity(int point) const { return place(point).arity; }
  /// A point or `off`; `index` is taken modulo the arity and may be negative.
  [[nodiscard]] int neighbour(int point, int index) const {
    const Place& here = place(point);
    return here.neighbours[((index % here.arity) + here.arity) % here.arity];
  }
  /// The index of `other` among the neighbours of `point`.
  [[nodiscard]] int index_of(int point, int other) const;
  /// The arities of the board's points, ascending.
  [[nodiscard]] const std::vector<int>& arities() const { return arities_; }

 private:
  struct Place {
    int arity = 0;  ///< 0: not a point of the board
    std::array<std::int16_t, largest_arity> neighbours{};
  };
  [[nodiscard]] const Place& place(int point) const { return places_[point]; }

  BoardShape shape_;
  std::vector<int> points_;
  std::vector<Place> places_;
  std::vector<int> arities_;
};

/// The graph of the game's board, the same for all its positions.
template <Game G>
[[nodiscard]] BoardGraph board_graph(const G& game) {
  std::vector<int> points;
  game.points().for_each([&](int p) { points.push_back(p); });
  return {game.shape(), std::move(points), OnAlquerque<G>};
}

}  // namespace pitboss::games
