#pragma once

#include <atomic>
#include <functional>

#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// How far this process has come with a generation.
struct Played {
  int games = 0;  ///< that it has played
  int of = 0;     ///< all games of the generation, whoever plays them
};

/// Plays the games of a generation that no file holds yet, on `threads` threads, and writes them
/// into the run's folder, file by file. Blocks until all files are there or `stop` is true; whether
/// they are. Any number of processes that see the folder may work on one generation: each file is
/// played by who has its lock. A game depends on the run's seed, its generation and its number
/// alone (but for processors that round otherwise). `on_progress` is called on the calling thread
/// about every second. Throws UserError.
bool play_generation(const RunFolder& run, int generation, int threads,
                     const std::atomic<bool>& stop,
                     const std::function<void(const Played&)>& on_progress);

}  // namespace pitboss::clients
