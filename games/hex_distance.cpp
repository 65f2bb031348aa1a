#include "games/hex_distance.hpp"

namespace pitboss::games {

namespace {

/// The steps on a board, in no more words than its size needs.
template <int Words>
class Steps {
 public:
  using Board = Bitboard<64 * Words>;

  explicit Steps(const Grid<384>& grid) {
    // Orders the directions around a point, so that neighbouring directions follow each other. The
    // grid's order is east, west, north, south, south-east, north-west.
    constexpr std::array<int, 6> round{0, 2, 5, 1, 3, 4};
    for (int i = 0; i < 6; ++i) {
      const auto& direction = grid.directions[round[i]];
      directions_[i] = {direction.offset, direction.reached.template resized<64 * Words>()};
    }
  }

  /// All points a step or a bridge away from one of `from`.
  [[nodiscard]] Board near(const Board& from, const Board& empty) const {
    std::array<Board, 6> steps;
    Board all;
    for (int i = 0; i < 6; ++i) {
      steps[i] = step(from, i);
      all |= steps[i];
      steps[i] &= empty;
    }
    for (int i = 0; i < 6; ++i) {
      const int j = i == 5 ? 0 : i + 1;
      all |= step(steps[i], j) & step(steps[j], i);
    }
    return all;
  }
  /// The points of an edge, and those a bridge away from the edge: `left` and `right` are the two
  /// directions from the edge into the board.
  [[nodiscard]] Board near_edge(const Board& edge, const Board& empty, int left, int right) const {
    return edge | (step(edge & empty, left) & step(edge & empty, right));
  }

 private:
  struct Direction {
    int offset;
    Board reached;
  };
  [[nodiscard]] Board step(const Board& from, int i) const {
    return from.shifted(directions_[i].offset) & directions_[i].reached;
  }
  std::array<Direction, 6> directions_;
};

/// The steps into the board from the edges of each colour: from the bottom row to the north and
/// north-west, from the top row to the south and south-east, and so on.
struct Inwards {
  int left;
  int right;
};
constexpr std::array<Inwards, 2> from_first{{{1, 2}, {0, 5}}};
constexpr std::array<Inwards, 2> from_second{{{4, 5}, {2, 3}}};

template <int Words>
int distance(const Steps<Words>& steps, int colour, const Bitboard<64 * Words>& own,
             const Bitboard<64 * Words>& empty, const Bitboard<64 * Words>& first,
             const Bitboard<64 * Words>& second) {
  const auto [left, right] = from_first[colour];
  const auto [other_left, other_right] = from_second[colour];
  auto next = steps.near_edge(first, empty, left, right);
  const auto goal = steps.near_edge(second, empty, other_left, other_right);
  Bitboard<64 * Words> reached;
  for (int placed = 0;;) {
    // Stones are reached at once, empty points by placing a stone.
    const auto stones = minus(next & own, reached);
    if (stones.any()) {
      reached |= stones;
    } else {
      if ((reached & goal).any()) return placed;
      const auto before = reached;
      reached |= next & empty;
      if (reached == before) return hex_unreachable;
      ++placed;
    }
    next |= steps.near(reached, empty);
  }
}

template <int Words>
std::array<int, 2> distances(const HexBoard& board, const std::array<Bitboard<384>, 2>& stones) {
  constexpr int bits = 64 * Words;
  const Steps<Words> steps(*board.grid);
  const std::array own{stones[0].resized<bits>(), stones[1].resized<bits>()};
  const auto empty = minus(board.grid->points.resized<bits>(), own[0] | own[1]);
  std::array<int, 2> result;
  for (int c = 0; c < 2; ++c) {
    result[c] = distance<Words>(steps, c, own[c], empty, board.first[c].resized<bits>(),
                                board.second[c].resized<bits>());
  }
  return result;
}

}  // namespace

std::array<int, 2> hex_distances(const HexBoard& board,
                                 const std::array<Bitboard<384>, 2>& stones) {
  switch (board.words) {
    case 1:
      return distances<1>(board, stones);
    case 2:
      return distances<2>(board, stones);
    case 3:
      return distances<3>(board, stones);
    case 4:
      return distances<4>(board, stones);
    case 5:
      return distances<5>(board, stones);
    default:
      return distances<6>(board, stones);
  }
}

}  // namespace pitboss::games
