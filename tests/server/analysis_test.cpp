#include <doctest/doctest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/commands/commands.hpp"
#include "server/net/conversation.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"
#include "tests/timing.hpp"

using namespace std::chrono_literals;
using namespace pitboss;
using pitboss::tests::Client;
using pitboss::tests::eventually;
using pitboss::tests::median;
using pitboss::tests::quickest;
using pitboss::tests::RunningServer;
using SteadyClock = std::chrono::steady_clock;

namespace {

/// Begins an analysis and reads its first line.
void begin(Client& client, const std::string& command) {
  client.write(command + "\n");
  CHECK(client.line() == "= ");
  CHECK(client.line().starts_with("info move "));
}

/// Reads the lines that are left of an analysis, and the empty one.
void read_end(Client& client) {
  for (std::string line; !(line = client.line()).empty();) CHECK(line.starts_with("info move "));
}

/// Visits by move, as a line of an analysis tells.
std::map<std::string, double> visits_of(const std::string& line) {
  std::map<std::string, double> visits;
  std::istringstream words(line);
  std::string move;
  for (std::string word; words >> word;) {
    if (word == "move") words >> move;
    if (word == "visits") words >> visits[move];
  }
  return visits;
}

/// The share of the new visits that went to one move, the one that got most of them.
double concentration(const std::string& before, const std::string& after) {
  const auto old_visits = visits_of(before);
  double all = 0;
  double largest = 0;
  for (const auto& [move, visits] : visits_of(after)) {
    const auto found = old_visits.find(move);
    const double growth = visits - (found == old_visits.end() ? 0 : found->second);
    CHECK(growth >= 0);  // the tree is never begun anew
    all += growth;
    largest = std::max(largest, growth);
  }
  return all == 0 ? 0.5 : largest / all;
}

}  // namespace

TEST_CASE("Server: what ends an analysis, and what follows") {
  const RunningServer server;
  Client client(server.port());
  begin(client, "lz-analyze 2");

  SUBCASE("a blank line") {
    client.write("\n");
    read_end(client);
    CHECK(client.ask("name") == "= Pitboss\n\n");
  }
  SUBCASE("a comment") {
    client.write("# enough\n");
    read_end(client);
    CHECK(client.ask("name") == "= Pitboss\n\n");
  }
  SUBCASE("# interrupt") {
    client.write("# interrupt\n");
    read_end(client);
    CHECK(client.ask("name") == "= Pitboss\n\n");
  }
  SUBCASE("a command, which is obeyed afterwards") {
    client.write("11 play b d1\n12 moves\n");
    read_end(client);
    CHECK(client.answer() == "=11 \n\n");
    CHECK(client.answer() == "=12 d1\n\n");
  }
  SUBCASE("an option, which is set afterwards") {
    client.write("setoption k 7\n");
    read_end(client);
    CHECK(client.answer() == "= \n\n");
    CHECK(client.ask("getoption k") == "= 7\n\n");
  }
  SUBCASE("another analysis") {
    client.write("5 kata-analyze 2\n");
    read_end(client);
    CHECK(client.line() == "=5 ");
    CHECK(client.line().starts_with("info move "));
  }
  SUBCASE("the end of input") {
    client.end_input();
    read_end(client);
    CHECK(client.rest().empty());
  }
  SUBCASE("quit") {
    client.write("13 quit\n");
    read_end(client);
    CHECK(client.rest() == "=13 \n\n");
  }
  SUBCASE("a line that is too long") {
    client.write(std::string((1 << 20) + 1, 'x'));
    read_end(client);
    CHECK(client.rest().starts_with("? line too long"));
  }
  SUBCASE("a reset") { client.reset(); }
  SUBCASE("a socket that is closed") { client.close(); }
}

TEST_CASE("Server: lines that come in one piece with an analysis end it, too") {
  const RunningServer server;
  Client client(server.port());
  client.write("3 lz-analyze 100\n\n4 kata-analyze\n# more\n5 analyze\n6 name\n");
  for (const char* id : {"3", "4", "5"}) {
    CHECK(client.line() == "=" + std::string(id) + " ");
    CHECK(client.line().starts_with("info move "));
    read_end(client);
  }
  CHECK(client.answer() == "=6 Pitboss\n\n");
  client.write("7 analyze");
  client.end_input();
  CHECK(client.line() == "=7 ");
  read_end(client);
  CHECK(client.rest().empty());
}

TEST_CASE("Server: a genmove that tells what it thinks is not ended by lines, but by interrupts") {
  const RunningServer server;
  Client client(server.port());
  client.ask("setoption simulations 0");
  client.ask("setoption movetime 500");
  const auto begun = SteadyClock::now();
  client.write("lz-genmove_analyze b 5\n");
  CHECK(client.line() == "= ");
  CHECK(client.line().starts_with("info move "));
  SUBCASE("lines wait") {
    client.write("\n# nothing\nname\n");
    std::string line;
    while ((line = client.line()).starts_with("info move ")) {
    }
    CHECK(line.starts_with("play "));
    CHECK(client.line().empty());
    CHECK(SteadyClock::now() - begun > 400ms);
    CHECK(client.answer() == "= Pitboss\n\n");
  }
  SUBCASE("# interrupt") {
    client.ask("# interrupt");
    CHECK(client.ask("moves").size() == std::string_view("= d1\n\n").size());
  }
}

