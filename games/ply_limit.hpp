#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "games/game.hpp"

/// The bound on plies for games whose positions could repeat for ever: after `ply_limit` plies
/// without a result such a game is drawn. The number of plies is then part of the position and of
/// its text.
namespace pitboss::games {

inline constexpr int ply_limit = 1000;

/// The number of plies as the third part of a position's text: empty for 0.
[[nodiscard]] inline std::string plies_text(int plies) {
  return plies == 0 ? std::string() : std::to_string(plies);
}

/// Reads what `plies_text` writes. Throws BadGame for a text that is no possible number of plies.
[[nodiscard]] inline int plies_of(std::string_view text) {
  if (text.empty()) return 0;
  int plies = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), plies);
  if (error != std::errc{} || end != text.data() + text.size() || plies < 0 || plies > ply_limit) {
    throw BadGame("the plies played must be a whole number from 0 to " + std::to_string(ply_limit) +
                  ", not '" + std::string(text) + "'");
  }
  return plies;
}

/// For games whose sides take turns at every ply. Throws BadGame if `to_move` cannot be to move
/// after `plies` plies.
inline void check_turn(int plies, Colour to_move) {
  if (plies % 2 != index(to_move)) {
    throw BadGame(
        "the plies played must be even in number when black is to move, odd when white is");
  }
}

}  // namespace pitboss::games
