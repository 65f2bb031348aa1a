#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "games/any_game.hpp"

namespace pitboss::clients {

/// How UCI programs write the arrow of a move of amazons.
enum class UciArrow : std::uint8_t {
  with_comma,  ///< d1d7,d7g7: Fairy-Stockfish since 2023
  with_piece   ///< d1d7pg7, and d1d7p for an arrow back to d1: before
};

/// A game that UCI programs play, as a variant of Fairy-Stockfish. Its boards use all letters for
/// columns (the ninth is i). In the variant white moves first, with the moves of our black.
struct UciGame {
  enum class Notation : std::uint8_t {
    steps,  ///< a2b3
    drops,  ///< P@d3; a pass is written as a step from a disc of the mover's onto itself
    arrows  ///< see UciArrow
  };
  std::string_view game;
  std::string_view parameters;  ///< complete, as Parameters::line writes them
  std::string_view variant;     ///< the value of UCI_Variant
  Notation notation;
};

/// The game, if UCI programs play it with these parameters, else nullptr.
[[nodiscard]] const UciGame* find_uci_game(std::string_view game,
                                           const games::Parameters& parameters);

/// Writes a legal move of `position`, which is one of the game, as UCI does.
[[nodiscard]] std::string to_uci(const UciGame& game, const games::AnyGame& position,
                                 std::string_view move, UciArrow arrow);
/// Reads a move as a program writes it; nothing if it has not the form of a move. Does not check
/// whether the move is legal.
[[nodiscard]] std::optional<std::string> from_uci(const UciGame& game, std::string_view text);

}  // namespace pitboss::clients
