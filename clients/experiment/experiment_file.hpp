#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>
#include <vector>

#include "clients/experiment/experiment.hpp"

namespace pitboss::clients {

inline constexpr std::size_t most_matches = 10'000;

/// How many games a place takes.
struct ServerCapacity {
  Place place;
  int games = 0;  ///< at once; 0: not said
};

/// An experiment and how it is run; nothing here but the experiment changes what its games are.
struct ExperimentFile {
  Experiment experiment;
  /// Each place where a player of the experiment is, once.
  std::vector<ServerCapacity> servers;
  int concurrency = 8;  ///< games at once, everywhere together
  std::chrono::milliseconds reconnect = std::chrono::seconds(10);
  std::filesystem::path folder;  ///< for the records; empty: not said
};

/// Reads an experiment as docs/referee.md describes it. `servers`, if there are any, take the place
/// of the file's. Throws UserError for every mistake: one sentence with file, line, and key.
[[nodiscard]] ExperimentFile read_experiment_file(const std::filesystem::path& path,
                                                  const std::vector<ServerCapacity>& servers = {});

/// The same from a text; errors call it `name`, which is looked for openings beside.
[[nodiscard]] ExperimentFile parse_experiment(std::string_view text, const std::string& name,
                                              const std::vector<ServerCapacity>& servers = {});

}  // namespace pitboss::clients
