#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>

#include "games/game.hpp"

/// The target of a move and the 3x3 block of points around it: the context of the 3x3 abstractor
/// (ME-MCTS: Baier and Kaisers, IJCAI 2021).
namespace pitboss::games {

/// A game with targets of legal moves: `target(move)` is a point, or -1 for a move without a target
/// (a pass, swap). The target is the point where a stone is placed or lands, where a man ends its
/// move, at which a cannon shoots, or to which the queen moves in amazons.
template <class G>
concept HasTarget = Game<G> && requires(const G g, Move move) {
  { g.target(move) } -> std::same_as<int>;
};

/// A game whose men move: `origin(move)` is the point from which a legal move's man comes, or -1
/// for a move that places a man or has no target.
template <class G>
concept HasOrigin = HasTarget<G> && requires(const G g, Move move) {
  { g.origin(move) } -> std::same_as<int>;
};
/// The move's origin; -1 in a game without origins.
template <HasTarget G>
[[nodiscard]] int origin_of([[maybe_unused]] const G& game, [[maybe_unused]] Move move) {
  if constexpr (HasOrigin<G>) {
    return game.origin(move);
  } else {
    return -1;
  }
}

/// A game in which the target of a move may hold an enemy's man, which is then taken.
template <class G>
concept TargetsEnemies = requires {
  requires G::targets_enemies;
};

namespace detail {

inline constexpr int widest_stride = 25;  // letters for columns, see grid.hpp

/// By stride and point: the cells of the point's block that lie left of the first column or right
/// of the last one, as bits; row by row from the bottom, each row from the left.
template <int Bits>
inline constexpr auto cells_outside = [] {
  std::array<std::array<std::uint16_t, Bits>, widest_stride + 1> table{};
  for (int stride = 1; stride <= widest_stride; ++stride) {
    for (int p = 0; p < Bits; ++p) {
      const int x = p % stride;
      table[stride][p] = static_cast<std::uint16_t>((x == 0 ? 0b001'001'001 : 0) |
                                                    (x == stride - 1 ? 0b100'100'100 : 0));
    }
  }
  return table;
}();

}  // namespace detail

/// The 3x3 blocks of a position: the pieces on a point and on the eight points around it, in the
/// columns and rows of `shape()`, on hexagonal boards too. Reads the position once and keeps no
/// reference to it.
template <Game G>
class Neighbourhoods {
 public:
  explicit Neighbourhoods(const G& game)
      : stride_(game.shape().stride),
        outside_(&detail::cells_outside<Board::bits>[static_cast<std::size_t>(stride_)]) {
    assert(stride_ <= detail::widest_stride);
    const Board points = game.points();
    for (int kind = 0; kind < kinds; ++kind) {
      const Board pieces = game.pieces(kind);
      Plane& plane = planes_[static_cast<std::size_t>(kind)];
      plane.front() = plane.back() = ~std::uint64_t{0};
      for (int i = 0; i < Board::words; ++i) plane[i + 1] = pieces.word(i) | ~points.word(i);
    }
  }

  /// The block as a word. The words of two points, even of different positions of G, are equal
  /// exactly if all nine cells are equal: off the board, empty, or with a piece of the same kind.
  [[nodiscard]] std::uint64_t operator()(int point) const {
    // Nine bits for each kind. Only a cell off the board has the bits of all kinds.
    std::uint64_t block = (*outside_)[static_cast<std::size_t>(point)] * each_kind;
    const int from = point + 64 - stride_ - 1;
    const int word = from / 64;
    const int bit = from % 64;
    for (int kind = 0; kind < kinds; ++kind) {
      const Plane& plane = planes_[static_cast<std::size_t>(kind)];
      // One word has all three rows, which are less than 64 bits long.
      const std::uint64_t rows = plane[word] >> bit | plane[word + 1] << 1 << (63 - bit);
      block |= ((rows & 7U) | ((rows >> stride_) & 7U) << 3 | ((rows >> 2 * stride_) & 7U) << 6)
               << 9 * kind;
    }
    return block;
  }

 private:
  using Board = typename G::Board;
  static constexpr int kinds = kinds_of<G>;
  static_assert(2 <= kinds && kinds <= 7);
  static constexpr std::uint64_t each_kind = [] {
    std::uint64_t ones = 0;
    for (int kind = 0; kind < kinds; ++kind) ones |= std::uint64_t{1} << 9 * kind;
    return ones;
  }();
  /// The points of a kind and all places off the board, with one more word below and above.
  using Plane = std::array<std::uint64_t, Board::words + 2>;

  int stride_;
  const std::array<std::uint16_t, Board::bits>* outside_;
  std::array<Plane, kinds> planes_;
};

/// The word of one block of a position; for several blocks use Neighbourhoods.
template <Game G>
[[nodiscard]] std::uint64_t block_around(const G& game, int point) {
  return Neighbourhoods<G>(game)(point);
}

}  // namespace pitboss::games
