#pragma once

#include <array>
#include <vector>

#include "games/bitboard.hpp"
#include "games/hex.hpp"

namespace pitboss::engine {

/// The stones of a position of hex, by colour, black first.
template <int Bits>
using HexStones = std::array<games::Bitboard<Bits>, 2>;

template <int Bits>
[[nodiscard]] HexStones<Bits> stones_of(const games::Hex& position) {
  return {position.pieces(0).template resized<Bits>(), position.pieces(1).template resized<Bits>()};
}

/// Calls `call` with the number of bits that boards of this size need as its template argument.
template <class Call>
decltype(auto) with_hex_bits(int size, Call&& call) {
  if (size <= 8) return call.template operator()<64>();
  if (size <= 11) return call.template operator()<128>();
  return call.template operator()<384>();
}

/// A board of hex in no more words than its size needs.
template <int Bits>
struct HexLattice {
  using Board = games::Bitboard<Bits>;

  explicit HexLattice(int size) : points(size * size) {
    const games::HexBoard& board = games::hex_board(size);
    all = board.grid->points.template resized<Bits>();
    for (int c = 0; c < 2; ++c) {
      edge[c] = {board.first[c].template resized<Bits>(), board.second[c].template resized<Bits>()};
    }
    for (int p = 0; p < points; ++p) {
      near.push_back(
          board.grid->neighbours(games::Bitboard<384>::point(p)).template resized<Bits>());
    }
  }

  [[nodiscard]] Board empty(const HexStones<Bits>& stones) const {
    return minus(all, stones[0] | stones[1]);
  }
  /// The points next to one of `from`, which may be among them.
  [[nodiscard]] Board neighbours(const Board& from) const {
    Board next;
    from.for_each([&](int p) { next |= near[p]; });
    return next;
  }
  /// The points of `within` that are joined to `seed` inside `within`.
  [[nodiscard]] Board flood(const Board& seed, const Board& within) const {
    Board grown = seed & within;
    for (Board fresh = grown; fresh.any();) {
      fresh = minus(neighbours(fresh) & within, grown);
      grown |= fresh;
    }
    return grown;
  }
  /// Whether a chain of stones of `colour` joins its edges.
  [[nodiscard]] bool is_joined(const HexStones<Bits>& stones, int colour) const {
    return (flood(edge[colour][0], stones[colour]) & edge[colour][1]).any();
  }
  /// Calls `visit(stones, edges)` for every chain of `own`, of `colour`: bit i of `edges` says that
  /// the chain is on edge i. Each edge counts as one chain, also without a stone; those two come
  /// first. `stones` is empty for an edge without any.
  template <class Visit>
  void for_each_chain(const Board& own, int colour, Visit&& visit) const {
    Board left = own;
    for (int i = 0; i < 2; ++i) {
      const Board chain = flood(edge[colour][i], own);
      visit(chain, 1U << i);
      left = minus(left, chain);
    }
    while (left.any()) {
      const Board chain = flood(Board::point(left.first()), own);
      visit(chain, 0U);
      left = minus(left, chain);
    }
  }
  /// The empty points next to a chain, or to the edges that it is on.
  [[nodiscard]] Board border(const Board& chain, unsigned edges, int colour,
                             const Board& empty) const {
    Board next = neighbours(chain);
    for (int i = 0; i < 2; ++i) {
      if ((edges >> i & 1U) != 0) next |= edge[colour][i];
    }
    return next & empty;
  }

  int points;  ///< how many
  Board all;
  std::array<std::array<Board, 2>, 2> edge;  ///< by colour, the rows of points along its edges
  std::vector<Board> near;                   ///< the neighbours of each point
};

}  // namespace pitboss::engine
