#pragma once

#include <array>
#include <chrono>
#include <limits>
#include <optional>

#include "games/game.hpp"

namespace pitboss::server {

/// How a game is timed. Main time first, then what the system says:
enum class TimeSystem : std::uint8_t {
  none,      ///< no limit
  absolute,  ///< nothing more
  canadian,  ///< `count` moves in every `period`
  byo_yomi,  ///< one move in each `period`; a move loses those of `count` periods that it uses up
  fischer    ///< `period` is added after every move, up to `most`; no move takes over `most_a_move`
};

struct TimeSettings {
  using Seconds = std::chrono::duration<double>;
  static constexpr Seconds unlimited{std::numeric_limits<double>::infinity()};

  TimeSystem system = TimeSystem::none;
  Seconds main{};
  Seconds period{};
  int count = 0;
  Seconds most = unlimited;
  Seconds most_a_move = unlimited;
};

/// A game's clock: decides how long to think; nobody loses on time here. It counts the time of the
/// moves that are made here; `set_left` replaces its count by the client's.
///
/// How a move's time is found (docs/protocol.md has it in words): every move still to come may cost
/// `lag` on its way to the client, so `lag` is kept back for each; the rest, but at least a quarter
/// of the time left, is spare and shared among the moves still to come.
class Clock {
 public:
  using Seconds = TimeSettings::Seconds;

  /// Both colours begin anew with these settings.
  void set(const TimeSettings& settings);
  /// What a colour has left: of its main time (count == 0), for the next `count` moves (canadian),
  /// or in the first of `count` periods (byo-yomi). Limits that colour, even without settings,
  /// until `set` or `restart`.
  void set_left(games::Colour colour, Seconds left, int count);
  /// Both colours have all their time again.
  void restart();

  /// Time to think about the next move of `colour`; nothing if there is no limit. At least a
  /// millisecond. `lag` is the time that a move loses on its way; `moves_to_come` (at least 1) is
  /// the number of moves that this colour may still have to make (moves_to_come()).
  [[nodiscard]] std::optional<std::chrono::milliseconds> for_move(games::Colour colour, Seconds lag,
                                                                  int moves_to_come) const;
  /// Subtracts the time that a move of `colour` has used. The caller adds an estimate of the move's
  /// way to the client, which only the client can measure.
  void spend(games::Colour colour, Seconds used);

 private:
  struct Hand {
    Seconds left = TimeSettings::unlimited;
    int count = 0;  ///< moves for which `left` must do, or periods; 0 in main time
  };
  [[nodiscard]] Seconds for_main_time(Seconds left, Seconds lag, int moves_to_come) const;
  [[nodiscard]] Seconds for_overtime(Seconds left, int moves, Seconds lag) const;
  void end_main_time(Hand& hand) const;

  TimeSettings settings_;
  std::array<Hand, 4> hands_{};
};

/// The moves that one player may still have to make after `plies` of a game of at most `max_plies`:
/// enough to make 100 in all, at least 20 more, at most what the rules allow.
[[nodiscard]] int moves_to_come(int plies, int max_plies, int players);

}  // namespace pitboss::server
