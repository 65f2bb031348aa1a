// The budget of memory, from a client's side.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/folders.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/running_server.hpp"
#include "tests/timing.hpp"

using pitboss::engine::MemoryBudget;
using pitboss::tests::Client;
using pitboss::tests::endless_search;
using pitboss::tests::eventually;
using pitboss::tests::RunningServer;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// A server that has so many MiB, and trees of 32 MiB at most, of which a short search takes 4.
pitboss::server::Config with_memory(std::size_t megabytes) {
  auto config = RunningServer::small();
  config.memory = std::make_shared<MemoryBudget>(megabytes * mib);
  config.make_search = pitboss::server::searches_with({});
  config.options.tree_mb = 32;
  config.options.simulations = 200;
  return config;
}

nlohmann::json stats(Client& client) {
  return nlohmann::json::parse(client.ask("stats").substr(2));
}
double refusals(Client& client) { return stats(client)["pitboss_refusals_total"]["memory"]; }

std::int64_t reused(Client& client) {
  return nlohmann::json::parse(client.ask("last_search").substr(2))["reused"];
}

}  // namespace

TEST_CASE("Memory: trees of idle sessions make room, the oldest first, and stay reported") {
  const auto config = with_memory(14);  // three trees
  const RunningServer server(config);
  std::deque<Client> clients;
  std::deque<std::string> reports;
  for (int i = 0; i < 20; ++i) {
    Client& client = clients.emplace_back(server.port());
    CHECK(client.ask("reg_genmove b").starts_with("= "));
    CHECK(config.memory->used(MemoryBudget::Kind::trees) <= 12 * mib);
    reports.push_back(client.ask("last_search"));
    CHECK(client.ask("last_value").starts_with("= 0."));
  }
  CHECK(config.memory->used(MemoryBudget::Kind::trees) == 12 * mib);
  for (std::size_t i = 0; i < clients.size(); ++i)
    CHECK(clients[i].ask("last_search") == reports[i]);
  // The last three have trees; each that has none takes the one that was not used for the longest.
  CHECK(clients[19].ask("genmove b").starts_with("= "));
  CHECK(config.memory->used() == 12 * mib);
  CHECK(refusals(clients[0]) == 0);
}

TEST_CASE("check 18: without memory a search is refused, and the session lives") {
  const auto config = with_memory(98);
  const RunningServer server(config);
  std::deque<Client> searching;
  for (int i = 0; i < 3; ++i) {
    Client& client = searching.emplace_back(server.port());
    client.write(std::string(endless_search) + "genmove b\n");
    client.answer();
    client.answer();
  }
  REQUIRE(eventually([&] { return config.memory->used() == 96 * mib; }));
  std::deque<Client> others;
  for (int i = 0; i < 5; ++i) {
    Client& client = others.emplace_back(server.port());
    CHECK(client.ask("genmove b") ==
          "? not enough memory for the search: 4 MiB are asked for, and 2 of the server's 98 are "
          "free; set tree_mb or estimators_mb lower, or ask again later\n\n");
    CHECK(client.ask("name") == "= Pitboss\n\n");
    CHECK(client.ask("last_search") == "? no search yet in this game\n\n");
  }
  CHECK(refusals(others.front()) == 5);
  others[0].ask("setoption name tree_mb value 2");
  CHECK(others[0].ask("genmove b").starts_with("= "));
  searching.front().reset();
  CHECK(eventually([&] { return config.memory->used() < 96 * mib; }));
  CHECK(others[1].ask("genmove b").starts_with("= "));
}

TEST_CASE("Memory: tables that a running search is given are counted, or end it") {
  for (const int megabytes : {40, 80}) {
    CAPTURE(megabytes);
    auto config = with_memory(72);
    config.options.tree_mb = 4;
    const RunningServer server(config);
    Client client(server.port());
    client.ask("setoption evaluation playout");
    client.ask("setoption estimators_mb " + std::to_string(megabytes));
    client.write(std::string(endless_search) + "genmove b\n");
    client.answer();
    client.answer();
    REQUIRE(eventually([&] { return config.memory->used() == 4 * mib; }));
    client.write("setoption estimators global,rave\n");
    if (megabytes == 40) {
      CHECK(eventually([&] { return config.memory->used() == 44 * mib; }));
      client.write("# interrupt\n");
    }
    CHECK(client.answer().starts_with("= "));  // what it has found
    CHECK(client.answer().starts_with("="));
    CHECK(config.memory->used() <= 72 * mib);
  }
}

TEST_CASE("Memory: a tree takes what it needs, not what it may have") {
  auto config = with_memory(300);
  config.options.tree_mb = 256;
  const RunningServer server(config);
  std::deque<Client> clients;
  for (int i = 0; i < 64; ++i) {
    clients.emplace_back(server.port()).write("reg_genmove b\n");
  }
  for (Client& client : clients) CHECK(client.answer().starts_with("= "));
  CHECK(config.memory->used() == 64 * 4 * mib);
}