TEST_CASE("Server: who reads slowly misses lines, and fills no memory") {
  boost::asio::io_context io;
  server::WorkerPool pool(1);
  const server::ServerLimits limits;
  server::Shared shared{io, pool, limits,
                        std::make_shared<engine::MemoryBudget>(std::size_t{1} << 30)};
  server::SessionConfig config;
  config.commands = server::commands();
  const auto conversation =
      std::make_shared<server::Conversation>(shared, shared.accounts.of({}), 1, [] {});
  conversation->begin(config);
  io.poll();
  conversation->receive("game gomoku opening=free\nlz-analyze 1\n");
  const auto size = [&] { return conversation->outbox().size(); };
  const auto handle_events = [&] {
    io.restart();
    io.poll();
  };
  const auto grows_beyond = [&](std::size_t bytes) {
    return eventually([&] {
      handle_events();
      return size() > bytes;
    });
  };
  const auto size_later = [&] {
    for (const auto end = SteadyClock::now() + 700ms; SteadyClock::now() < end;) {
      handle_events();
      std::this_thread::sleep_for(2ms);
    }
    return size();
  };
  CHECK(grows_beyond(65536));
  const auto full = size_later();  // with a line that may have been under way
  CHECK(full < 65536 + 32768);     // one line more than the mark
  CHECK(size_later() == full);     // nothing was added
  CHECK(conversation->is_busy());  // but the search goes on
  conversation->outbox().pop(size());
  conversation->sent();
  CHECK(grows_beyond(20000));
  conversation->abandon();
  CHECK(eventually([&] {
    handle_events();
    return shared.gauges.searching == 0;
  }));
  pool.stop();
}

TEST_CASE("Server: a second connection changes an option, and the stream shows it") {
  const RunningServer server;
  Client watcher(server.port());
  Client other(server.port());
  watcher.ask("setoption k 0.3");
  watcher.ask("attach study");
  other.ask("attach study");
  // A fourth in the column wins: without exploration nothing else is tried. Among equals a search
  // may change from one move to another.
  for (const char* move : {"b a", "w b", "b a", "w b", "b a", "w b"}) {
    CHECK(watcher.ask(std::string("play ") + move) == "= \n\n");
  }
  begin(watcher, "kata-analyze 1");
  // How long after the command a line shows what the new value does.
  const auto reaction = [&](const std::string& line, auto&& shows) {
    const auto asked = SteadyClock::now();
    CHECK(other.ask(line) == "= in force in the running search\n\n");
    std::string before = watcher.line();
    while (SteadyClock::now() - asked < 5s) {
      const std::string after = watcher.line();
      if (shows(concentration(before, after))) break;
      before = after;
    }
    return SteadyClock::now() - asked;
  };
  // For the one that takes longer, k up or down.
  const auto usual_reaction = [&] {
    std::vector<SteadyClock::duration> wider;
    std::vector<SteadyClock::duration> narrower;
    for (int round = 0; round < 7; ++round) {
      wider.push_back(reaction("setoption k 100", [](double c) { return c < 0.4; }));
      narrower.push_back(reaction("setoption k 0", [](double c) { return c > 0.9; }));
    }
    return std::max(median(wider), median(narrower));
  };
  constexpr auto soon = tests::sanitized ? 1000ms : 100ms;
  CHECK(quickest(3, soon, usual_reaction) < soon);
}

TEST_CASE("Server: ten thousand options a second disturb neither the stream nor others") {
  const RunningServer server;
  Client watcher(server.port());
  Client stormer(server.port());
  Client third(server.port());
  watcher.ask("attach study");
  stormer.ask("attach study");
  std::string hundred;
  for (int i = 0; i < 100; ++i) hundred += "setoption alpha 0." + std::to_string(i + 10) + "\n";
  // Lines of an analysis, and how long a third client waits for an answer meanwhile.
  const auto watch = [&](bool storms) -> std::pair<int, SteadyClock::duration> {
    begin(watcher, "lz-analyze 1");
    const auto begun = SteadyClock::now();
    std::vector<SteadyClock::duration> waits;
    for (int sent = 0; SteadyClock::now() - begun < 1500ms;) {
      sent += 100;
      if (storms) {
        stormer.write(hundred);
        for (int i = 0; i < 100; ++i) CHECK(stormer.answer().starts_with("= in force"));
      }
      const auto asked = SteadyClock::now();
      third.ask("name");
      waits.push_back(SteadyClock::now() - asked);
      std::this_thread::sleep_until(begun + sent * 100us);
    }
    watcher.write("\n");
    int lines = 0;
    for (; !watcher.line().empty(); ++lines) {
    }
    return {lines, median(waits)};
  };
  const int undisturbed = watch(false).first;  // 150, unless the machine has other things to do
  int lines = 0;
  SteadyClock::duration wait = 1h;
  for (int round = 0; round < 4 && (lines <= undisturbed / 5 || wait >= 20ms); ++round) {
    const auto [these_lines, this_wait] = watch(true);
    lines = std::max(lines, these_lines);
    wait = std::min(wait, this_wait);
  }
  CHECK(wait < 20ms);
  CHECK(lines > undisturbed / 5);
  CHECK(stormer.ask("getoption alpha") == "= 0.109\n\n");
}
