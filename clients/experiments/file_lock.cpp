#include "clients/experiments/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

std::optional<FileLock> FileLock::try_lock(const std::filesystem::path& path) {
  const auto reason = [](int error) { return std::generic_category().message(error); };
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) throw UserError("cannot write " + path.string() + ": " + reason(errno));
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return FileLock(file);
  const int error = errno;
  ::close(file);
  if (error == EWOULDBLOCK) return std::nullopt;
  throw UserError("cannot lock " + path.string() + ": " + reason(error));
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}
FileLock::~FileLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace pitboss::clients
