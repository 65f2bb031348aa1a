#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger_place.hpp"

namespace pitboss::clients {

/// What a worker plays, and with what: the same for all workers of a launch.
struct WorkerSettings {
  DatabasePlace ledger;  ///< with the experiment's name
  int threads = 0;       ///< of its daemon; 0: one for each processor
  int concurrency = 0;   ///< games at once; 0: two for each thread
  /// Of its daemon, as `pitbossd` takes them; empty: none.
  std::filesystem::path networks;
  std::filesystem::path features;
  std::filesystem::path config;
  std::vector<std::string> programs{};  ///< that may be started, as `text_of` writes them
};

/// The flags of `pitboss launch` that say the same.
[[nodiscard]] std::vector<std::string> flags_of(const WorkerSettings& settings);

/// `pitboss referee`: takes its arguments, blocks until it ends, and returns its exit code.
using RefereeCommand = std::function<int(const std::vector<std::string>&)>;

/// A worker: a daemon of its own at a free port of this machine, if the experiment's players sit at
/// one, and a referee that joins the experiment there under the name of `folder`, into which it
/// writes no records. Blocks until the referee ends, by itself or by a signal as it takes them
/// (docs/referee.md); then the daemon ends, too, as it does if this process is killed. Returns the
/// referee's exit code. Throws UserError.
[[nodiscard]] int run_worker(const WorkerSettings& settings, const std::filesystem::path& folder,
                             const RefereeCommand& referee);

}  // namespace pitboss::clients
