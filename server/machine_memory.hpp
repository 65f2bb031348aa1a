#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace pitboss::server {

/// The bytes that this process may take: the machine's, or the limit of its control group or of its
/// address space if that is less.
[[nodiscard]] std::size_t machine_memory();

/// The lowest memory limit of the process's control group and its ancestors, as the files below
/// `root` tell it (version 1 or 2); nothing if there is no limit.
[[nodiscard]] std::optional<std::size_t> control_group_memory(const std::filesystem::path& root);

}  // namespace pitboss::server
