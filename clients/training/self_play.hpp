#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "clients/training/run_folder.hpp"
#include "engine/leaf/remote/remote_service.hpp"

namespace pitboss::clients {

/// The progress of this process in a generation.
struct Played {
  int games = 0;                 ///< games played by this process
  int of = 0;                    ///< all games of the generation, whoever plays them
  std::int64_t evaluations = 0;  ///< for these games, without those answered from the cache
  std::int64_t remote = 0;       ///< of these evaluations, those by other machines
};

/// The machines that a process uses.
struct Resources {
  /// Each plays several games at once, or one if others evaluate.
  int threads = 1;
  std::shared_ptr<engine::RemoteService> evaluators{};  ///< null: this process evaluates
};

/// Plays the games of a generation that no file holds yet, and writes them into the run's folder,
/// file by file. Blocks until all files exist or `stop` is true; returns whether they exist. Any
/// number of processes that see the folder may work on one generation: the holder of a file's lock
/// plays the file. A game depends only on the run's seed, its generation and its number (and on how
/// processors and evaluators round). `on_progress` is called on the calling thread about every
/// second. Throws UserError.
bool play_generation(const RunFolder& run, int generation, const Resources& resources,
                     const std::atomic<bool>& stop,
                     const std::function<void(const Played&)>& on_progress);

}  // namespace pitboss::clients
