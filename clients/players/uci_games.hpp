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

/// A game that UCI programs play, as a variant of Fairy-Stockfish. There columns have all
/// letters (the ninth is i), white moves first, and its moves are those of our black.
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

/// The game if UCI programs have it with these parameters, else nullptr.
[[nodiscard]] const UciGame* find_uci_game(std::string_view game,
                                           const games::Parameters& parameters);

/// A legal move of `position`, which is one of the game.
[[nodiscard]] std::string to_uci(const UciGame& game, const games::AnyGame& position,
                                 std::string_view move, UciArrow arrow);
/// A move as a program writes it; nothing if it is not written like one. Whether it is legal is
/// another matter.
[[nodiscard]] std::optional<std::string> from_uci(const UciGame& game, std::string_view move);

}  // namespace pitboss::clients
