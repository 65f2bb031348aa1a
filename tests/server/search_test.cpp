#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/sanitized.hpp"
#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"
#include "tests/timing.hpp"

using namespace std::chrono_literals;
using pitboss::tests::Client;
using pitboss::tests::endless_search;
using pitboss::tests::eventually;
using pitboss::tests::for_ever;
using pitboss::tests::median;
using pitboss::tests::processor_time;
using pitboss::tests::quickest;
using pitboss::tests::RunningServer;
using SteadyClock = std::chrono::steady_clock;

namespace {

// A search that lasts for ever if nothing ends it, and runs already.
void start_long_search(Client& client, const RunningServer& server) {
  const int before = server.counts().searching;
  client.write(std::string(endless_search) + "genmove b\n");
  client.answer();
  client.answer();
  REQUIRE(eventually([&] { return server.counts().searching == before + 1; }));
}

}  // namespace

TEST_CASE("check 13: what ends a long search") {
  const RunningServer server;
  Client client(server.port());
  start_long_search(client, server);

  SUBCASE("# interrupt, ahead of what waits") {
    client.write("7 known_command quit\n# interrupt\n");
    CHECK(client.answer().starts_with("= "));
    CHECK(client.answer() == "=7 true\n\n");
  }
  SUBCASE("a live option, answered after the search") {
    client.write("8 setoption name simulations value 1\n9 known_command quit\n");
    CHECK(client.answer().starts_with("= "));
    CHECK(client.answer().starts_with("=8 "));
    CHECK(client.answer() == "=9 true\n\n");
  }
  SUBCASE("quit") {
    client.write("10 quit\n");
    const auto answers = client.rest();
    CHECK(answers.starts_with("= "));
    CHECK(answers.find("\n\n=10 \n\n") != std::string::npos);
  }
  SUBCASE("a reset, and nobody is told") { client.reset(); }
  SUBCASE("a closed socket on the same machine") { client.close(); }
  SUBCASE("a closed socket, with lines waiting") {
    client.write("genmove w\ngenmove b\n");
    client.close();
  }
  CHECK(eventually([&] { return server.counts().searching == 0; }));
}

TEST_CASE("Server: a client that closes is noticed by the next check") {
  const RunningServer server;
  // A client may close just before a check, however seldom they come.
  const auto usual_time = [&] {
    std::vector<SteadyClock::duration> times;
    for (int i = 0; i < 15; ++i) {
      Client client(server.port());
      start_long_search(client, server);
      const auto closed = SteadyClock::now();
      client.close();
      REQUIRE(eventually([&] { return server.counts().searching == 0; }));
      times.push_back(SteadyClock::now() - closed);
    }
    return median(times);
  };
  // A check comes every 50 ms, and the search's slice has to end.
  constexpr auto soon = pitboss::tests::sanitized ? 1000ms : 100ms;
  CHECK(quickest(3, soon, usual_time) < soon);
}

TEST_CASE("Server: # interrupt in one piece with the command it is about") {
  const RunningServer server;
  Client client(server.port());
  client.write(std::string(endless_search) + "genmove b\n# interrupt\nknown_command quit\n");
  for (int i = 0; i < 3; ++i) CHECK(client.answer().starts_with("= "));
  CHECK(client.answer() == "= true\n\n");
}

TEST_CASE("Server: an option in one piece with a search waits for it") {
  const RunningServer server;
  Client client(server.port());
  client.write(
      "setoption name simulations value 3000\ngenmove b\nsetoption name simulations value 1\n"
      "last_search\n");
  for (int i = 0; i < 3; ++i) CHECK(client.answer().starts_with("= "));
  CHECK(client.answer().find("\"simulations\":3000,") != std::string::npos);
}

TEST_CASE("Server: quit in one piece with a search waits for it") {
  const RunningServer server;
  Client client(server.port());
  client.write("setoption name simulations value 0\nsetoption name movetime value 700\n");
  client.answer();
  client.answer();
  const auto begun = SteadyClock::now();
  client.write("genmove b\nquit\n");
  client.rest();
  CHECK(SteadyClock::now() - begun > 600ms);
}

TEST_CASE("Server: after the end of input a search goes on for a while") {
  auto config = RunningServer::small();
  config.limits.half_close = 400ms;
  const RunningServer server(config);
  Client client(server.port());
  start_long_search(client, server);
  const auto begun = SteadyClock::now();
  client.end_input();
  CHECK(client.rest().starts_with("= "));
  CHECK(SteadyClock::now() - begun > 300ms);
}

