// What the server counts, and where it tells it.

#include <doctest/doctest.h>

#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "protocol/limit.hpp"
#include "server/metrics/counters.hpp"
#include "tests/documents.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"

using namespace std::chrono_literals;
using nlohmann::json;
using pitboss::tests::Client;
using pitboss::tests::eventually;
using pitboss::tests::RunningServer;

namespace {

pitboss::server::Config with_page() {
  auto config = RunningServer::small();
  config.metrics = {"127.0.0.1", 0, ""};
  config.memory = std::make_shared<pitboss::engine::MemoryBudget>(std::size_t{1} << 32);
  config.make_search = pitboss::server::searches_with({});
  return config;
}

/// Evaluators that nobody asks, with these figures.
class ToldServers : public pitboss::engine::RemoteService {
 public:
  explicit ToldServers(std::vector<pitboss::engine::RemoteServer> servers)
      : servers_(std::move(servers)) {}
  [[nodiscard]] std::shared_ptr<pitboss::engine::RemoteNetwork> open(
      std::shared_ptr<const pitboss::engine::LoadedNetwork> /*network*/,
      std::vector<std::vector<float>> /*samples*/) override {
    return nullptr;
  }
  [[nodiscard]] bool falls_back() const override { return true; }
  [[nodiscard]] std::vector<pitboss::engine::RemoteServer> servers() const override {
    return servers_;
  }
  [[nodiscard]] std::int64_t unanswered() const override { return 41; }
  [[nodiscard]] std::string report() const override { return "{}"; }

 private:
  std::vector<pitboss::engine::RemoteServer> servers_;
};

/// The page's samples: name and labels, and the number.
std::map<std::string, double> samples(const std::string& page) {
  std::map<std::string, double> all;
  std::istringstream lines(page.substr(page.find("\r\n\r\n") + 4));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    const auto space = line.rfind(' ');
    REQUIRE(space != std::string::npos);
    CHECK(all.emplace(line.substr(0, space), std::stod(line.substr(space + 1))).second);
  }
  return all;
}

std::string page(const RunningServer& server) {
  Client client(server.metrics_port());
  client.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return client.rest();
}

std::map<std::string, double> scrape(const RunningServer& server) { return samples(page(server)); }

double counted_refusals(const RunningServer& server, const std::string& reason) {
  return scrape(server).at("pitboss_refusals_total{reason=\"" + reason + "\"}");
}

/// The rows of the documentation's table: each family's name, type and help.
std::string table_of(const std::string& page) {
  std::string table = "| name | kind | tells |\n|---|---|---|\n";
  std::istringstream lines(page);
  std::string help;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string hash, kind, name, rest;
    words >> hash >> kind >> name;
    std::getline(words >> std::ws, rest);
    if (kind == "HELP") help = rest;
    if (kind == "TYPE") table += "| `" + name + "` | " + rest + " | " + help + " |\n";
  }
  return table;
}

}  // namespace

TEST_CASE("Metrics: docs/server.md names all of them") {
  const RunningServer server(with_page());
  pitboss::tests::check_generated("server.md", "metrics", table_of(page(server)));
}

