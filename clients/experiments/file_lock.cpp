#include "clients/experiments/file_lock.hpp"

#include <stdexcept>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

std::optional<FileLock> try_lock(const std::filesystem::path& path) {
  try {
    return FileLock::try_lock(path);
  } catch (const std::runtime_error& failure) {
    throw UserError(failure.what());
  }
}

}  // namespace pitboss::clients
