#include "server/net/limits.hpp"

#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"
#include "tests/timing.hpp"

using namespace std::chrono_literals;
using pitboss::tests::Client;
using pitboss::tests::eventually;
using pitboss::tests::processor_time;
using pitboss::tests::quickest;
using pitboss::tests::RunningServer;
using SteadyClock = std::chrono::steady_clock;

namespace {

// Bytes this process has asked for and not given back; 0 under the address sanitizer.
std::size_t heap_bytes() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Descriptors of this process, of which the server is a part.
std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

// Sets the soft limit of open files as long as this lives.
class OpenFiles {
 public:
  explicit OpenFiles(int limit) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit lowered = before_;
    lowered.rlim_cur = static_cast<rlim_t>(limit);
    setrlimit(RLIMIT_NOFILE, &lowered);
  }
  ~OpenFiles() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("check 8: over the limit of sessions clients are told") {
  auto config = RunningServer::small();
  config.limits.max_sessions = 3;
  const RunningServer server(config);
  std::deque<Client> clients;
  for (int i = 0; i < 3; ++i) clients.emplace_back(server.port()).ask("name");
  for (int i = 0; i < 5; ++i) {
    Client refused(server.port());
    refused.write("name\n");
    CHECK(refused.rest() == "? too many sessions (limit 3)\n\n");
  }
  CHECK(clients.front().ask("known_command quit") == "= true\n\n");
  clients.front().ask("quit");
  CHECK(eventually([&] { return server.counts().sessions == 2; }));
  CHECK(Client(server.port()).ask("known_command quit") == "= true\n\n");
}

TEST_CASE("check 11: a flood that is not read is held back, and then answered in order") {
  auto config = RunningServer::small();
  config.limits.max_outbox = 100'000;
  config.limits.max_queued = 100;
  const RunningServer server(config);
  constexpr int count = 10'000;
  Client client(server.port());
  const auto before = heap_bytes();
  std::atomic<int> written = 0;
  std::jthread writer([&] {
    for (int i = 0; i < count; ++i) {
      client.write(std::to_string(i) + " list_options\n");
      ++written;
    }
  });
  // Until the server takes no more.
  int seen = 0;
  CHECK(eventually([&] {
    std::this_thread::sleep_for(500ms);
    return std::exchange(seen, written.load()) == written.load() && seen > 0;
  }));
  // The answers are some thirty megabytes.
  CHECK(heap_bytes() < before + (1 << 20));
  Client other(server.port());
  const auto wait = [&] {
    const auto asked = SteadyClock::now();
    other.ask("name");
    return SteadyClock::now() - asked;
  };
  CHECK(quickest(5, 500ms, wait) < 500ms);

  bool in_order = true;
  for (int i = 0; i < count; ++i) {
    in_order = in_order && client.answer().starts_with("=" + std::to_string(i) + " ");
  }
  CHECK(in_order);
}

TEST_CASE("check 11: a client that does not read is given up") {
  auto config = RunningServer::small();
  config.limits.write_timeout = 300ms;
  const RunningServer server(config);
  Client client(server.port());
  client.write_until_blocked();
  CHECK(eventually([&] { return server.counts().sockets == 0; }));
}

TEST_CASE("Server: a client that reads slowly, but again and again, is not given up") {
  auto config = RunningServer::small();
  config.limits.write_timeout = 500ms;
  config.limits.max_outbox = std::size_t{1} << 30;
  const RunningServer server(config);
  Client client(server.port());
  std::string lines;
  for (int i = 0; i < 12'000; ++i) lines += std::to_string(i) + " list_options\n";
  client.write(lines);
  // There is more to write all the time: what is read below are 10'000 answers at most.
  int read = 0;
  bool in_order = true;
  const auto end = SteadyClock::now() + 2 * config.limits.write_timeout;
  while (in_order && SteadyClock::now() < end) {
    for (int i = 0; i < 100; ++i) {
      in_order = in_order && client.answer().starts_with("=" + std::to_string(read++) + " ");
    }
    std::this_thread::sleep_for(10ms);
  }
  CHECK(in_order);
  CHECK(server.counts().sockets == 1);
  client.reset();
}

TEST_CASE("check 19: lines that wait behind a search are limited") {
  auto config = RunningServer::small();
  config.limits.max_queued = 10;
  const RunningServer server(config);
  Client client(server.port());
  client.write(pitboss::tests::endless_search);
  client.answer();
  client.answer();
  const std::string line(100'000, 'x');
  client.write("genmove b\n");
  CHECK(eventually([&] { return server.counts().searching == 1; }));
  client.timeout = 2s;  // in which a server that reads takes something
  CHECK_THROWS([&] {
    for (int i = 0; i < 1000; ++i) client.write(line + "\n");
  }());
  client.reset();  // is noticed though nothing is read
  CHECK(eventually([&] { return server.counts().searching == 0; }));
}

TEST_CASE("check 1: an idle session is closed, a partial line does not keep it") {
  auto config = RunningServer::small();
  config.limits.idle = 300ms;
  const RunningServer server(config);
  const auto begun = SteadyClock::now();
  Client silent(server.port());
  Client slow(server.port());
  slow.timeout = 20ms;
  // Goes on with its line until the server closes.
  std::string said;
  CHECK(eventually([&] {
    slow.write("x");
    try {
      said = slow.rest();
      return true;
    } catch (const std::runtime_error&) {
      return false;  // it is still open, and says nothing
    }
  }));
  CHECK(said.empty());
  CHECK(silent.rest().empty());
  CHECK(SteadyClock::now() - begun >= 300ms);
}

TEST_CASE("Server: a session that searches is not idle") {
  auto config = RunningServer::small();
  config.limits.idle = 400ms;
  const RunningServer server(config);
  Client client(server.port());
  const auto begun = SteadyClock::now();
  client.write(
      "setoption name simulations value 0\nsetoption name movetime value 1200\ngenmove b\n");
  for (int i = 0; i < 3; ++i) CHECK(client.answer().starts_with("= "));
  CHECK(SteadyClock::now() - begun > 1100ms);  // a session that is closed answers sooner
}

TEST_CASE("Server: who waits for a table is not idle, nor who has it") {
  auto config = RunningServer::small();
  config.limits.idle = 400ms;
  const RunningServer server(config);
  Client busy(server.port());
  busy.write("attach study\n" + std::string(pitboss::tests::endless_search) + "genmove b\n");
  for (int i = 0; i < 3; ++i) CHECK(busy.answer() == "= \n\n");
  CHECK(eventually([&] { return server.counts().searching == 1; }));
  Client waiting(server.port());
  waiting.write("attach study\nmoves\n");
  CHECK(waiting.answer() == "= \n\n");
  CHECK(Client(server.port()).rest().empty());  // who has come later and asks nothing is cut off
  CHECK(server.counts().searching == 1);
  CHECK(server.counts().sessions == 2);
  busy.write("# interrupt\n");
  const std::string played = busy.answer();
  CHECK(played.size() == std::string("= a1\n\n").size());
  CHECK(waiting.answer() == played);
}

TEST_CASE("check 9: without descriptors it waits instead of spinning") {
  const RunningServer server;
  boost::asio::io_context io;
  boost::asio::ip::tcp::socket waiting(io, boost::asio::ip::tcp::v4());
  {
    const OpenFiles none_left(waiting.native_handle() + 1);
    waiting.connect({boost::asio::ip::make_address("127.0.0.1"), server.port()});
    const auto before = processor_time();
    std::this_thread::sleep_for(500ms);
    CHECK(processor_time() - before < 100ms);
    CHECK(server.counts().sockets == 0);
  }
  CHECK(eventually([&] { return server.counts().sessions == 1; }));
}

TEST_CASE("check 10: many connect and leave, and nothing is left of them") {
  const RunningServer server;
  Client(server.port()).ask("name");
  CHECK(eventually([&] { return server.counts().sockets == 0; }));
  const auto files = open_files();
  for (int i = 0; i < 1000; ++i) Client(server.port()).write("name\n");
  CHECK(eventually([&] { return server.counts().sockets == 0; }));
  CHECK(eventually([&] { return server.counts().sessions == 0; }));
  CHECK(open_files() == files);
}

TEST_CASE("Server: who leaves in the middle of something is no longer counted") {
  const RunningServer server;
  for (const char* command : {"genmove b", "lz-analyze 10", "perft 30", "duel 12 1000 1000"}) {
    for (const bool at_once : {true, false}) {
      CAPTURE(command);
      CAPTURE(at_once);
      Client client(server.port());
      client.write(pitboss::tests::endless_search);
      for (int i = 0; i < 2; ++i) CHECK(client.answer() == "= \n\n");
      client.write(std::string(command) + "\n");
      CHECK(eventually([&] { return server.counts().searching == 1; }));
      at_once ? client.reset() : client.close();
      CHECK(eventually([&] { return server.counts().sockets == 0; }));
      CHECK(eventually([&] { return server.counts().searching == 0; }));
      CHECK(server.counts().sessions == 0);
    }
  }
}

TEST_CASE("affordable_sessions") {
  CHECK(pitboss::server::affordable_sessions(10) == 10);
  CHECK(pitboss::server::affordable_sessions(1'000'000'000) < 1'000'000'000);
}
