#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// A job array of Slurm whose tasks are workers.
struct SlurmJob {
  std::string name;                  ///< of the experiment
  std::vector<std::string> command;  ///< of a task: `pitboss launch local`
  int tasks = 1;
  int threads = 1;  ///< of a task
  /// How long before the end of the walltime a task is told to drain.
  int drain_seconds = 120;
  std::string walltime;              ///< as sbatch takes it; empty: the partition's
  std::string partition;             ///< empty: the default one
  std::vector<std::string> options;  ///< of sbatch, "--account=mcts"
};

/// The script for sbatch. Throws UserError for texts that a line of it cannot hold.
[[nodiscard]] std::string slurm_script(const SlurmJob& job);

/// Hands a script to sbatch; returns the job's number. Blocks until Slurm has answered. Throws
/// UserError.
[[nodiscard]] std::string submit(const std::string& script);

}  // namespace pitboss::clients
