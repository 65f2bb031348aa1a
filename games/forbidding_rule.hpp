#pragma once

#include <span>
#include <string>
#include <string_view>

#include "games/any_game.hpp"

namespace pitboss::games {

/// The parameter that forbids a move which another choice of it would allow on the same board, as
/// "opening=gomoku3"; empty if there is none. `moves` lead from the initial position to `position`.
[[nodiscard]] std::string forbidding_rule(const AnyGame& position,
                                          std::span<const std::string> moves,
                                          std::string_view move);

}  // namespace pitboss::games
