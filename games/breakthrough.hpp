#pragma once

#include "games/race.hpp"

namespace pitboss::games {

/// Men step one row forward: straight onto an empty point, diagonally also with a capture.
struct BreakthroughRules {
  static constexpr std::string_view name = "breakthrough";
  static constexpr bool has_policy = true;
  static constexpr std::array<RaceStep, 3> steps{{{-1, 1, false}, {0, 1, true}, {1, 1, false}}};
};
using Breakthrough = Race<BreakthroughRules>;

}  // namespace pitboss::games
