#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "games/game.hpp"

/// For games whose positions could repeat for ever: after so many plies without a result they are
/// drawn. The plies played are then a part of the position, and of its text.
namespace pitboss::games {

inline constexpr int ply_limit = 1000;

/// The number of plies as the third part of a position tells it: nothing for 0.
[[nodiscard]] inline std::string plies_text(int plies) {
  return plies == 0 ? std::string() : std::to_string(plies);
}

/// What `plies_text` has written. Throws BadGame for what cannot be a number of plies.
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

/// For games whose sides take turns at every ply. Throws BadGame if it cannot be the turn of
/// `to_move` after so many.
inline void check_turn(int plies, Colour to_move) {
  if (plies % 2 != index(to_move)) {
    throw BadGame("an even number of plies has been played when black moves, else an odd one");
  }
}

}  // namespace pitboss::games
