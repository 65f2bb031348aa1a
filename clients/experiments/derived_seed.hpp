#pragma once

#include <cstdint>

#include "games/random.hpp"

namespace pitboss::clients {

/// The uses of a match's seed. The numbers must never change, or a seed would mean other games.
inline constexpr std::uint64_t use_opening = 0;
inline constexpr std::uint64_t use_engine = 1;  ///< plus the player's first colour
inline constexpr std::uint64_t use_order = 16;  ///< of openings that are all played
inline constexpr std::uint64_t use_playouts = 17;
inline constexpr std::uint64_t use_tuning = 18;        ///< what a tuner draws
inline constexpr std::uint64_t use_tuning_order = 19;  ///< of openings in a tuning
inline constexpr std::uint64_t use_review = 20;        ///< by the position
inline constexpr std::uint64_t use_book = 21;          ///< of openings to choose from, by turns
inline constexpr std::uint64_t use_league = 22;        ///< by the names of two players
inline constexpr std::uint64_t use_self_play =
    1'000'000;  ///< of a training run, plus the generation

/// A number that looks independent for each use and index.
[[nodiscard]] constexpr std::uint64_t derived_seed(std::int64_t seed, std::uint64_t use,
                                                   std::uint64_t index) {
  return games::mix(games::mix(games::mix(static_cast<std::uint64_t>(seed)) + use) + index);
}

}  // namespace pitboss::clients
