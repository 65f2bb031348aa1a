#pragma once

#include "engine/exact/hex_connections.hpp"
#include "engine/exact/hex_fill.hpp"
#include "engine/exact/hex_lattice.hpp"

namespace pitboss::engine {

/// What is seen of a position of hex without playing on: by fill-in (hex_fill.hpp), and by virtual
/// connections of the edges in the filled position (hex_connections.hpp).
template <int Bits>
class HexInsight {
 public:
  using Board = games::Bitboard<Bits>;

  struct View {
    static constexpr int none = -1;

    HexStones<Bits> filled;
    int winner = none;  ///< the colour that is seen to win
    int move = none;    ///< with which the side to move wins
    /// Empty points of the filled position: the winner wins within them if the loser has all
    /// others; of an undecided position they show that other moves than `moves` lose.
    Board carrier{};
    Board moves{};  ///< of an undecided position: those that may win
    int steps = 0;  ///< of the searches for connections
  };

  explicit HexInsight(int size)
      : lattice_(size), fill_(lattice_), connections_(lattice_, most_steps) {}
  // Not copied: the parts refer to the lattice.
  HexInsight(const HexInsight&) = delete;
  HexInsight& operator=(const HexInsight&) = delete;
  ~HexInsight() = default;

  [[nodiscard]] const HexLattice<Bits>& lattice() const { return lattice_; }

  /// Looks at a position with `mover` to move, and fills it in if it is to.
  [[nodiscard]] View look(const HexStones<Bits>& stones, int mover, bool fills) {
    View view{stones};
    if (fills) fill_.fill(view.filled);
    for (const int colour : {0, 1}) {
      if (!lattice_.is_joined(view.filled, colour)) continue;
      view.winner = colour;
      return view;
    }
    if (!find_win(view, mover)) find_answers(view, mover);
    return view;
  }

 private:
  /// Of one search for connections. A position of 11x11 takes up to about a millisecond.
  static constexpr int most_steps = 40000;

  bool find_win(View& view, int mover) {
    connections_.search(view.filled, mover, /*semi_suffices=*/true);
    view.steps = connections_.steps();
    const auto* const connection = connections_.connection();
    const auto* const own = connection ? connection : connections_.semi();
    if (own == nullptr) return false;
    view.winner = mover;
    view.move = own == connection ? own->carrier.first() : own->move;
    view.carrier = own->carrier;
    return true;
  }
  /// Restricts the moves to the points that all semi-connections of the enemy's edges have in
  /// common.
  void find_answers(View& view, int mover) {
    connections_.search(view.filled, 1 - mover, /*semi_suffices=*/false);
    view.steps += connections_.steps();
    if (const auto* const enemy = connections_.connection()) {
      view.winner = 1 - mover;
      view.carrier = enemy->carrier;
      return;
    }
    view.moves = lattice_.empty(view.filled);
    for (const auto* semi = connections_.semi(); semi; semi = connections_.after(*semi)) {
      const Board left = view.moves & semi->carrier;
      if (left == view.moves) continue;
      view.moves = left;
      view.carrier |= semi->carrier;
    }
    if (view.moves.none()) view.winner = 1 - mover;
  }

  HexLattice<Bits> lattice_;
  HexFill<Bits> fill_;
  HexConnections<Bits> connections_;
};

}  // namespace pitboss::engine
