#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <span>

#include "games/game.hpp"
#include "protocol/time_settings.hpp"

namespace pitboss::server {

/// A game's clock: decides how long to think; nobody loses on time here. It counts the time of the
/// moves that are made here; `set_left` replaces its count by the client's.
///
/// How a move's time is found (docs/protocol.md has it in words): every move still to come may cost
/// `lag` on its way to the client, so `lag` is kept back for each; the rest, but at least a quarter
/// of the time left, is spare and shared among the moves still to come.
class Clock {
 public:
  using Seconds = protocol::TimeSettings::Seconds;

  /// Both colours begin anew with these settings.
  void set(const protocol::TimeSettings& settings);
  /// Limits that colour, even without settings, until `set` or `restart`.
  void set_left(games::Colour colour, const protocol::TimeLeft& left);
  /// Both colours have all their time again.
  void restart();

  [[nodiscard]] const protocol::TimeSettings& settings() const { return settings_; }
  [[nodiscard]] const protocol::TimeLeft& left(games::Colour colour) const {
    return left_[games::index(colour)];
  }
  [[nodiscard]] std::span<const protocol::TimeLeft> left() const { return left_; }

  /// Time to think about the next move of `colour`; nothing if there is no limit. At least a
  /// millisecond. `lag` is the time that a move loses on its way; `moves_to_come` (at least 1) is
  /// the number of moves that this colour may still have to make (moves_to_come()).
  [[nodiscard]] std::optional<std::chrono::milliseconds> for_move(games::Colour colour, Seconds lag,
                                                                  int moves_to_come) const;
  /// Subtracts the time that a move of `colour` has used. The caller adds an estimate of the move's
  /// way to the client, which only the client can measure.
  void spend(games::Colour colour, Seconds used);

 private:
  [[nodiscard]] Seconds for_main_time(Seconds left, Seconds lag, int moves_to_come) const;
  [[nodiscard]] Seconds for_overtime(Seconds left, int moves, Seconds lag) const;

  protocol::TimeSettings settings_;
  std::array<protocol::TimeLeft, 4> left_{};  ///< by colour
};

/// The moves that one player may still have to make after `plies` of a game of at most `max_plies`:
/// enough to make 100 in all, at least 20 more, at most what the rules allow.
[[nodiscard]] int moves_to_come(int plies, int max_plies, int players);

}  // namespace pitboss::server
