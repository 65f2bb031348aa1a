#pragma once

#include <filesystem>
#include <optional>

#include "games/file_lock.hpp"

namespace pitboss::clients {

using games::FileLock;

/// As FileLock::try_lock, but what it throws is a UserError.
[[nodiscard]] std::optional<FileLock> try_lock(const std::filesystem::path& path);

/// Makes a folder for records if necessary, and keeps other referees out of it while the lock
/// lives. Throws UserError if one is there.
[[nodiscard]] FileLock lock_folder(const std::filesystem::path& folder);

}  // namespace pitboss::clients
