#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/commands/commands.hpp"
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

/// The items with `separator` between them.
[[nodiscard]] std::string joined(const auto& items, std::string_view separator) {
  std::string text;
  for (const auto& item : items) text.append(text.empty() ? "" : separator).append(item);
  return text;
}
[[nodiscard]] std::string lines(const auto& items) { return joined(items, "\n"); }
[[nodiscard]] std::string words(const auto& items) { return joined(items, " "); }

/// What the table's last search has left. Throws CommandError if there has been none.
template <class Left>
[[nodiscard]] Left of_last_search(std::optional<Left> left) {
  if (left) return *std::move(left);
  throw protocol::CommandError(protocol::FailureCode::wrong_state, "no search yet in this game");
}
/// Throws CommandError unless it is that colour's turn: GUIs and referees rely on it.
void check_turn(const Table& table, games::Colour colour);
/// Throws the CommandError for a text that is no move, or none that is legal: "syntax error: ..." or
/// "illegal move: ...".
[[noreturn]] void refuse_move(const games::BadGame& bad);
/// Plays a move, or in GoGui's dialect a point of one. Throws CommandError: "syntax error" for text
/// that cannot be a move, even out of turn, else "illegal move".
void play_in_turn(Seat& seat, games::Colour colour, const std::string& text);
/// Takes back the last `count` moves, or in GoGui's dialect points. Throws CommandError ("cannot
/// undo"), and changes nothing, if there are fewer.
void take_back(Seat& seat, std::size_t count);

/// Sets the position that has just the stones of "COLOUR POINT COLOUR POINT ..."; the first colour
/// for which the position is possible is to move. Throws CommandError for malformed arguments,
/// BadGame for an impossible position.
void set_stones(Seat& seat, const protocol::Arguments& arguments);

/// The answer of `genmove` when the game is over. Referees that know only Go end a game on `resign`
/// or two passes, so a loser resigns, and a winner, or anybody in a draw, passes.
[[nodiscard]] std::string genmove_when_finished(Table& table, games::Colour colour, bool plays);

}  // namespace pitboss::server
