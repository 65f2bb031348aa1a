#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "clients/training/run_folder.hpp"
#include "engine/leaf/remote/remote_service.hpp"

namespace pitboss::clients {

/// How far this process has come with a generation.
struct Played {
  int games = 0;                 ///< that it has played
  int of = 0;                    ///< all games of the generation, whoever plays them
  std::int64_t evaluations = 0;  ///< for the games it has played, but those that the cache knew
  std::int64_t remote = 0;       ///< of these, those that another machine answered
};

/// What a process plays with.
struct Resources {
  int threads = 1;                                      ///< also the games that it plays at once
  std::shared_ptr<engine::RemoteService> evaluators{};  ///< of the network; null: this process
};

/// Plays the games of a generation that no file holds yet, and writes them into the run's folder,
/// file by file. Blocks until all files are there or `stop` is true; whether they are. Any number
/// of processes that see the folder may work on one generation: each file is played by who has its
/// lock. A game depends on the run's seed, its generation and its number alone (but for processors
/// and evaluators that round otherwise). `on_progress` is called on the calling thread about every
/// second. Throws UserError.
bool play_generation(const RunFolder& run, int generation, const Resources& resources,
                     const std::atomic<bool>& stop,
                     const std::function<void(const Played&)>& on_progress);

}  // namespace pitboss::clients
