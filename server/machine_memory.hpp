#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace pitboss::server {

/// The bytes that this process may take: the machine's, or the limit of its control group or of its
/// address space if that is less.
[[nodiscard]] std::size_t machine_memory();

/// The lowest limit of memory among the process's control group and those that it is part of, as
/// the files below `root` tell it (version 1 or 2); nothing if there is none.
[[nodiscard]] std::optional<std::size_t> control_group_memory(const std::filesystem::path& root);

}  // namespace pitboss::server
