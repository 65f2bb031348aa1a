#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>

#include "games/game.hpp"
#include "games/random.hpp"

/// The target of a move and the block of points around it: the context of the abstractors 3x3 and
/// 5x5 (ME-MCTS: Baier and Kaisers, IJCAI 2021).
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
template <int Side, int Bits>
inline constexpr auto cells_outside = [] {
  std::uint32_t column = 0;  // the leftmost one
  for (int row = 0; row < Side; ++row) column |= std::uint32_t{1} << Side * row;
  std::array<std::array<std::uint32_t, Bits>, widest_stride + 1> table{};
  for (int stride = 1; stride <= widest_stride; ++stride) {
    for (int p = 0; p < Bits; ++p) {
      for (int i = 0; i < Side; ++i) {
        const int x = p % stride + i - Side / 2;
        if (x < 0 || x >= stride) table[stride][p] |= column << i;
      }
    }
  }
  return table;
}();

}  // namespace detail

/// The blocks of a position: the pieces on a point and on the points around it, `Side` by `Side`
/// of the columns and rows of `shape()`, on hexagonal boards too. Reads the position once and keeps
/// no reference to it.
template <Game G, int Side = 3>
class Neighbourhoods {
 public:
  explicit Neighbourhoods(const G& game)
      : stride_(game.shape().stride),
        outside_(&detail::cells_outside<Side, Board::bits>[static_cast<std::size_t>(stride_)]) {
    assert(stride_ <= detail::widest_stride);
    const Board points = game.points();
    for (int kind = 0; kind < kinds; ++kind) {
      const Board pieces = game.pieces(kind);
      Plane& plane = planes_[static_cast<std::size_t>(kind)];
      plane.fill(~std::uint64_t{0});
      for (int i = 0; i < Board::words; ++i) plane[i + 1] = pieces.word(i) | ~points.word(i);
    }
  }

  /// The block as a word. The words of two points, even of different positions of G, are equal if
  /// all cells are equal: off the board, empty, or with a piece of the same kind. They are unequal
  /// otherwise, but for collisions of a hash where the cells have no room in a word.
  [[nodiscard]] std::uint64_t operator()(int point) const {
    const std::uint64_t outside = (*outside_)[static_cast<std::size_t>(point)];
    std::uint64_t block = 0;
    for (int kind = 0; kind < kinds; ++kind) {
      // Only a cell off the board has the bits of all kinds.
      const std::uint64_t those =
          outside | cells_of(planes_[static_cast<std::size_t>(kind)], point);
      if constexpr (kinds * Side * Side <= 64) {
        block |= those << Side * Side * kind;
      } else {
        block = mix(block) ^ those;
      }
    }
    return block;
  }

 private:
  using Board = typename G::Board;
  static constexpr int kinds = kinds_of<G>;
  static_assert(2 <= kinds && kinds <= 7);
  static_assert(Side == 3 || Side == 5);
  /// The points of a kind and all places off the board, with words more below and above.
  using Plane = std::array<std::uint64_t, Board::words + 3>;

  [[nodiscard]] std::uint64_t cells_of(const Plane& plane, int point) const {
    constexpr std::uint64_t row = (1U << Side) - 1;
    std::uint64_t cells = 0;
    // One word has three rows, which are less than 64 bits long.
    for (int first = 0; first < Side; first += 3) {
      const int from = point + 64 + (first - Side / 2) * stride_ - Side / 2;
      const int word = from / 64;
      const int bit = from % 64;
      const std::uint64_t rows = plane[word] >> bit | plane[word + 1] << 1 << (63 - bit);
      for (int i = first; i < Side && i < first + 3; ++i) {
        cells |= ((rows >> (i - first) * stride_) & row) << Side * i;
      }
    }
    return cells;
  }

  int stride_;
  const std::array<std::uint32_t, Board::bits>* outside_;
  std::array<Plane, kinds> planes_;
};

/// The word of one block of a position; for several blocks use Neighbourhoods.
template <int Side = 3, Game G>
[[nodiscard]] std::uint64_t block_around(const G& game, int point) {
  return Neighbourhoods<G, Side>(game)(point);
}

}  // namespace pitboss::games
