#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/known_engines.hpp"
#include "clients/experiments/match.hpp"
#include "clients/experiments/settings.hpp"
#include "engine/options/options.hpp"

/// The players as an experiment file or the command line describes them: where they are, what they
/// speak, and their options, which may differ from game to game.
namespace pitboss::clients {

/// Whether a table under the key `name` applies to the match's game: "gomoku" to all gomoku,
/// "gomoku size=9" to that size. False if `name` names no game.
[[nodiscard]] bool is_about(const std::string& name, const Match& match);

/// The tables in a table that are about the match's game: those for all games of its name, then
/// those for its parameters.
[[nodiscard]] std::vector<const Setting*> tables_for(const Setting& table, const Match& match);

/// Whether an entry of a table is a table for a game: its key names one.
[[nodiscard]] bool is_of_game(const Setting& entry);

/// Refuses the key of a table that applies to none of the matches' games.
void expect_game(const Setting& named, const std::string& name, const std::vector<Match>& games);

/// Refuses, in a table of options, a table that applies to none of the games.
void check_tables(const Setting& options, const std::vector<Match>& games);

/// A player as its settings describe it.
class PlayerSettings {
 public:
  /// `common` are the options of all players of ours (the file's [options]); may be null, and must
  /// outlive this object. What is known of the player's program (known_engines.hpp) holds where
  /// `settings` says nothing else. Throws UserError.
  PlayerSettings(const Setting& settings, const Setting* common, const std::vector<Match>& games);

  [[nodiscard]] const std::string& name() const { return player_.name; }
  [[nodiscard]] const Setting& settings() const { return settings_; }
  /// Whether the file says where the player is.
  [[nodiscard]] bool has_location() const { return has_location_; }
  [[nodiscard]] bool is_ours() const { return player_.language == Language::pitboss; }
  void set_location(Location location) { player_.location = std::move(location); }
  [[nodiscard]] const Location& location() const { return player_.location; }
  /// How many games a program plays at once; 0: the file does not say.
  [[nodiscard]] int concurrency() const { return concurrency_; }

  [[nodiscard]] bool plays(const Match& match) const;
  /// With the options for the match's game. Throws UserError if they contradict each other.
  [[nodiscard]] Player player_at(const Match& match) const;

 private:
  void read_location();
  void read_protocol();
  void read_clock();
  void read_games(const std::vector<Match>& games);
  [[nodiscard]] std::vector<engine::Assignment> options_of_others(const Match& match) const;

  const KnownEngine* known_;  ///< the player's program; null: it is not, or speaks otherwise
  Setting settings_;
  const Setting* common_;
  Player player_;
  bool has_location_ = false;
  int concurrency_ = 0;
  std::vector<std::string> games_;  ///< the only ones that the player plays; empty: all
};

/// What "name=A preset=reference k=0.3 ...", words as of a shell, say of a player, as an experiment
/// file would have it. Keys of its players mean what they mean there, but those that differ from
/// game to game; `setup` may be repeated, and `server=1` is the second of `servers`. All others are
/// options. Throws UserError.
[[nodiscard]] Setting parse_player_words(std::string_view text,
                                         const std::vector<Address>& servers);
/// The player of such words; the first of `servers` has it if they name neither a server nor a
/// program. Throws UserError.
[[nodiscard]] Player parse_player(std::string_view text, const std::vector<Address>& servers);

}  // namespace pitboss::clients