TEST_CASE("Metrics: agree with what was done") {
  const RunningServer server(with_page());
  const auto before = scrape(server);
  CHECK(before.at("pitboss_sessions") == 0);
  CHECK(before.at("pitboss_workers") == 2);
  std::deque<Client> clients;
  constexpr int sessions = 7;
  for (int i = 0; i < sessions; ++i) {
    Client& client = clients.emplace_back(server.port());
    client.ask("name");
    client.ask("no_such_command");
    client.write("setoption name simulations value 300\nreg_genmove b\n# a comment\n\n");
    client.answer();
    client.answer();
  }
  clients[0].ask("attach room");
  clients[1].ask("genmove b");
  clients[2].ask("quit");
  CHECK(eventually([&] { return server.counts().sessions == sessions - 1; }));
  const auto all = scrape(server);
  CHECK(all.at("pitboss_sessions") == sessions - 1);
  CHECK(all.at("pitboss_sessions_total") == sessions);
  CHECK(all.at("pitboss_lines_total") == sessions * 6 + 3);
  CHECK(all.at("pitboss_answer_seconds_count{handled=\"at_once\"}") == sessions * 3 + 2);
  CHECK(all.at("pitboss_answer_seconds_bucket{handled=\"at_once\",le=\"+Inf\"}") ==
        sessions * 3 + 2);
  CHECK(all.at("pitboss_answer_seconds_count{handled=\"by_workers\"}") == sessions + 1);
  CHECK(all.at("pitboss_answer_seconds_sum{handled=\"by_workers\"}") > 0);
  CHECK(all.at("pitboss_failures_total") == sessions);
  CHECK(all.at("pitboss_searches_total") == sessions + 1);
  CHECK(all.at("pitboss_simulations_total") == (sessions + 1) * 300);
  CHECK(all.at("pitboss_running_commands") == 0);
  CHECK(all.at("pitboss_tables") == 1);
  CHECK(all.at("pitboss_internal_errors_total") == 0);
  CHECK(all.at("process_resident_memory_bytes") > 1 << 20);
  CHECK(all.at("pitboss_received_bytes_total") > 0);
  CHECK(all.at("pitboss_sent_bytes_total") > 0);

  // `stats` has the same, but for what its own line adds.
  const json stats = json::parse(clients[0].ask("stats").substr(2));
  for (const char* name : {"pitboss_sessions", "pitboss_sessions_total", "pitboss_searches_total",
                           "pitboss_simulations_total", "pitboss_failures_total"}) {
    CHECK(stats[name] == all.at(name));
  }
  CHECK(stats["pitboss_lines_total"] == all.at("pitboss_lines_total") + 1);
  CHECK(stats["pitboss_answer_seconds"]["by_workers"]["count"] == sessions + 1);
  CHECK(stats["pitboss_refusals_total"].size() == pitboss::protocol::limit_rows.size());
}

TEST_CASE("Metrics: a search that runs is seen, and its simulations") {
  const RunningServer server(with_page());
  Client client(server.port());
  client.write(std::string(pitboss::tests::endless_search) + "genmove b\n");
  CHECK(eventually([&] { return scrape(server).at("pitboss_running_commands") == 1; }));
  const auto some = scrape(server).at("pitboss_simulations_total");
  CHECK(eventually([&] { return scrape(server).at("pitboss_simulations_total") > some; }));
  const double trees = scrape(server).at("pitboss_memory_bytes{kind=\"trees\"}");
  CHECK((trees >= 4 << 20 && trees <= 256 << 20));
  CHECK(std::fmod(trees, 4 << 20) == 0);  // it grows by so much at a time
  CHECK(scrape(server).at("pitboss_memory_limit_bytes") == std::size_t{1} << 32);
}

TEST_CASE("Metrics: the figures of each evaluator, its times in seconds") {
  auto config = with_page();
  config.evaluators = std::make_shared<ToldServers>(std::vector<pitboss::engine::RemoteServer>{
      {.url = "one",
       .breaker = "closed",
       .requests = 11,
       .positions = 12,
       .largest_batch = 13,
       .failures = 14,
       .deadline_misses = 15,
       .latency_ms = {{{0.5, 1600}, {0.9, 1700}, {0.99, 1800}}}},
      {.url = "two",
       .breaker = "open",
       .requests = 21,
       .positions = 22,
       .largest_batch = 23,
       .failures = 24,
       .deadline_misses = 25,
       .latency_ms = {{{0.5, 2600}, {0.9, 2700}, {0.99, 2800}}}}});
  const RunningServer server(config);
  const auto all = scrape(server);
  const std::pair<const char*, std::array<double, 2>> expected[] = {
      {"up", {1, 0}},
      {"requests_total", {11, 21}},
      {"positions_total", {12, 22}},
      {"failures_total", {14, 24}},
      {"deadline_misses_total", {15, 25}},
      {"median_seconds", {1.6, 2.6}},
      {"p99_seconds", {1.8, 2.8}}};
  const json stats = json::parse(Client(server.port()).ask("stats").substr(2));
  for (const auto& [name, values] : expected) {
    CAPTURE(name);
    const std::string family = std::string("pitboss_evaluator_") + name;
    CHECK(all.at(family + "{server=\"one\"}") == doctest::Approx(values[0]));
    CHECK(all.at(family + "{server=\"two\"}") == doctest::Approx(values[1]));
    CHECK(stats[family]["one"] == doctest::Approx(values[0]));
    CHECK(stats[family]["two"] == doctest::Approx(values[1]));
  }
  CHECK(all.at("pitboss_evaluator_unanswered_total") == 41);
}

