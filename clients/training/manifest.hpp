#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// What the games of a generation were, all together.
struct GenerationFigures {
  int generation = 0;
  int games = 0;
  int rows = 0;
  std::int64_t plies = 0;
  std::int64_t simulations = 0;
  int draws = 0;
  double distinct_openings = 0;  ///< share of the games' first ten plies that are different
  double thread_seconds = 0;     ///< that playing took, of all threads together
};

/// Writes a generation's manifest, which names its files of rows with their hashes, if all of them
/// are whole, of this game, and played by the generation's network. A file that is not is set aside
/// under the name FILE.damaged, and `on_note` told in a sentence; then nothing is written. Whether
/// the manifest was written. Throws UserError.
bool write_manifest(const RunFolder& run, int generation,
                    const std::function<void(const std::string&)>& on_note);

/// The figures of a generation's manifest; nothing if there is none. Throws UserError for one that
/// is damaged.
[[nodiscard]] std::optional<GenerationFigures> read_manifest(const RunFolder& run, int generation);

}  // namespace pitboss::clients
