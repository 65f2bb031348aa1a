#include "games/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <utility>

#include "games/text_file.hpp"

namespace pitboss::games {

std::optional<FileLock> FileLock::try_lock(const std::filesystem::path& path) {
  // NOLINTNEXTLINE(*-vararg): the only form there is
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) {
    throw std::runtime_error("cannot write " + path.string() + ": " + system_reason(errno));
  }
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return FileLock(file);
  const int error = errno;
  ::close(file);
  if (error == EWOULDBLOCK) return std::nullopt;
  throw std::runtime_error("cannot lock " + path.string() + ": " + system_reason(error));
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}
FileLock::~FileLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace pitboss::games
