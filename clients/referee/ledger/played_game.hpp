#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/seating.hpp"
#include "clients/players/engine.hpp"

namespace pitboss::clients {

/// One finished game as games.csv holds it.
struct PlayedGame {
  int game = 0;                    ///< counted from 1
  int round = 0;                   ///< counted from 1; the games of a round share the opening
  std::string opening;             ///< moves separated by blanks; may be empty
  std::vector<std::string> seats;  ///< players' names in turn order of the colours
  std::string winner;              ///< a player's name, or "draw"
  /// "B+3", "W+1", "0"; "B+R" after a resignation, "B+T" after a loss on time, "B+F" after another
  /// forfeit.
  std::string result;
  int twelfths = 0;  ///< the first player's share of the one point
  /// "rules", "resigned", "length", "adjudicated", `exact_verdict`, `time_forfeit`, or how the
  /// loser failed.
  std::string reason;
  int plies = 0;
  std::string moves;  ///< all, from the initial position, separated by blanks
  /// Seconds of wall time that each player took for its moves: by the engine's clock if it tells
  /// (Engine::move_time), else by the referee's.
  std::array<double, 2> seconds{};
  /// Seconds beyond these that the referee waited for the moves of engines that tell their time.
  std::array<double, 2> latency{};
  /// By player. Not in games.csv.
  std::array<Evaluations, 2> evaluations{};
  /// The value of each of `moves` for its mover, by the search that chose it: thousandths, or "-"
  /// where nobody told (the opening), separated by blanks. Empty if no engine tells.
  std::string values;
  /// By player, what each of its own moves has taken: "5000/12/3120/3200" for 5000 simulations, 12
  /// plies deep, in 3120 microseconds of processor time and 3200 from begin to end, or "-" for any
  /// of these, with "/exact" behind it if an exact solver has found the move; separated by blanks.
  /// Empty if its engine tells nothing. games.csv has the simulations.
  std::array<std::string, 2> efforts;
  /// What the mover's clock showed after each of `moves`, in the same way: milliseconds, or "-"
  /// where there is no clock. Not in games.csv.
  std::string clocks;

  /// Whether somebody lost by a failure (on time, a crash, silence, an illegal move...), not by
  /// play.
  [[nodiscard]] bool is_forfeit() const { return result.ends_with("+F") || result.ends_with("+T"); }
  /// The losing player; the game must have a winner.
  [[nodiscard]] const std::string& loser() const;
  friend bool operator==(const PlayedGame&, const PlayedGame&) = default;
};

/// The reason of a game lost on time.
inline constexpr std::string_view time_forfeit = "time forfeit";
/// The reason of a game that the referee has ended with the result that a solver had proven.
inline constexpr std::string_view exact_verdict = "exact";

/// What the columns of games.csv are called.
inline constexpr std::string_view csv_header =
    "match,rules,game,round,player1,player2,opening,seats,winner,result,points1,points2,reason,"
    "plies,moves,values,simulations1,simulations2,seconds1,seconds2";

/// The share of the point that each colour gets, by seats, result and reason. Throws
/// std::runtime_error if these contradict each other.
[[nodiscard]] Shares shares_of(const PlayedGame& record, const Sides& sides);
/// Sets winner and points by seats, result and reason. Throws as `shares_of` does.
void settle(PlayedGame& record, const Sides& sides);

/// Throws std::runtime_error(what) unless the condition holds.
void check_record(bool holds, const char* what);
/// Throws std::runtime_error unless a game of these sides can have this record.
void check_game(const PlayedGame& record, const Sides& sides);

/// The line for a game in games.csv (CSV as in RFC 4180) behind the columns `match` and `rules`,
/// without its line feed; no field may contain a line feed.
[[nodiscard]] std::string csv_line(const PlayedGame& record, const Sides& sides);

/// The values in [0, 1] of a game's moves as text (see PlayedGame::values), and back.
[[nodiscard]] std::string values_text(const std::vector<std::optional<double>>& values);
[[nodiscard]] std::vector<std::optional<double>> values_of(const PlayedGame& record);
/// What the clocks showed as text (see PlayedGame::clocks).
[[nodiscard]] std::string clocks_text(const std::vector<std::optional<protocol::TimeLeft>>& clocks);

/// What the moves of a player have taken as text (see PlayedGame::efforts), and back.
[[nodiscard]] std::string efforts_text(const std::vector<Effort>& efforts);
/// Throws std::runtime_error.
[[nodiscard]] std::vector<Effort> efforts_in(const std::string& text);

/// Words as one text with blanks between them, "a b c", and back.
[[nodiscard]] std::string join(const std::vector<std::string>& words);
[[nodiscard]] std::vector<std::string> split(const std::string& text);

}  // namespace pitboss::clients
