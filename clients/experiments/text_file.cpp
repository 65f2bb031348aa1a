#include "clients/experiments/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "clients/experiments/user_error.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  // A pipe might never end.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw UserError("cannot read " + path.string() + ": it is not a regular file");
  }
  try {
    return games::read_text_file(path);
  } catch (const games::UnreadableFile& unreadable) {
    throw UserError(unreadable.what());
  }
}

void write_secret(const std::filesystem::path& file, const std::string& text) {
  const auto refuse = [&](int error) {
    throw UserError("cannot write " + file.string() + ": " + games::system_reason(error));
  };
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) refuse(errno);
  const ssize_t size = ::write(descriptor, text.data(), text.size());
  int error = size < 0 ? errno : size < static_cast<ssize_t>(text.size()) ? ENOSPC : 0;
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  ::close(descriptor);
  if (error == 0) return;
  ::unlink(file.c_str());
  refuse(error);
}

}  // namespace pitboss::clients
