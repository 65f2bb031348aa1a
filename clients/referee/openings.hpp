#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::clients {

/// How the games of a match begin: with uniformly random moves, `turns` of each side. (A turn is
/// one ply, except that a chain of captures is one turn however long.) All games of a round
/// begin alike.
struct Openings {
  int turns = 1;

  /// "random:1", or "none".
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Openings&, const Openings&) = default;
};

/// Reads "random:N" (N up to 1000) or "none". Throws UserError for anything else.
[[nodiscard]] Openings parse_openings(std::string_view text);

/// The moves of the opening that belongs to `seed`, from `start`; the game is not finished after
/// them: an opening that finishes it is drawn again. Throws UserError if no opening of that
/// length could be found.
[[nodiscard]] std::vector<std::string> draw_opening(const games::AnyGame& start, Openings openings,
                                                    std::uint64_t seed);

}  // namespace pitboss::clients
