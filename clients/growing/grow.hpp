#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "clients/growing/grow_settings.hpp"

namespace pitboss::clients {

/// A run's report on one game.
struct GrownGame {
  int number = 0;  ///< from 1
  int plies = 0;
  double loss = 0;  ///< mean cross-entropy of the positions remembered
  std::size_t features = 0;
  std::string feature;  ///< added after the game; empty: none
};

/// Grows features by self-play: expert iteration in which the linear policy guides the searches
/// from whose visits it learns (Biasing MCTS with Features for General Games, sec. IV). The folder
/// gets `settings.json`, `games.jsonl` with all games, and the set after each game as
/// `NNN.features`; the same settings go on where a run was interrupted, and come to the same sets.
/// Ends early if `stop` becomes true. Throws UserError.
void grow(const GrowSettings& settings, const std::filesystem::path& path,
          const std::atomic<bool>& stop, const std::function<void(const GrownGame&)>& tell);

}  // namespace pitboss::clients
