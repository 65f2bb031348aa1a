#pragma once

#include <string>
#include <string_view>

#include "games/any_game.hpp"

/// What people read about games: rules, pieces and results in words.
namespace pitboss::games {

/// The rules of the game of that name in a sentence or two. Throws BadGame for an unknown name.
[[nodiscard]] std::string_view rules_in_words(std::string_view name);
/// What the letters of the board's picture mean: "X black, O white".
[[nodiscard]] std::string pieces_in_words(const AnyGame& game);
/// The result of a finished game, as the end of a sentence: "black wins by 12 discs", "red and
/// green share the win", "the game is a draw".
[[nodiscard]] std::string result_in_words(const AnyGame& game);

}  // namespace pitboss::games
