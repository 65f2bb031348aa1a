#pragma once

#include <array>
#include <chrono>
#include <optional>

#include "games/game.hpp"

namespace pitboss::protocol {

/// A client's clock: GTP's Canadian time (`time_settings`, `time_left`). It only decides how long
/// to think; nobody loses on time here.
class Clock {
 public:
  using Seconds = std::chrono::duration<double>;

  /// Main time, then `stones` moves in every `byo_yomi`. byo_yomi > 0 with no stones means no
  /// limit at all, as in GTP.
  void set(Seconds main, Seconds byo_yomi, int stones);
  /// What a colour has left: of its main time (stones == 0), or for the next `stones` moves.
  void set_left(games::Colour colour, Seconds left, int stones);
  /// Both colours have all their time again.
  void restart();

  /// Time for the next move of `colour`; nothing if there is no limit. At least a millisecond.
  [[nodiscard]] std::optional<std::chrono::milliseconds> for_move(games::Colour colour) const;
  /// Takes the time that a move of `colour` has used.
  void spend(games::Colour colour, Seconds used);

 private:
  struct Hand {
    Seconds left{};
    int stones = 0;  ///< moves for which `left` must do; 0 in main time
  };
  [[nodiscard]] Hand fresh_hand() const;

  bool limited_ = false;
  Seconds main_{};
  Seconds byo_yomi_{};
  int stones_ = 0;
  std::array<Hand, 4> hands_{};
};

}  // namespace pitboss::protocol
