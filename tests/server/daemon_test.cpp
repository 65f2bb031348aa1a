#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <deque>
#include <string>
#include <vector>

#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/running_server.hpp"

using namespace std::chrono_literals;
using pitboss::tests::Client;
using pitboss::tests::Daemon;
using pitboss::tests::endless_search;

namespace {

void start_long_search(Client& client) {
  client.write(std::string(endless_search) + "genmove b\n");
  client.answer();
  client.answer();
}

}  // namespace

TEST_CASE("pitbossd: says where it listens, and in which game") {
  Daemon daemon({"--listen", "127.0.0.1:0=othello", "--listen", "[::1]:0"});
  const auto first = daemon.output_line();
  CHECK(first.starts_with("listening 127.0.0.1:"));
  CHECK(first.ends_with(" othello"));
  const auto second = daemon.output_line();
  CHECK(second.starts_with("listening [::1]:"));
  CHECK(second.ends_with(" connect4"));
  CHECK(Client(Daemon::port_of(first)).ask("game").find("othello") != std::string::npos);
  CHECK(Client(Daemon::port_of(second), "::1").ask("game").find("connect4") != std::string::npos);
}

TEST_CASE("pitbossd: two on one port") {
  Daemon daemon({"--listen", "127.0.0.1:0"});
  const auto port = std::to_string(Daemon::port_of(daemon.output_line()));
  Daemon second({"--listen", "127.0.0.1:" + port});
  CHECK(second.wait() == 1);
  CHECK(second.errors().find("cannot listen on 127.0.0.1:" + port) != std::string::npos);
}

TEST_CASE("check 14: a daemon starts again at once after being killed") {
  Daemon daemon({"--listen", "127.0.0.1:0"});
  const auto port = Daemon::port_of(daemon.output_line());
  Client client(port);
  start_long_search(client);
  daemon.signal(SIGKILL);
  CHECK(daemon.wait() == 128 + SIGKILL);
  Daemon second({"--listen", "127.0.0.1:" + std::to_string(port)});
  CHECK(Daemon::port_of(second.output_line()) == port);
}

TEST_CASE("check 15: SIGTERM and SIGINT let searches answer and end with 0") {
  for (const int signal : {SIGTERM, SIGINT}) {
    // Searches that last for ever, if nothing ends them.
    Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "2", "--drain-seconds", "3600"});
    const auto port = Daemon::port_of(daemon.output_line());
    std::deque<Client> clients;
    for (int i = 0; i < 8; ++i) start_long_search(clients.emplace_back(port));
    daemon.signal(signal);
    // Those that the daemon cuts off after the drain have no answer.
    for (auto& client : clients) CHECK(client.rest().starts_with("= "));
    CHECK(daemon.wait() == 0);
    CHECK(daemon.errors().find("cut off") == std::string::npos);
  }
}

TEST_CASE("pitbossd: SIGHUP does no harm where there is nothing to read anew") {
  Daemon daemon;
  Client client(Daemon::port_of(daemon.output_line()));
  daemon.signal(SIGHUP);
  while (daemon.error_line().find("there is nothing to read anew") == std::string::npos) {
  }
  CHECK(client.ask("name") == "= Pitboss\n\n");
  client.close();
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
}

TEST_CASE("check 15: a second signal ends the daemon at once") {
  Daemon daemon({"--listen", "127.0.0.1:0", "--drain-seconds", "3600", "--max-outbox", "65536"});
  Client client(Daemon::port_of(daemon.output_line()));
  client.write_until_blocked();
  daemon.signal(SIGTERM);
  while (daemon.error_line().find("stopping; ") == std::string::npos) {
  }
  REQUIRE_THROWS(daemon.wait(500ms));
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 128 + SIGTERM);
}

TEST_CASE("pitbossd: what it cannot do it says, with exit code 1") {
  struct Row {
    std::vector<std::string> arguments;
    const char* says;
  };
  const Row rows[] = {
      {{"--listen", "127.0.0.1:0=chess"}, "chess"},
      {{"--no-such-option"}, "--no-such-option"},
      {{"--k", "-1"}, "k must be"},
      {{"--log-file", "/dev/null/log"}, "/dev/null/log"},
      {{"--listen", "203.0.113.1:0"}, "cannot listen on 203.0.113.1:0"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.says);
    Daemon daemon(row.arguments);
    REQUIRE(daemon.wait() == 1);
    CHECK(daemon.errors().find(row.says) != std::string::npos);
  }
}

TEST_CASE("check 17: a log that cannot be written does not matter") {
  Daemon daemon({"--listen", "127.0.0.1:0", "--log-file", "/dev/full", "--log-level", "debug"});
  const auto port = Daemon::port_of(daemon.output_line());
  for (int i = 0; i < 3; ++i) CHECK(Client(port).ask("known_command quit") == "= true\n\n");
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
}
