#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/openings.hpp"
#include "clients/experiments/player.hpp"
#include "clients/experiments/seating.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// When the referee ends a game before the rules do: by the values that the players report, or by a
/// proof of its own. For games of two colours. All off by default.
struct Adjudication {
  /// A win, when for so many moves of each side in a row the side to move reported at least
  /// 1 - resign_value if it is the winner and at most resign_value if it is the loser. 0: never.
  int resign_moves = 0;
  double resign_value = 0.05;  ///< in [0, 0.5)
  /// A draw, when for so many moves of each side in a row each value was within draw_margin of 1/2.
  /// 0: never.
  int draw_moves = 0;
  double draw_margin = 0.02;  ///< in [0, 0.5)
  int draw_from_ply = 0;      ///< and not before
  bool exact = false;         ///< when an exact solver proves the position, with that result

  [[nodiscard]] constexpr bool hears_values() const { return resign_moves > 0 || draw_moves > 0; }
  [[nodiscard]] constexpr bool is_on() const { return exact || hears_values(); }
  friend bool operator==(const Adjudication&, const Adjudication&) = default;
};

/// The rule in words, for the user; empty if nothing is on.
[[nodiscard]] std::string adjudication_text(const Adjudication& rule);

/// A match of two players at one game. It determines every game, if the engines' moves depend on
/// their seeds alone.
struct Match {
  std::string game;
  games::Parameters parameters;               ///< complete
  std::span<const std::string_view> colours;  ///< of the game, in turn order
  std::array<Player, 2> players;
  Openings openings;
  std::int64_t seed = 1;
  int games = 0;  ///< a multiple of `round`
  /// Nobody plays it any more: what is on record is all that there will be.
  bool is_retired = false;
  int max_plies = 0;  ///< a game of that many plies is a draw; 0: only the rules end a game
  Adjudication adjudication;
  /// An engine without a clock that is silent for longer loses.
  std::chrono::milliseconds move_timeout = std::chrono::seconds(300);
  /// By how much a move may exceed a player's clock.
  std::chrono::milliseconds time_margin{50};

  [[nodiscard]] std::unique_ptr<games::AnyGame> initial_position() const {
    return games::make_game(game, parameters);
  }
  [[nodiscard]] bool has_clock() const { return players[0].clock || players[1].clock; }
  /// How many games share an opening: one for each way to seat the players.
  [[nodiscard]] int round() const { return round_size(static_cast<int>(colours.size())); }
};

/// "gomoku size=9 ...": the game and its parameters.
[[nodiscard]] std::string rules_text(const Match& match);
[[nodiscard]] inline bool same_rules(const Match& a, const Match& b) {
  return a.game == b.game && a.parameters == b.parameters;
}

/// What belongs to one game of a match, numbered from 0.
[[nodiscard]] inline int round_of(const Match& match, int game) { return game / match.round(); }
[[nodiscard]] inline Seating seating_of(const Match& match, int game) {
  return Seating::of_game(static_cast<int>(match.colours.size()), game);
}
/// The players' names in turn order of the colours.
[[nodiscard]] std::vector<std::string> seats_in(const Match& match, int game);
/// The opening all games of a round begin with.
[[nodiscard]] std::vector<std::string> opening_of(const Match& match, int round);
/// The seed a player's engine is given for a game; in the range of the option `seed`.
[[nodiscard]] std::int64_t engine_seed(const Match& match, int game, int player);

[[nodiscard]] Sides sides_of(const Match& match);

/// Reads "gomoku size=9", adds `more` ("key=value" each), and fills in the game's defaults. Throws
/// UserError if that makes no game.
void set_game(Match& match, std::string_view text, const std::vector<std::string>& more = {});

}  // namespace pitboss::clients
