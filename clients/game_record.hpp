#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pitboss::clients {

/// One finished game as games.csv holds it.
struct GameRecord {
  int game = 0;         ///< counted from 1
  int pair = 0;         ///< counted from 1; both games of a pair share the opening
  std::string opening;  ///< moves separated by blanks; may be empty
  std::string black;    ///< players' names
  std::string white;
  std::string winner;  ///< a player's name, or "draw"
  std::string result;  ///< "B+3", "W+1", "0"; "B+R" after a resignation, "B+F" after a forfeit
  std::string reason;  ///< "rules", "resigned", "length", or how the loser failed
  int plies = 0;
  std::string moves;  ///< all, from the initial position, separated by blanks

  /// A loss by something other than play: a crash, silence, an illegal move...
  [[nodiscard]] bool is_forfeit() const { return result.ends_with("+F"); }
  [[nodiscard]] const std::string& loser() const { return winner == black ? white : black; }
  friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

inline constexpr std::string_view csv_header =
    "game,pair,opening,black,white,winner,result,reason,plies,moves";

/// One line of CSV (RFC 4180), without its line feed; no field may hold one.
[[nodiscard]] std::string csv_line(const GameRecord& record);
/// Reads what `csv_line` writes, and nothing else: throws std::runtime_error for a line that is
/// malformed or contradicts itself.
[[nodiscard]] GameRecord parse_csv_line(std::string_view line);

/// "a b c".
[[nodiscard]] std::string join(const std::vector<std::string>& words);

}  // namespace pitboss::clients
