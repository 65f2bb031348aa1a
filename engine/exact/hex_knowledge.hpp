#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "games/hex.hpp"

namespace pitboss::engine {

/// What is known of a move without search.
enum class MoveWorth : std::uint8_t {
  open,      ///< nothing
  winning,   ///< it wins
  losing,    ///< it loses
  redundant  ///< another move, which is not redundant, is as good
};

/// What is known of positions of hex without search (hex_insight.hpp): who wins, or which moves
/// need not be tried.
class HexKnowledge {
 public:
  /// Of an unfinished position.
  struct Verdict {
    std::optional<games::Colour> winner{};  ///< then no move is losing or redundant
    std::optional<games::Move> winning{};   ///< if the side to move wins
    games::Hex::Board losing{};
    games::Hex::Board redundant{};

    [[nodiscard]] MoveWorth worth(games::Move move) const {
      if (move == winning) return MoveWorth::winning;
      if (move == games::SwapRule::move) return MoveWorth::open;
      const int point = static_cast<int>(code(move));
      if (losing.has(point)) return MoveWorth::losing;
      return redundant.has(point) ? MoveWorth::redundant : MoveWorth::open;
    }
  };

  HexKnowledge();
  ~HexKnowledge();
  HexKnowledge(const HexKnowledge&) = delete;
  HexKnowledge& operator=(const HexKnowledge&) = delete;

  /// Before `look`: allocates some MiB for positions on boards of this one's size, if there is not
  /// enough. May throw std::bad_alloc.
  void prepare(const games::Hex& position);
  /// Nothing is known where swap is legal, or is after the next move.
  [[nodiscard]] Verdict look(const games::Hex& position);

  /// For boards of one size.
  class Observer {
   public:
    virtual ~Observer() = default;
    [[nodiscard]] virtual Verdict look(const games::Hex& position) = 0;
  };

 private:
  int size_ = 0;
  std::unique_ptr<Observer> observer_;
};

}  // namespace pitboss::engine