TEST_CASE("Metrics: refusals are counted by their reasons") {
  auto config = with_page();
  config.limits.max_sessions = 3;
  config.limits.max_line = 5000;
  config.limits.max_tables = 1;
  config.limits.max_queued = 10;
  config.limits.keep_tables = 0ms;
  config.tree_mb_limit = 300;
  const RunningServer server(config);
  std::deque<Client> clients;
  for (int i = 0; i < 3; ++i) clients.emplace_back(server.port()).ask("name");
  for (int i = 0; i < 4; ++i) Client(server.port()).rest();
  CHECK(counted_refusals(server, "max_sessions") == 4);
  clients[0].ask("attach one");
  for (int i = 0; i < 3; ++i) clients[1].ask("attach two");
  CHECK(counted_refusals(server, "max_tables") == 3);
  for (int i = 0; i < 5; ++i) clients[1].ask("setoption name tree_mb value 301");
  CHECK(counted_refusals(server, "tree_mb_limit") == 5);
  clients[1].ask("name " + std::string(4500, 'x'));
  CHECK(counted_refusals(server, "command_line") == 1);
  clients[0].ask("quit");
  CHECK(eventually([&] { return counted_refusals(server, "keep_tables") == 1; }));
  clients[1].write(std::string(6000, 'x'));
  CHECK(clients[1].rest().starts_with("? line too long"));
  CHECK(counted_refusals(server, "max_line") == 1);
  clients[2].write(pitboss::tests::endless_search);
  clients[2].answer();
  clients[2].answer();
  clients[2].write("genmove b\n");
  CHECK(eventually([&] { return server.counts().searching == 1; }));
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "boardsize 7\n";
  clients[2].write(lines);
  CHECK(eventually([&] { return counted_refusals(server, "max_queued") == 1; }));
}

TEST_CASE("Metrics: clients that are cut off are counted") {
  auto config = with_page();
  config.limits.idle = 500ms;
  config.limits.half_close = 0ms;
  // Long enough to fill the outbox first: the system's own clock may end the connection.
  config.limits.write_timeout = pitboss::tests::sanitized ? 15s : 2s;
  config.limits.max_outbox = 65536;
  const RunningServer server(config);
  Client idle(server.port());
  idle.rest();
  CHECK(counted_refusals(server, "idle_seconds") == 1);
  Client half(server.port());
  half.write(std::string(pitboss::tests::endless_search) + "genmove b\n");
  half.end_input();
  CHECK(half.rest().find("= ") != std::string::npos);
  CHECK(counted_refusals(server, "half_close_seconds") == 1);
  Client deaf(server.port());
  deaf.write_until_blocked();
  CHECK(eventually([&] { return counted_refusals(server, "write_timeout") == 1; }));
  CHECK(counted_refusals(server, "max_outbox") >= 1);
}

TEST_CASE("Histogram: what took as long as a bound is below it") {
  using Histogram = pitboss::server::Histogram;
  Histogram histogram;
  histogram.observe(50us);
  histogram.observe(100us);
  histogram.observe(2s);
  histogram.observe(1000s);
  CHECK(histogram.up_to(0) == 2);
  CHECK(histogram.up_to(8) == 2);  // 1 s
  CHECK(histogram.up_to(9) == 3);
  CHECK(histogram.up_to(Histogram::bounds.size()) == 4);
  CHECK(histogram.seconds() == doctest::Approx(1002.00015));
}
