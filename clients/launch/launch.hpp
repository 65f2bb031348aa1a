#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "clients/launch/supervisor.hpp"
#include "clients/launch/worker.hpp"

namespace pitboss::clients {

/// How the one who has started a launch sees it.
enum class Audience : std::uint8_t {
  user,     ///< the experiment's progress and results
  log,      ///< of a batch system: what goes wrong
  launcher  ///< on another machine, which holds this one by words (attendance.hpp)
};

struct LaunchSettings {
  Audience audience = Audience::user;
  /// How long rounds in play may take after a signal to end; then they are dropped.
  Supervisor::Milliseconds drain_limit = Supervisor::Milliseconds::max();
};

/// `count` workers on this machine, with files in `folder`. With no number of threads they share
/// the processors.
[[nodiscard]] std::vector<Charge> local_workers(WorkerSettings settings, int count,
                                                const std::string& folder);

struct RemoteSettings {
  std::vector<std::string> ssh{"ssh"};  ///< the command and its first options
  std::string program;                  ///< `pitboss` on the hosts
  int workers = 1;                      ///< of each host
};

/// Workers on each of these hosts.
[[nodiscard]] std::vector<Charge> remote_workers(const WorkerSettings& settings,
                                                 const RemoteSettings& remote,
                                                 const std::vector<std::string>& hosts);

/// Keeps workers running until the experiment is finished. SIGINT and SIGTERM drain them, a second
/// one drops their rounds. Blocks until all have ended. Returns the exit code: 0 when the
/// experiment is finished, 130 after a signal. Throws UserError if no worker plays any more, or the
/// ledger cannot be read.
[[nodiscard]] int launch(const DatabasePlace& place, const std::vector<Charge>& charges,
                         const LaunchSettings& settings);

}  // namespace pitboss::clients