TEST_CASE("Memory: who has more than its share gives way to another client within a second") {
  const auto time_to_give_way = [] {
    auto config = with_memory(64);
    config.options.tree_mb = 16;
    const RunningServer server(config);
    std::deque<Client> greedy;
    for (int i = 0; i < 4; ++i) {
      greedy.emplace_back(server.port(), "127.0.0.1", "127.0.0.2").write("analyze 1000\n");
    }
    REQUIRE(eventually([&] { return config.memory->used() == 64 * mib; }));
    Client other(server.port());
    const auto begin = std::chrono::steady_clock::now();
    CHECK(other.ask("genmove b").starts_with("= "));
    const auto time = std::chrono::steady_clock::now() - begin;
    CHECK(stats(other)["pitboss_searches_gave_way_total"] == 1);
    // One analysis has ended with what it has found, and three go on.
    CHECK(eventually([&] { return stats(other)["pitboss_running_commands"] == 3; }));
    CHECK(refusals(other) == 0);
    return time;
  };
  using namespace pitboss::tests;
  constexpr auto soon = sanitized ? longest_wait : std::chrono::milliseconds(1000);
  CHECK(quickest(5, soon, time_to_give_way) < soon);
}

TEST_CASE("Memory: answers that have been taken hold none") {
  const auto config = with_memory(100);
  const RunningServer server(config);
  Client client(server.port());
  client.ask("game amazons");
  client.ask("genmove b");
  client.write("last_search\nname\n");
  CHECK(client.answer().size() > 65536);
  CHECK(client.answer() == "= Pitboss\n\n");
  CHECK(eventually([&] { return config.memory->used(MemoryBudget::Kind::outboxes) == 0; }));
}

TEST_CASE(
    "Memory: the second tree of reuse_tree is counted, done without if need be, kept if small") {
  for (const bool is_scarce : {true, false}) {
    CAPTURE(is_scarce);
    auto config = with_memory(is_scarce ? 6 : 10);
    config.options.reuse_tree = true;
    config.options.simulations = 2000;
    const RunningServer server(config);
    Client client(server.port());
    CHECK(client.ask("genmove b").starts_with("= "));
    CHECK(client.ask("genmove w").starts_with("= "));
    CHECK((reused(client) == 0) == is_scarce);
    CHECK(config.memory->used() == (is_scarce ? 4 : 8) * mib);
  }
}

TEST_CASE("Memory: the table of truth is counted, and given back") {
  const auto config = with_memory(70);
  const RunningServer server(config);
  Client client(server.port());
  client.ask("setoption tree_mb 100");
  CHECK(client.ask("truth").starts_with("? "));
  client.ask("setoption tree_mb 60");
  CHECK(client.ask("truth 0").starts_with("= {"));
  CHECK(eventually([&] { return config.memory->used() == 0; }));
}

TEST_CASE("Memory: truth gives way to another client, and waits for what gives way") {
  const auto config = with_memory(64);
  const RunningServer server(config);
  for (int i = 1; i <= 20; ++i) {
    Client greedy(server.port(), "127.0.0.1", "127.0.0.2");
    greedy.ask("setoption tree_mb 60");
    greedy.write("truth 3600\n");
    REQUIRE(eventually([&] { return config.memory->used() == 60 * mib; }));
    Client other(server.port());
    other.ask("setoption tree_mb 20");
    CHECK(other.ask("truth 0").starts_with("= {"));
    CHECK(greedy.answer().find("\"complete\":false") != std::string::npos);
    CHECK(stats(other)["pitboss_searches_gave_way_total"] == i);
    CHECK(refusals(other) == 0);
  }
}

TEST_CASE("Memory: what a session, a table or a game leaves behind is free again") {
  const auto config = with_memory(100);
  const RunningServer server(config);
  Client client(server.port());
  client.ask("attach room");
  client.ask("genmove b");
  client.ask("detach");
  client.ask("genmove b");
  client.ask("game othello");
  client.ask("genmove b");  // in the place of the tree of connect4
  CHECK(eventually([&] { return config.memory->used() == 8 * mib; }));
  client.ask("quit");
  CHECK(eventually([&] { return config.memory->used() == 4 * mib; }));  // the room's
}

TEST_CASE("Memory: answers that nobody reads take no more than there is") {
  auto config = with_memory(1);
  config.limits.max_outbox = std::size_t{64} << 20;
  const RunningServer server(config);
  Client flood(server.port());
  flood.write_until_blocked();
  // A slow server may be taken for a blocked one.
  CHECK(eventually([&] { return config.memory->used(MemoryBudget::Kind::outboxes) > 0; }));
  CHECK(config.memory->used() <= mib);
  Client other(server.port());
  CHECK(other.ask("name") == "= Pitboss\n\n");
  CHECK(stats(other)["pitboss_waiting_answer_bytes"] < 2 * mib);
  flood.reset();
  CHECK(eventually([&] { return config.memory->used() == 0; }));
}

