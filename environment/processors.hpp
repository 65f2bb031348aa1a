#pragma once

#include <filesystem>
#include <optional>

namespace pitboss::environment {

/// How many threads of this process can run at once, at least 1: the processors that it may run on
/// (taskset, cpusets), or what the quotas of its control groups (Docker's --cpus) or its Slurm job
/// (--cpus-per-task) allow if that is less. A part of a processor does not count, but for the only
/// one: searches that are bounded by time would get less than one each.
[[nodiscard]] int processors();

/// The processors whose time the quota of the process's control group and its ancestors allows, as
/// the files below `root` tell it (version 1 or 2); nothing if there is no quota.
[[nodiscard]] std::optional<double> control_group_processors(const std::filesystem::path& root);

/// Those that the job gives this task, as Slurm's variables tell; nothing outside of Slurm.
[[nodiscard]] std::optional<int> slurm_processors();

}  // namespace pitboss::environment