TEST_CASE("Server: the end of input is noticed behind lines that are not read yet") {
  auto config = RunningServer::small();
  config.limits.half_close = 400ms;
  const RunningServer server(config);
  Client client(server.port());
  start_long_search(client, server);
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += "known_command quit\n";
  client.write(lines);
  SUBCASE("half-closed: the search ends after a while, and all is answered") {
    client.end_input();
    const auto answers = client.rest();
    CHECK(answers.size() > 5000 * std::string_view("= true\n\n").size());
  }
  SUBCASE("closed: the search ends") { client.close(); }
  CHECK(eventually([&] { return server.counts().searching == 0; }));
}

TEST_CASE("Server: stop() ends searches, which answer, and refuses newcomers") {
  auto config = RunningServer::small();
  config.limits.drain = for_ever;  // after which who still searches or lingers is cut off
  RunningServer server(config);
  std::deque<Client> clients;
  for (int i = 0; i < 8; ++i) start_long_search(clients.emplace_back(server.port()), server);
  Client idle(server.port());
  idle.ask("name");
  server.stop();
  for (auto& client : clients) CHECK(client.rest().starts_with("= "));
  CHECK(idle.rest().empty());
  CHECK(server.join());
  CHECK_THROWS(Client(server.port()));
}

TEST_CASE("Server: stop() does not wait for ever for a client that does not read") {
  auto config = RunningServer::small();
  config.limits.drain = 300ms;
  config.limits.write_timeout = 90s;  // which ends the connection if nothing else does
  config.limits.max_outbox = 100'000;
  RunningServer server(config);
  Client client(server.port());
  // Answers that nobody reads, until the server stops reading, too.
  client.write_until_blocked();
  const auto begun = SteadyClock::now();
  server.stop();
  CHECK_FALSE(server.join());
  CHECK(SteadyClock::now() - begun < 20s);
}

TEST_CASE("check 19: searches share two workers fairly, and others are answered meanwhile") {
  constexpr int searches = 64;
  const RunningServer server;
  Client other(server.port());
  // Searches of some 30 ms of a processor, so that each takes many slices, in slow builds too.
  other.ask("setoption name simulations value 5000");
  const auto before = processor_time();
  other.ask("reg_genmove b");
  const auto simulations = 5000 * 30ms / (processor_time() - before);
  std::deque<Client> clients;
  for (int i = 0; i < searches; ++i) {
    Client& client = clients.emplace_back(server.port());
    client.ask("setoption name simulations value " + std::to_string(simulations));
  }

  // How much longer the slowest takes than the fastest, and how long another waits meanwhile.
  const auto measure = [&]() -> std::pair<double, SteadyClock::duration> {
    std::vector<SteadyClock::duration> times(searches);
    std::vector<std::jthread> readers;
    const auto begun = SteadyClock::now();
    for (auto& client : clients) client.write("reg_genmove b\n");
    for (std::size_t i = 0; i < searches; ++i) {
      readers.emplace_back([&, i] {
        clients[i].answer();
        times[i] = SteadyClock::now() - begun;
      });
    }
    std::vector<SteadyClock::duration> waits;
    do {
      const auto asked = SteadyClock::now();
      other.ask("name");
      waits.push_back(SteadyClock::now() - asked);
      std::this_thread::sleep_for(5ms);
    } while (server.counts().searching > 0);
    readers.clear();
    const auto [fastest, slowest] = std::ranges::minmax(times);
    std::ranges::sort(waits);
    return {std::chrono::duration<double>(slowest) / std::chrono::duration<double>(fastest),
            waits[waits.size() / 2]};
  };

  if (pitboss::tests::sanitized) {  // looks at races and memory only: its own work blurs slices
    measure();
    return;
  }
  // Slices are of time, so what else the machine does blurs them: the best of a few rounds counts.
  constexpr double fair = 1.5;
  double ratio = 1e9;
  SteadyClock::duration wait = 1h;
  for (int round = 0; round < 5 && (ratio > fair || wait > 50ms); ++round) {
    const auto [this_ratio, this_wait] = measure();
    ratio = std::min(ratio, this_ratio);
    wait = std::min(wait, this_wait);
  }
  CHECK(ratio <= fair);
  CHECK(wait < 50ms);
}

TEST_CASE("check 20: a session plays the same whether it is alone or not") {
  const RunningServer server;
  const std::string script = "genmove b\ngenmove w\ngenmove b\ngenmove w\nmoves\nquit\n";
  Client alone(server.port());
  alone.write(script);
  const auto expected = alone.rest();
  std::deque<Client> clients;
  for (int i = 0; i < 20; ++i) clients.emplace_back(server.port()).write(script);
  for (auto& client : clients) CHECK(client.rest() == expected);
}
