#pragma once

#include <span>
#include <string>
#include <vector>

#include "games/any_game.hpp"
#include "games/records/game_record.hpp"
#include "protocol/time_settings.hpp"

/// Games and boards as JSON, which clients build on that know no rules; docs/protocol.md, "JSON for
/// programs", has the keys. Keys are only added.
namespace pitboss::protocol {

inline constexpr int json_version = 1;

/// Pictures of the board as networks see a position (docs/networks.md).
struct Planes {
  int count;
  std::vector<float> values;  ///< 0 or 1: plane by plane, each row by row from the top
};

/// What is told of a game under way.
struct GameState {
  const games::AnyGame& start;  ///< before the first move
  const games::AnyGame& now;    ///< after the last
  std::span<const std::string> moves;
  std::span<const games::Colour> movers;  ///< of the moves but for passes after the end
  const TimeSettings& time;
  std::span<const TimeLeft> left;  ///< by colour
  bool with_steps = false;         ///< the points of each legal move
  const Planes* planes = nullptr;  ///< told if given
};
/// The answer of `state`, one line. Writes every legal move several times: milliseconds for
/// thousands.
[[nodiscard]] std::string state_json(const GameState& state);

/// The points of the line or chain that has decided a game; none if something else has, or nothing.
[[nodiscard]] std::vector<std::string> decisive_points(const games::AnyGame& game);

/// The answer of `read_record`, one line.
[[nodiscard]] std::string record_json(const games::ReadRecord& record);

/// The answer of `geometry`, one line: the same for all positions of a game. `planes` is their
/// number.
[[nodiscard]] std::string geometry_json(const games::AnyGame& game, int planes);

}  // namespace pitboss::protocol
