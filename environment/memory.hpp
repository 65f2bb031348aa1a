#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace pitboss::environment {

/// The bytes that this process may take: the machine's, or what its control groups, its Slurm job
/// or the limit of its address space allow if that is less.
[[nodiscard]] std::size_t memory();

/// The lowest memory limit of the process's control group and its ancestors, as the files below
/// `root` tell it (version 1 or 2); nothing if there is no limit.
[[nodiscard]] std::optional<std::size_t> control_group_memory(const std::filesystem::path& root);

/// What the job gives a process on a node, as Slurm's variables tell (--mem or --mem-per-cpu);
/// nothing outside of Slurm.
[[nodiscard]] std::optional<std::size_t> slurm_memory();

}  // namespace pitboss::environment