TEST_CASE(
    "Memory: of reports of one's own that nobody reads, no more wait than there is room for") {
  constexpr std::size_t analyses = 20;
  constexpr std::size_t left = 4;
  auto config = with_memory(4 * analyses + left);
  config.options.tree_mb = 4;
  const RunningServer server(config);
  std::deque<Client> analysts;
  for (std::size_t i = 0; i < analyses; ++i) {
    analysts.emplace_back(server.port(), "127.0.0.1", "", Client::Pipe::narrow);
    CHECK(analysts.back().ask("game amazons") == "= \n\n");
    analysts.back().write("analyze json 1 minmoves 3000\n");
    CHECK(analysts.back().line() == "= ");
  }
  Client administrator(server.port());
  const auto waiting = [&]() -> double {
    return stats(administrator)["pitboss_waiting_answer_bytes"];
  };
  CHECK(eventually([&] { return waiting() > mib; }));
  double largest = 0;
  for (int i = 0; i < 100; ++i) {
    largest = std::max(largest, waiting());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // What is free of charge, and one report.
  CHECK(largest < (left + 1) * mib + analyses * 65536);
}

TEST_CASE("Memory: of reports that nobody reads, no more wait than there is room for") {
  constexpr std::size_t most = 16;
  auto config = with_memory(most);
  config.options.tree_mb = 4;
  const RunningServer server(config);
  Client player(server.port(), "127.0.0.1", "127.0.0.2");  // another client than its watchers
  CHECK(player.ask("game amazons") == "= \n\n");
  CHECK(player.ask("attach hall") == "= \n\n");
  // 60 reports of half a MiB; a narrow pipe takes little of one.
  std::deque<Client> watchers;
  for (int i = 0; i < 60; ++i) {
    watchers.emplace_back(server.port(), "127.0.0.1", "", Client::Pipe::narrow);
    CHECK(watchers.back().ask("attach hall") == "= \n\n");
    watchers.back().write("watch\n");
    CHECK(watchers.back().line() == "= ");
  }
  player.write("analyze json 10 minmoves 3000\n");
  Client administrator(server.port());
  const auto waiting = [&]() -> double {
    return stats(administrator)["pitboss_waiting_answer_bytes"];
  };
  CHECK(eventually([&] { return waiting() > mib; }));
  // For as long as all would have come, or a race would show.
  constexpr int reports = pitboss::tests::thread_sanitized ? 8 : 40;
  double largest = 0;
  std::size_t counted = 0;
  for (int i = 0; i < reports; ++i) {
    largest = std::max(largest, waiting());
    counted = std::max(counted, config.memory->used(MemoryBudget::Kind::outboxes));
    CHECK(player.line().size() < mib);  // who reads is told
    CHECK(config.memory->used() <= most * mib);
  }
  CHECK(largest < (most + 1) * mib + 60 * 65536);
  CHECK(counted > 0);
  watchers.clear();
  player.reset();
  CHECK(eventually([&] { return config.memory->used(MemoryBudget::Kind::outboxes) == 0; }));
}

// A sanitizer takes more address space.
TEST_CASE("check 18: the daemon lives on when the system has no more" *
          doctest::skip(pitboss::tests::sanitized)) {
  // Less address space than the budget: the system refuses before the budget does.
  pitboss::peers::Process daemon({"/bin/sh", "-c", "ulimit -v 1500000; exec \"$0\" \"$@\"",
                                  pitboss::tests::bin_folder() + "/pitbossd", "--listen",
                                  "127.0.0.1:0", "--workers", "2", "--memory", "100000",
                                  "--tree-mb", "300"});
  const auto port = pitboss::tests::Daemon::port_of(daemon.output_line());
  std::deque<Client> clients;
  for (int i = 0; i < 8; ++i) {
    Client& client = clients.emplace_back(port);
    client.write(std::string(endless_search) + "genmove b\nname\n");
    client.answer();
    client.answer();
  }
  // At least three of eight find no memory: what five trees leave is less than one.
  int refused = 0;
  for (Client& client : clients) {
    client.write("# interrupt\n");
    const std::string answer = client.answer();
    if (answer.starts_with("? not enough memory for the search: ")) ++refused;
    CHECK((answer.starts_with("= ") || answer.starts_with("? not enough memory")));
    CHECK(client.answer() == "= Pitboss\n\n");
  }
  CHECK(refused >= 3);
  // Nobody searches any more, so that idle trees make room for each.
  for (Client& client : clients) {
    client.ask("setoption name simulations value 100");
    CHECK(client.ask("genmove w").size() > 2);
    CHECK(client.ask("name") == "= Pitboss\n\n");
  }
  CHECK(stats(clients.front())["pitboss_internal_errors_total"] == 0);
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
}
