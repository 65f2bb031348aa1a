#include "server/service_manager.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/token_file.hpp"

using namespace std::chrono_literals;
using namespace pitboss;

namespace {

/// The socket of a service manager, at a path or, with @ before it, a name in the abstract
/// namespace.
class ManagerSocket {
 public:
  explicit ManagerSocket(std::string name) : socket_(socket(AF_UNIX, SOCK_DGRAM, 0)) {
    if (name[0] == '@') name[0] = '\0';
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof address.sun_path);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    REQUIRE(bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    const timeval patience{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~ManagerSocket() { close(socket_); }
  ManagerSocket(const ManagerSocket&) = delete;
  ManagerSocket& operator=(const ManagerSocket&) = delete;

  /// The next word; empty if none comes.
  [[nodiscard]] std::string told() const {
    std::array<char, 256> bytes{};
    const auto size = recv(socket_, bytes.data(), bytes.size(), 0);
    return size < 0 ? "" : std::string(bytes.data(), static_cast<std::size_t>(size));
  }
  /// The next word that is not the watchdog's.
  [[nodiscard]] std::string told_else() const {
    std::string word = told();
    while (word == "WATCHDOG=1") word = told();
    return word;
  }
  [[nodiscard]] bool has_more() const {
    std::array<char, 256> bytes{};
    return recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0;
  }

 private:
  int socket_;
};

std::vector<std::string> service(const std::vector<std::string>& variables,
                                 const std::vector<std::string>& flags = {}) {
  std::vector<std::string> command{"/usr/bin/env"};
  command.insert(command.end(), variables.begin(), variables.end());
  command.insert(command.end(), {tests::bin_folder() + "/pitbossd", "--listen", "127.0.0.1:0"});
  command.insert(command.end(), flags.begin(), flags.end());
  return command;
}

}  // namespace

TEST_CASE("pitbossd: tells systemd that it listens, lives, rereads its files and stops") {
  const clients::ScratchFolder folder;
  const tests::TokenFile tokens;
  const std::string path = (folder / "notify").string();
  const std::string abstract = "@pitboss-test-" + std::to_string(getpid());
  for (const std::string& name : {path, abstract}) {
    CAPTURE(name);
    const ManagerSocket manager(name);
    peers::Process daemon(
        service({"NOTIFY_SOCKET=" + name, "WATCHDOG_USEC=400000"}, {"--tokens", tokens.path()}));
    CHECK(manager.told() == "READY=1");
    tests::Client client(tests::Daemon::port_of(daemon.output_line()));
    CHECK(client.ask("name") == "= Pitboss\n\n");
    const auto begin = std::chrono::steady_clock::now();
    for (int beat = 0; beat < 5; ++beat) CHECK(manager.told() == "WATCHDOG=1");
    const auto time = std::chrono::steady_clock::now() - begin;
    CHECK(time >= 700ms);  // the first of the five comes at once
    daemon.signal(SIGHUP);
    CHECK(manager.told_else() == "RELOADING=1");
    CHECK(manager.told_else() == "READY=1");
    // Of a process that is stuck nothing is heard.
    daemon.signal(SIGSTOP);
    usleep(100'000);
    while (manager.has_more()) {
    }
    usleep(900'000);
    CHECK_FALSE(manager.has_more());
    daemon.signal(SIGCONT);
    CHECK(manager.told() == "WATCHDOG=1");
    daemon.signal(SIGTERM);
    CHECK(manager.told_else() == "STOPPING=1");
    CHECK(daemon.wait() == 0);
  }
}

TEST_CASE("pitbossd: a service manager that cannot be told costs a line of the log") {
  const auto served = [](const std::vector<std::string>& variables) {
    peers::Process daemon(service(variables));
    tests::Client client(tests::Daemon::port_of(daemon.output_line()));
    CHECK(client.ask("name") == "= Pitboss\n\n");
    usleep(300'000);
    daemon.signal(SIGTERM);
    CHECK(daemon.wait() == 0);
    std::string warnings;
    std::size_t at = 0;
    const std::string& log = daemon.errors();
    while ((at = log.find(" warning ", at)) != std::string::npos) {
      const auto end = log.find('\n', at);
      warnings += log.substr(at + 9, end - at - 8);
      at = end;
    }
    return warnings;
  };
  CHECK(served({"NOTIFY_SOCKET=/nowhere/notify", "WATCHDOG_USEC=100000"}) ==
        "the service manager cannot be told READY=1: No such file or directory\n");
  CHECK(served({"NOTIFY_SOCKET=vsock:2:1"}) ==
        "no service manager: NOTIFY_SOCKET is neither a path nor @NAME: vsock:2:1\n");
  const std::string too_long(200, 'x');
  CHECK(served({"NOTIFY_SOCKET=/" + too_long}) ==
        "no service manager: NOTIFY_SOCKET is neither a path nor @NAME: /" + too_long + "\n");
  const clients::ScratchFolder folder;
  const std::string path = (folder / "notify").string();
  const ManagerSocket manager(path);
  CHECK(served({"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=soon"}) ==
        "no watchdog: WATCHDOG_USEC is not a number above 0: soon\n");
  CHECK(served({"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=100000", "WATCHDOG_PID=1"}).empty());
  for (const char* word : {"READY=1", "STOPPING=1", "READY=1", "STOPPING=1"}) {
    CHECK(manager.told() == word);
  }
}
