#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// The input of abstractors besides the position: hashes of the moves from the root of the search
/// to the position. A plain value of a few words.
struct Trail {
  std::uint64_t all = 0;                                 ///< of all moves, in their order
  std::array<std::uint64_t, games::most_players> own{};  ///< of each colour's own
  std::uint64_t last = 0;                                ///< action of the last move; 0: none
  std::uint64_t before_last = 0;

  void follow(std::uint64_t action, games::Colour mover) {
    all = games::mix(all ^ action);
    std::uint64_t& mine = own[static_cast<std::size_t>(games::index(mover))];
    mine = games::mix(mine ^ action);
    before_last = last;
    last = action;
  }
};

/// The moves of one simulation from the root of the search on, as the estimators record them.
struct EstimatorTrace {
  struct Played {
    games::Colour mover;
    std::uint64_t action;
    std::uint64_t history;  ///< Trail::all before it
    bool in_tree;
  };
  std::vector<Played> played;
  std::vector<std::uint64_t> keys;  ///< for each move, one for each table
  Trail trail;
};

/// A move and its mover as one number, never 0.
[[nodiscard]] inline std::uint64_t action_of(games::Move move, games::Colour mover) {
  return (std::uint64_t{games::code(move)} << 3 | static_cast<std::uint64_t>(mover)) + 1;
}

/// The key of an action in a context, never 0. Mixes less well than games::mix, but is faster:
/// every table needs a key for every legal move of every ply.
[[nodiscard]] inline std::uint64_t key_of(std::uint64_t context, std::uint64_t action) {
  const std::uint64_t mixed =
      (context ^ action * 0x9e3779b97f4a7c15U) * std::uint64_t{0xbf58476d1ce4e5b9U};
  return (mixed ^ mixed >> 32) | std::uint64_t{1} << 63;
}

}  // namespace pitboss::engine
