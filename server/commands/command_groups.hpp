#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/commands/commands.hpp"
#include "server/session/answer_text.hpp"
#include "server/session/rules_of_play.hpp"
#include "server/session/seat.hpp"

/// The parts of the list of commands, one file each in `commands/`, and what their handlers share.
namespace pitboss::server {

[[nodiscard]] std::span<const Command> administration_commands();
[[nodiscard]] std::span<const Command> game_commands();
[[nodiscard]] std::span<const Command> setup_commands();
[[nodiscard]] std::span<const Command> sgf_commands();
[[nodiscard]] std::span<const Command> search_commands();
[[nodiscard]] std::span<const Command> duel_commands();
[[nodiscard]] std::span<const Command> analysis_commands();
[[nodiscard]] std::span<const Command> time_commands();
[[nodiscard]] std::span<const Command> option_commands();
[[nodiscard]] std::span<const Command> table_commands();
[[nodiscard]] std::span<const Command> dialect_commands();
[[nodiscard]] std::span<const Command> gogui_rules_commands();
[[nodiscard]] std::span<const Command> gogui_commands();
[[nodiscard]] std::span<const Command> display_commands();

/// What the table's last search has left. Throws CommandError if there has been none.
template <class Left>
[[nodiscard]] Left of_last_search(std::optional<Left> left) {
  if (left) return *std::move(left);
  throw protocol::CommandError(protocol::FailureCode::wrong_state, "no search yet in this game");
}

/// Sets the position that has just the stones of "COLOUR POINT COLOUR POINT ..."; the first colour
/// for which the position is possible is to move. Throws CommandError for malformed arguments,
/// BadGame for an impossible position.
void set_stones(Seat& seat, const protocol::Arguments& arguments);

/// The answer of `genmove` when the game is over. Referees that know only Go end a game on `resign`
/// or two passes, so a loser resigns, and a winner, or anybody in a draw, passes.
[[nodiscard]] std::string genmove_when_finished(Table& table, games::Colour colour, bool plays);

}  // namespace pitboss::server
