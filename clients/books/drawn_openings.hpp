#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::clients {

/// An opening, and the unfinished position that it leads to.
struct DrawnOpening {
  std::vector<std::string> moves;
  std::string position;  ///< as AnyGame::position writes it

  friend bool operator==(const DrawnOpening&, const DrawnOpening&) = default;
};

/// Draws openings of `turns` random turns of each colour (Openings::Kind::random), `count` of them
/// if there are as many, no two of whose positions are alike by a symmetry of the game. Where these
/// are too few, openings of one turn more follow, up to `most_turns`. The same for the same seed.
[[nodiscard]] std::vector<DrawnOpening> draw_openings(const games::AnyGame& start, int turns,
                                                      std::size_t count, std::int64_t seed);
inline constexpr int most_turns = 30;

/// What a network sees of a position, or of its image by a symmetry of the game, whichever comes
/// first in order: the same for positions that are alike.
[[nodiscard]] std::string least_image(const games::AnyGame& position);

}  // namespace pitboss::clients
