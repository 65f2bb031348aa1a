#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "clients/referee/match.hpp"
#include "clients/statistics/sprt.hpp"

namespace pitboss::clients {

/// Some matches that are played and recorded together: given this, and engines that answer to a
/// seed, every game is determined.
struct Experiment {
  std::string name;
  std::vector<Match> matches;  ///< no two alike; a player's name means the same player everywhere
  /// Ends each match as soon as its first player is shown to be stronger, or not.
  std::optional<SprtPlan> sprt;

  [[nodiscard]] int games() const;  ///< of all matches, at most
};

/// What must be the same for two runs to be parts of one experiment, and what the ledger holds. Not
/// in it: how many games, the stopping rule, and where and how many at once they are played.
[[nodiscard]] nlohmann::ordered_json configuration(const Experiment& experiment);

/// The players of all matches, each once, in order of appearance.
[[nodiscard]] std::vector<const Player*> players_of(const Experiment& experiment);

/// A name for a round, the same wherever and whenever: a UUID (version 5) made from what determines
/// its games.
[[nodiscard]] std::string round_id(const Match& match, int round);

}  // namespace pitboss::clients
