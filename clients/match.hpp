#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "clients/address.hpp"
#include "clients/openings.hpp"
#include "engine/options.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// One side of a match: an engine behind a server, and how it is set up.
struct Player {
  std::string name;
  std::vector<engine::Assignment> options;  ///< as they are sent, a preset first
  Address server;
};

/// What a match is: given this, and engines that answer to a seed, every game is determined.
struct Match {
  std::string game;
  games::Parameters parameters;  ///< complete
  std::array<Player, 2> players;
  Openings openings;
  std::int64_t seed = 1;
  int games = 0;      ///< even: a pair shares an opening, with colours swapped
  int max_plies = 0;  ///< a game of that many plies is a draw; 0: the rules end it
  std::chrono::milliseconds move_timeout = std::chrono::seconds(300);

  [[nodiscard]] std::unique_ptr<games::AnyGame> initial_position() const {
    return games::make_game(game, parameters);
  }
};

/// What belongs to one game of a match, numbered from 0. The first player has black in the even
/// games.
[[nodiscard]] constexpr int pair_of(int game) { return game / 2; }
[[nodiscard]] constexpr int player_of(int game, games::Colour colour) {
  return (game + games::index(colour)) % 2;
}
/// The opening both games of a pair begin with.
[[nodiscard]] std::vector<std::string> opening_of(const Match& match, int pair);
/// The seed the engine of `colour` is given for a game; in the range of the option `seed`.
[[nodiscard]] std::int64_t engine_seed(const Match& match, int game, games::Colour colour);

/// Reads "gomoku size=9", adds `more` ("key=value" each), and fills in the game's defaults. Throws
/// UserError if that makes no game for two.
void set_game(Match& match, std::string_view text, const std::vector<std::string>& more = {});

/// Reads "name=A preset=reference k=0.3 ...". `server=HOST:PORT`, or `server=1` for the second of
/// `servers`, says where the player is; otherwise it is `default_server`. All else must be options
/// of the engine with values in range. Throws UserError.
[[nodiscard]] Player parse_player(std::string_view text, const std::vector<Address>& servers,
                                  std::size_t default_server);

/// What must be the same for two runs to be parts of one match, and what match.json holds. Not in
/// it: the number of games, and where and how many at once they are played.
[[nodiscard]] nlohmann::ordered_json configuration(const Match& match);

}  // namespace pitboss::clients
