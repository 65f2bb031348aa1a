#include "clients/players/own_daemon.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>

#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/user_error.hpp"
#include "engine/sha256.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

/// Where tokens may lie.
std::vector<fs::path> token_folders() {
  std::vector<fs::path> out;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime != '\0') out.push_back(fs::path(runtime) / "pitboss");
  std::error_code none;
  const fs::path temporary = fs::temp_directory_path(none);
  out.push_back((none ? fs::path("/tmp") : temporary) / ("pitboss-" + std::to_string(::getuid())));
  return out;
}

/// Whether nobody but the user can have put something there.
bool is_private(const fs::path& folder) {
  struct stat found {};
  return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::getuid() && (found.st_mode & 077) == 0;
}

/// Writes a new file that only the user can read, and returns its path.
fs::path write_privately(const std::string& text) {
  std::string all;
  for (const fs::path& folder : token_folders()) {
    ::mkdir(folder.c_str(), 0700);
    std::string name = (folder / "XXXXXX").string();
    const int file = is_private(folder) ? ::mkstemp(name.data()) : -1;  // with mode 600
    if (file >= 0) {
      const bool is_written =
          ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
      ::close(file);
      if (is_written) return name;
      ::unlink(name.c_str());
    }
    all += (all.empty() ? "" : ", nor to ") + folder.string();
  }
  throw UserError("cannot write a daemon's token to " + all + ", as a folder of the user's alone");
}

/// Whether the process that has written the file of a token lives: it keeps the file locked.
bool has_owner(const fs::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return false;
  const bool is_locked = ::flock(opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(opened);
  return is_locked;
}

std::vector<std::string> command_of(const std::vector<std::string>& flags, const fs::path& tokens) {
  const fs::path program = this_program().parent_path() / "pitbossd";
  require(fs::exists(program), program.string() + " is missing, the daemon");
  const std::string all = "1000000";  // there is one client
  std::vector<std::string> words{program.string(),
                                 "--listen",
                                 "127.0.0.1:0",
                                 "--tokens",
                                 tokens.string(),
                                 "--max-sessions-per-client",
                                 all,
                                 "--max-tables-per-client",
                                 all};
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

}  // namespace

OwnDaemon::OwnDaemon(const std::vector<std::string>& flags)
    : token_(random_token()),
      file_(write_privately("own admin " + engine::sha256(token_) + "\n")),
      program_(command_of(flags, file_), std::chrono::seconds(5)),
      stream_(io_.get_executor()) {
  stream_.adopt(program_.take_streams(io_.get_executor()));
  std::exception_ptr failure;
  asio::co_spawn(io_, read_address(), [&](std::exception_ptr thrown) { failure = thrown; });
  io_.run();
  std::error_code ignored;
  fs::remove(file_, ignored);
  if (failure) {
    std::string words = program_.last_words();
    std::ranges::replace(words, '\n', ' ');
    throw UserError("pitbossd does not start: " + words);
  }
  address_.access.token = token_;
  file_ = write_privately(token_ + "\n");
  lock_ = try_lock(file_);
  const fs::path found = file_.parent_path() / address_.text();
  fs::rename(file_, found);
  file_ = found;
}

OwnDaemon::~OwnDaemon() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

/// Of the daemon's first line, "listening HOST:PORT GAME".
asio::awaitable<void> OwnDaemon::read_address() {
  stream_.start_deadline(std::chrono::seconds(60));
  const std::string& text = stream_.received();
  while (text.find('\n') == std::string::npos) co_await stream_.read_more();
  stream_.stop_deadline();
  const std::size_t first = text.find(' ') + 1;
  address_ = parse_address(text.substr(first, text.find(' ', first) - first));
}

std::string token_of_own_daemon(const Address& address) {
  for (const fs::path& folder : token_folders()) {
    const fs::path path = folder / address.text();
    if (!is_private(folder) || !has_owner(path)) continue;
    std::ifstream file(path);
    if (std::string token; file >> token) return token;
  }
  return {};
}

std::string random_token() {
  std::array<unsigned char, 32> bytes{};
  require(::getentropy(bytes.data(), bytes.size()) == 0, "the system gives no random numbers");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += digits[byte >> 4];
    token += digits[byte & 15];
  }
  return token;
}

}  // namespace pitboss::clients
