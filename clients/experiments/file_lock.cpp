#include "clients/experiments/file_lock.hpp"

#include <stdexcept>
#include <system_error>
#include <utility>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

std::optional<FileLock> try_lock(const std::filesystem::path& path) {
  try {
    return FileLock::try_lock(path);
  } catch (const std::runtime_error& failure) {
    throw UserError(failure.what());
  }
}

FileLock lock_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  require(!error, "cannot create " + folder.string() + ": " + error.message());
  auto lock = try_lock(folder / "referee.lock");
  require(lock.has_value(), "another referee is writing to " + folder.string());
  return std::move(*lock);
}

}  // namespace pitboss::clients
