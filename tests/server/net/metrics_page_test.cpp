#include "server/net/metrics_page.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <deque>
#include <string>

#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/running_server.hpp"

using namespace std::chrono_literals;
using pitboss::tests::Client;
using pitboss::tests::Daemon;
using pitboss::tests::RunningServer;

namespace {

pitboss::server::Config with_page() {
  auto config = RunningServer::small();
  config.metrics = {"127.0.0.1", 0, ""};
  return config;
}

std::string answer(const RunningServer& server, const std::string& request) {
  Client client(server.metrics_port());
  client.write(request);
  return client.rest();
}

}  // namespace

TEST_CASE("MetricsPage: one page, one method") {
  const RunningServer server(with_page());
  struct Row {
    std::string request;
    const char* status;
  };
  const Row rows[] = {
      {"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 OK"},
      {"GET /metrics?a=b HTTP/1.0\r\n\r\n", "200 OK"},
      {"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9464\r\n\r\n", "200 OK"},
      {"GET /metrics HTTP/1.1\r\nHost: [::1]:9464\r\n\r\n", "200 OK"},
      {"GET /metrics HTTP/1.1\r\nHost: attacker.example:9464\r\n\r\n", "421 Misdirected Request"},
      {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"},
      {"GET /metrics/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"},
      {"GET /metrics/../etc HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"},
      {"HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "405 Method Not Allowed"},
      {"POST /metrics HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", "405 Method Not Allowed"},
      {"DELETE /metrics HTTP/1.1\r\n\r\n", "405 Method Not Allowed"},
      {"genmove b\r\n\r\n", "400 Bad Request"},
      {std::string(100, '\0'), "400 Bad Request"},
      {"GET /metrics HTTP/9.9\r\n\r\n", "400 Bad Request"},
      {"GET /metrics HTTP/1.1\r\nno colon\r\n\r\n", "400 Bad Request"},
      {"POST /metrics HTTP/1.1\r\nContent-Length: many\r\n\r\n", "400 Bad Request"},
      {"GET /metrics HTTP/1.1\r\nX: " + std::string(5000, 'x') + "\r\n\r\n",
       "431 Request Header Fields Too Large"},
      {"GET /" + std::string(100'000, 'x'), "431 Request Header Fields Too Large"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.request.substr(0, 60));
    const std::string text = answer(server, row.request);
    CHECK(text.starts_with("HTTP/1.1 " + std::string(row.status) + "\r\n"));
    CHECK(text.find("Connection: close\r\n") != std::string::npos);
    CHECK((text.find("# HELP ") != std::string::npos) == (row.status[0] == '2'));
  }
}

TEST_CASE("MetricsPage: one request a connection") {
  const RunningServer server(with_page());
  const std::string request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const std::string text = answer(server, request + request);
  CHECK(text.find("HTTP/1.1") == text.rfind("HTTP/1.1"));
}

TEST_CASE("MetricsPage: clients that say nothing, or half of it, are let go after a while") {
  const RunningServer server(with_page());
  std::deque<Client> silent;
  for (int i = 0; i < 16; ++i) {
    silent.emplace_back(server.metrics_port()).write(i % 2 == 0 ? "" : "GET /metr");
  }
  // The oldest of sixteen gives way to one more; sessions do not notice.
  CHECK(answer(server, "GET /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(silent.front().rest().empty());
  CHECK(Client(server.port()).ask("known_command quit") == "= true\n\n");
  for (Client& client : silent) CHECK(client.rest().empty());
  CHECK(answer(server, "GET /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST_CASE("MetricsPage: a client that breaks off does no harm") {
  const RunningServer server(with_page());
  for (int i = 0; i < 50; ++i) {
    Client client(server.metrics_port());
    client.write("GET /metrics HTTP/1.1\r\n\r\n");
    i % 2 == 0 ? client.reset() : client.close();
  }
  CHECK(pitboss::tests::eventually([&] {
    return answer(server, "GET /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n");
  }));
}

TEST_CASE("pitbossd: says where its metrics are, and refuses a bad address") {
  Daemon daemon({"--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"});
  daemon.output_line();
  const std::string line = daemon.output_line();
  REQUIRE(line.starts_with("metrics 127.0.0.1:"));
  Client client(static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1))));
  client.write("GET /metrics HTTP/1.1\r\n\r\n");
  CHECK(client.rest().find("\npitboss_sessions 0\n") != std::string::npos);
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
  for (const char* const bad : {"127.0.0.1", "127.0.0.1:0=othello", "127.0.0.1:99999"}) {
    Daemon refused({"--listen", "127.0.0.1:0", "--metrics", bad});
    CHECK(refused.wait() == 1);
    CHECK_FALSE(refused.errors().empty());
  }
}
