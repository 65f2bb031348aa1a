#include "server/session/sgf_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "games/text_file.hpp"

namespace pitboss::server {

namespace {

constexpr std::size_t largest_file = 262144;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Opens `name`, one part of a path, in a folder; follows no link, and does not wait for the other
/// end of a pipe or for a device.
Descriptor open_in(const Descriptor& folder, const std::string& name, int flags) {
  // NOLINTNEXTLINE(*-vararg): the only form there is
  return Descriptor(::openat(folder.number(), name.c_str(),
                             O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags));
}

}  // namespace

std::string read_file_in(const std::string& folder, const std::string& name) {
  if (folder.empty()) throw BadFile("this server has no folder of games (--sgf)");
  if (name.empty() || name.front() == '/')
    throw BadFile("expected a path inside the folder of games");
  // NOLINTNEXTLINE(*-vararg): the only form there is
  Descriptor at(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (at.number() < 0)
    throw BadFile("the server cannot open its folder of games: " + games::system_reason(errno));
  for (std::size_t begin = 0; at.number() >= 0 && begin <= name.size();) {
    const auto end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    if (part == "..") throw BadFile("expected a path inside the folder of games");
    at = open_in(at, part.empty() ? "." : part, end < name.size() ? O_DIRECTORY : 0);
    begin = end + 1;
  }
  const int error = at.number() < 0 ? errno : 0;
  // A link (ELOOP) may lead out of the folder.
  const bool is_missing = error == ENOENT || error == ENOTDIR || error == ELOOP;
  if (error != 0 && !is_missing)
    throw BadFile("cannot read '" + name + "': " + games::system_reason(error));
  struct stat about {};
  if (is_missing || ::fstat(at.number(), &about) != 0 || !S_ISREG(about.st_mode)) {
    throw BadFile("there is no file '" + name + "' in the folder of games");
  }
  std::string text(largest_file + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const auto read = ::read(at.number(), text.data() + size, text.size() - size);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) throw BadFile("cannot read '" + name + "': " + games::system_reason(errno));
    if (read == 0) break;
    size += static_cast<std::size_t>(read);
  }
  if (size > largest_file) {
    throw BadFile("'" + name + "' has more than " + std::to_string(largest_file) + " bytes");
  }
  text.resize(size);
  return text;
}

}  // namespace pitboss::server
