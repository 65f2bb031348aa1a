#pragma once

#include <span>
#include <string>
#include <vector>

#include "games/any_game.hpp"
#include "games/records/game_record.hpp"
#include "protocol/time_settings.hpp"

/// Games under way as JSON; docs/protocol.md, "JSON for programs", has the keys. Keys are only
/// added.
namespace pitboss::protocol {

/// What is told of a game under way.
struct GameState {
  const games::AnyGame& start;  ///< before the first move
  const games::AnyGame& now;    ///< after the last
  std::span<const std::string> moves;
  std::span<const games::Colour> movers;  ///< of the moves but for passes after the end
  const TimeSettings& time;
  std::span<const TimeLeft> left;  ///< by colour
  bool with_steps = false;         ///< the points of each legal move
  bool with_planes = false;        ///< what a network sees (docs/networks.md)
};
/// The answer of `state`, one line. Writes every legal move several times: milliseconds for
/// thousands.
[[nodiscard]] std::string state_json(const GameState& state);

/// The points of the line or chain that has decided a game; none if something else has, or nothing.
[[nodiscard]] std::vector<std::string> decisive_points(const games::AnyGame& game);

/// The answer of `read_record`, one line.
[[nodiscard]] std::string record_json(const games::ReadRecord& record);

}  // namespace pitboss::protocol
