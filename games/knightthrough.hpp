#pragma once

#include "games/race.hpp"

namespace pitboss::games {

/// Men jump like chess knights, forward only, capturing what they land on.
struct KnightthroughRules {
  static constexpr std::string_view name = "knightthrough";
  static constexpr bool has_policy = false;
  static constexpr std::array<RaceStep, 4> steps{
      {{-2, 1, false}, {-1, 2, false}, {1, 2, false}, {2, 1, false}}};
};
using Knightthrough = Race<KnightthroughRules>;

}  // namespace pitboss::games
