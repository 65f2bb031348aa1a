#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// Figures of all games of a generation together.
struct GenerationFigures {
  int generation = 0;
  int games = 0;
  int rows = 0;
  std::int64_t plies = 0;
  std::int64_t simulations = 0;
  int draws = 0;
  double distinct_openings = 0;  ///< share of distinct sequences among the games' first ten plies
  double thread_seconds = 0;     ///< time spent on playing, summed over all threads
};

/// Writes a generation's manifest, which names its files of rows with their hashes, if every file
/// is whole, of this game, and played by the generation's network. Otherwise renames each bad file
/// to FILE.damaged, tells `on_note` in a sentence, and writes no manifest. Returns whether the
/// manifest was written. Throws UserError.
bool write_manifest(const RunFolder& run, int generation,
                    const std::function<void(const std::string&)>& on_note);

/// The figures in a generation's manifest; nothing if there is no manifest. Throws UserError for a
/// damaged one.
[[nodiscard]] std::optional<GenerationFigures> read_manifest(const RunFolder& run, int generation);

}  // namespace pitboss::clients
