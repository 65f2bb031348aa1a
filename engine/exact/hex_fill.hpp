#pragma once

#include <array>
#include <vector>

#include "engine/exact/hex_lattice.hpp"

namespace pitboss::engine {

/// Fills in empty points of hex whose owner is decided (R. Hayward, Y. Björnsson, M. Johanson,
/// M. Kan, N. Po, J. van Rijswijck, "Solving 7x7 Hex with domination, fill-in, and virtual
/// connections", 2005). Who wins stays the same, whoever is to move.
///
///   * A point is dead if no shortest chain of a colour can need it: if all that a colour's chain
///     could go on to from there is next to each other already. It is given to black.
///   * Two points are captured by a colour if a stone of its enemy on either would be dead once the
///     colour has the other one. They are given to the colour.
template <int Bits>
class HexFill {
 public:
  using Board = games::Bitboard<Bits>;

  explicit HexFill(const HexLattice<Bits>& lattice)
      : lattice_(lattice), near_(lattice.near.size()), edges_(lattice.near.size()) {}

  /// Adds stones to the position until there is nothing left to add.
  void fill(HexStones<Bits>& stones) {
    for (int unchanged = 0, colour = 0; unchanged < 2; colour = 1 - colour) {
      unchanged = fill_for(stones, colour) ? 0 : unchanged + 1;
    }
  }

 private:
  bool fill_for(HexStones<Bits>& stones, int colour) {
    link(stones, colour);
    const Board empty = lattice_.empty(stones);
    Board dead;
    empty.for_each([&](int p) {
      if (is_dead(near_[p], edges_[p])) dead.add(p);
    });
    if (dead.any()) {
      stones[0] |= dead;
      return true;
    }
    Board captured;
    empty.for_each([&](int p) {
      if (captured.has(p)) return;
      const Board others = minus(lattice_.near[p] & empty, captured);
      for (Board left = others; left.any();) {
        const int q = left.first();
        left.remove(q);
        if (q < p || !is_dead_beside(p, q) || !is_dead_beside(q, p)) continue;
        captured.add(p);
        captured.add(q);
        return;
      }
    });
    stones[colour] |= captured;
    return captured.any();
  }

  /// Finds what the colour's chains through an empty point could go on to: empty points next to it,
  /// or next to a chain that it is next to; and the edges.
  void link(const HexStones<Bits>& stones, int colour) {
    const Board empty = lattice_.empty(stones);
    empty.for_each([&](int p) {
      near_[p] = lattice_.near[p] & empty;
      edges_[p] = 0;
    });
    lattice_.for_each_chain(stones[colour], colour, [&](const Board& chain, unsigned edges) {
      const Board border = lattice_.border(chain, edges, colour, empty);
      border.for_each([&](int p) {
        near_[p] |= border;
        near_[p].remove(p);
        edges_[p] |= edges;
      });
    });
  }

  [[nodiscard]] bool is_dead(const Board& near, unsigned edges) const {
    if (edges == 3) return false;
    for (Board left = near; left.any();) {
      const int p = left.first();
      left.remove(p);
      Board missing = minus(near, near_[p]);
      missing.remove(p);
      if (missing.any() || (edges & ~edges_[p]) != 0) return false;
    }
    return true;
  }
  /// Whether `p` is dead once the colour has a stone on `q`, next to it.
  [[nodiscard]] bool is_dead_beside(int p, int q) const {
    Board near = near_[p] | near_[q];
    near.remove(p);
    near.remove(q);
    const unsigned edges = edges_[p] | edges_[q];
    if (edges == 3) return false;
    for (Board left = near; left.any();) {
      const int n = left.first();
      left.remove(n);
      const bool is_beside = near_[q].has(n);
      Board missing = minus(near, is_beside ? near_[n] | near_[q] : near_[n]);
      missing.remove(n);
      const unsigned edges_of_n = is_beside ? edges_[n] | edges_[q] : edges_[n];
      if (missing.any() || (edges & ~edges_of_n) != 0) return false;
    }
    return true;
  }

  const HexLattice<Bits>& lattice_;
  // Of empty points, for the colour that `link` was last called for.
  std::vector<Board> near_;
  std::vector<unsigned> edges_;  ///< bit i: edge i
};

}  // namespace pitboss::engine
