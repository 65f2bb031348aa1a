#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::tests {

/// A game of two players solved by trying all lines, with memory. Shares nothing with the solvers
/// that it is to check.
template <class G>
class PlainNegamax {
 public:
  /// Gives up after so many positions.
  explicit PlainNegamax(std::size_t most_positions) : most_positions_(most_positions) {}

  /// For the side to move 1 if it wins, 0 for a draw, -1 if it loses; nothing if it has given up.
  [[nodiscard]] std::optional<int> score(const G& game) {
    if (const games::Result result = game.result(); result.finished()) {
      return result.shared() ? 0 : result.won_by(game.to_move()) ? 1 : -1;
    }
    if (const auto known = known_.find(game); known != known_.end()) return known->second;
    if (known_.size() >= most_positions_) return std::nullopt;
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    int best = -1;
    for (const games::Move move : moves) {
      G after = game;
      after.play(move);
      const auto reply = score(after);
      if (!reply) return std::nullopt;
      best = std::max(best, -*reply);
      if (best == 1) break;
    }
    return known_[game] = best;
  }

 private:
  struct Hash {
    std::size_t operator()(const G& game) const {
      auto hash = static_cast<std::uint64_t>(games::index(game.to_move()));
      for (int kind = 0; kind < games::kinds_of<G>; ++kind) {
        for (int i = 0; i < G::Board::words; ++i) {
          hash = games::mix(hash ^ game.pieces(kind).word(i));
        }
      }
      return hash;
    }
  };

  std::size_t most_positions_;
  std::unordered_map<G, int, Hash> known_;
};

}  // namespace pitboss::tests
