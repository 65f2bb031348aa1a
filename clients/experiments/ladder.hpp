#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"

/// Ladders: a player with rising values of one of its options, the rungs, who play each other.
namespace pitboss::clients {

/// What a ladder's player is called whose option has this value, by which reports find ladders.
[[nodiscard]] inline std::string rung_name(const std::string& player, const std::string& value) {
  return player + "-" + value;
}

/// The option of a ladder and its values.
struct LadderOption {
  std::string name;
  std::vector<std::string> values;  ///< numbers rise
};
/// Reads "simulations=100:6400", which doubles from the first to the last, or a list,
/// "network=small,large". Throws UserError.
[[nodiscard]] LadderOption ladder_option(const std::string& text);

struct LadderSettings {
  std::vector<std::string> games;    ///< "hex size=9"
  std::vector<std::string> players;  ///< as `parse_player_words` takes them, but for the name
  LadderOption over;
  std::int64_t games_a_pairing = 200;
  std::string openings = "random:2";  ///< as an experiment file has them
  int reach = 2;                      ///< a rung meets so many of those above it
  bool is_apart = false;              ///< the players do not meet each other
  Setting::Table rows = {};           ///< of `match_rows`, those that are set
};

/// Whether a player is neither a program nor at a server of its own.
[[nodiscard]] bool needs_server(const std::string& player);

/// At each game the ladders of all players, and of two players those of the same value against each
/// other. Players are called as they say, else as their presets. Throws UserError for mistakes, and
/// if two rungs are the same player.
[[nodiscard]] ExperimentFile ladder_file(const LadderSettings& settings,
                                         const std::vector<Address>& servers);

}  // namespace pitboss::clients
