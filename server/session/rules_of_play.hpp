#pragma once

#include <cstddef>
#include <string>

#include "games/any_game.hpp"
#include "server/session/seat.hpp"

/// The rules by which moves are played and taken back at a table, whatever command asks.
namespace pitboss::server {

/// Throws CommandError unless it is that colour's turn: GUIs and referees rely on it.
void check_turn(const Table& table, games::Colour colour);
/// Throws the CommandError for a text that is no move, or none that is legal: "syntax error: ..."
/// or "illegal move: ...".
[[noreturn]] void refuse_move(const games::BadGame& bad);
/// Plays a move, or in GoGui's dialect a point of one. Throws CommandError: "syntax error" for text
/// that cannot be a move, even out of turn, else "illegal move".
void play_in_turn(Seat& seat, games::Colour colour, const std::string& text);
/// To be called before a colour moves. In HexGui's dialect hex's swap is HexGui's, and white, who
/// has swapped and moves again, tells that the players have changed sides (docs/dialects.md,
/// "HexGui's swap"), unless people hold colours of the table. Throws BadGame for a move that is not
/// legal then; an empty one is not known yet.
void follow_hexgui(Seat& seat, games::Colour mover, std::string_view move = {});

/// Takes back the last `count` moves, or in GoGui's dialect points. Throws CommandError ("cannot
/// undo"), and changes nothing, if there are fewer.
void take_back(Seat& seat, std::size_t count);

}  // namespace pitboss::server
