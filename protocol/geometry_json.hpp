#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "games/any_game.hpp"

/// Games and boards as JSON, for clients that know no rules; docs/protocol.md, "JSON for programs",
/// has the keys. Keys are only added.
namespace pitboss::protocol {

inline constexpr int json_version = 1;

/// What every answer begins with.
[[nodiscard]] nlohmann::ordered_json json_of_kind(const games::AnyGame& game);
/// The shape of what a network sees of the game: planes, rows, columns.
[[nodiscard]] nlohmann::ordered_json planes_shape(const games::AnyGame& game);

/// The answer of `geometry`, one line: the same for all positions of a game.
[[nodiscard]] std::string geometry_json(const games::AnyGame& game);

}  // namespace pitboss::protocol
