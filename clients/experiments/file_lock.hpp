#pragma once

#include <filesystem>
#include <optional>

#include "games/file_lock.hpp"

namespace pitboss::clients {

using games::FileLock;

/// As FileLock::try_lock, but what it throws is a UserError.
[[nodiscard]] std::optional<FileLock> try_lock(const std::filesystem::path& path);

}  // namespace pitboss::clients
