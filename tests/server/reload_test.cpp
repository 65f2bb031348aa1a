// Tokens, certificate and key that are read anew, and what is said of their files.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/net/credentials.hpp"
#include "tests/peers/certificate.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/token_file.hpp"

using namespace std::chrono_literals;
using namespace pitboss;
using tests::Client;
using tests::Daemon;
using tests::Entered;
using tests::eventually;
using tests::line_of;
using tests::RunningServer;
using tests::TokenFile;

namespace {

/// A named pipe in the place of a file: who reads it waits for what is written.
class Pipe {
 public:
  explicit Pipe(std::string path) : path_(std::move(path)) {
    std::filesystem::remove(path_);
    REQUIRE(mkfifo(path_.c_str(), 0600) == 0);
  }
  ~Pipe() { end(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  /// Whether somebody begins to read it.
  [[nodiscard]] bool is_read() {
    return eventually([&] { return (writer_ = open(path_.c_str(), O_WRONLY | O_NONBLOCK)) >= 0; });
  }
  void write(const std::string& text) const {
    REQUIRE(::write(writer_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void end() {
    if (writer_ >= 0) close(std::exchange(writer_, -1));
  }

 private:
  std::string path_;
  int writer_ = -1;
};

}  // namespace

TEST_CASE("Access: tokens are read anew, but for a file that is not in order") {
  const TokenFile file;
  RunningServer server(file.config());
  Entered alice(server, "alice");
  Entered eve(server, "eve");
  file.write("alice play nonsense\n");
  server.reload();
  CHECK(Entered(server, "root").ask("name") == "= Pitboss\n\n");
  CHECK(alice.ask("name") == "= Pitboss\n\n");
  // Eve has another token, Bob comes, root goes.
  file.write(line_of("alice", "play", "alice") + line_of("eve", "watch", "new") +
             line_of("bob", "play", "bob"));
  server.reload();
  CHECK(eve.rest().empty());
  CHECK(alice.ask("name") == "= Pitboss\n\n");
  CHECK(Entered(server, "bob").ask("showboard").starts_with("= "));
  CHECK(Client(server.port()).ask("auth root") == "? wrong token\n\n");
  CHECK(Client(server.port()).ask("auth eve") == "? wrong token\n\n");
  CHECK(Client(server.port()).ask("auth new") == "= eve watch\n\n");
}

TEST_CASE("Access: nobody waits while tokens are read anew") {
  const TokenFile file;
  RunningServer server(file.config());
  Entered alice(server, "alice");
  std::jthread reader;
  Pipe pipe(file.path());
  reader = std::jthread([&server] { server.reload(); });
  REQUIRE(pipe.is_read());
  CHECK(alice.ask("name") == "= Pitboss\n\n");
  pipe.write(line_of("alice", "play", "alice") + line_of("bob", "play", "bob"));
  pipe.end();
  reader.join();
  CHECK(Entered(server, "bob").ask("name") == "= Pitboss\n\n");
}

TEST_CASE("Credentials: tokens that others can write are told, and a key that they can use") {
  using std::filesystem::perms;
  using Warnings = std::vector<std::string>;
  const auto own = perms::owner_read | perms::owner_write;
  const std::string advice = "; chmod 600 keeps it from them";
  SUBCASE("tokens, of which there are only hashes") {
    const TokenFile file;
    const auto told = [&](perms others) {
      std::filesystem::permissions(file.path(), own | others);
      return server::Credentials({file.path(), {}, {}}).warnings();
    };
    const std::string warning = "others than its owner can write " + file.path();
    CHECK(told(perms::group_read | perms::others_read).empty());
    for (const auto others : {perms::group_write, perms::others_write}) {
      CHECK(told(others) == Warnings{warning + advice});
    }
    // Who does not own the file cannot follow the advice. Not everybody may give it away.
    if (chown(file.path().c_str(), geteuid() + 1, getegid()) == 0) {
      CHECK(told(perms::others_write) == Warnings{warning});
    }
  }
  SUBCASE("a key") {
    const tests::Certificate certificate(24h * 60);
    const auto told = [&](perms others) {
      std::filesystem::permissions(certificate.key(), own | others);
      return server::Credentials({{}, certificate.file(), certificate.key()}).warnings();
    };
    CHECK(told(perms::none).empty());
    for (const auto others :
         {perms::group_read, perms::group_write, perms::others_read, perms::others_write}) {
      CHECK(told(others) ==
            Warnings{"others than its owner can use " + certificate.key() + advice});
    }
  }
  SUBCASE("the token that evaluators are shown") {
    const TokenFile file;
    const auto told = [&](perms others) {
      std::filesystem::permissions(file.path(), own | others);
      return server::Credentials({{}, {}, {}, file.path()}).warnings();
    };
    CHECK(told(perms::none).empty());
    CHECK(told(perms::group_read) ==
          Warnings{"others than its owner can use " + file.path() + advice});
  }
}

TEST_CASE("pitbossd: tokens are read anew by SIGHUP, and the log tells names and failures") {
  const TokenFile file;
  Daemon daemon({"--listen", "127.0.0.1:0", "--tokens", file.path()});
  const auto port = Daemon::port_of(daemon.output_line());
  Client alice(port);
  CHECK(alice.ask("auth alice") == "= alice play\n\n");
  file.write("broken\n");
  daemon.signal(SIGHUP);
  const auto log_has = [&](const std::string& text) {
    std::string line;
    do line = daemon.error_line();
    while (line.find(text) == std::string::npos);
    return line;
  };
  CHECK(log_has(" (alice) has the right play").find("session 1: 127.0.0.1:") != std::string::npos);
  CHECK(log_has("stay as they were").find("line 1: expected NAME RIGHT HASH") != std::string::npos);
  file.write(line_of("bob", "play", "bob"));
  std::filesystem::permissions(file.path(), std::filesystem::perms(0622));
  daemon.signal(SIGHUP);
  log_has("read anew: 1 tokens, of which 3 were changed or removed");
  log_has("warning others than its owner can write " + file.path());
  log_has(" (alice) disconnected: its token has changed; ");
  CHECK(alice.rest().empty());
  CHECK(Client(port).ask("auth bob") == "= bob play\n\n");
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
}

TEST_CASE("pitbossd: ends although a file hangs that is being read anew") {
  const TokenFile file;
  Daemon daemon({"--listen", "127.0.0.1:0", "--tokens", file.path()});
  Client client(Daemon::port_of(daemon.output_line()));
  client.ask("auth alice");
  Pipe pipe(file.path());
  daemon.signal(SIGHUP);
  REQUIRE(pipe.is_read());
  daemon.signal(SIGTERM);
  CHECK(client.rest().empty());
  client.close();
  CHECK(daemon.wait() == 0);
}
