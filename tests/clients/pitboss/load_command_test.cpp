#include "clients/pitboss/server_load.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "tests/folders.hpp"
#include "tests/peers/peer.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Manner;
using peers::Peer;
using peers::Process;
using peers::ProgramEnd;
using tests::Daemon;

namespace {

/// What the command line prints, and its exit code.
ProgramEnd load_of(const std::string& server, const std::vector<std::string>& more) {
  std::vector<std::string> words{
      tests::bin_folder() + "/pitboss", "load", "--connect", server, "--seconds", "0.5"};
  words.insert(words.end(), more.begin(), more.end());
  return peers::ended(words);
}

}  // namespace

TEST_CASE("pitboss load measures a daemon") {
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  for (const int connections : {1, 20}) {
    for (const int pipeline : {1, 8}) {
      CAPTURE(connections);
      CAPTURE(pipeline);
      const ProgramEnd end =
          load_of(server, {"--json", "--connections", std::to_string(connections), "--pipeline",
                           std::to_string(pipeline)});
      REQUIRE(end.code == 0);
      const auto json = nlohmann::json::parse(end.out);
      CHECK(json["answers"] >= connections * pipeline);
      CHECK(json["refused"] == 0);
      // Little's law: all commands are under way all the time.
      const double under_way =
          json["answers_per_second"].get<double>() * json["latency_us"]["p50"].get<double>() / 1e6;
      CHECK(under_way < 1.5 * connections * pipeline);
      CHECK(json["latency_us"]["p50"] <= json["latency_us"]["p99"]);
      CHECK(json["latency_us"]["p99"] <= json["latency_us"]["max"]);
      CHECK(json["seconds"] <= 0.5);
    }
  }
  const ProgramEnd table = load_of(server, {"--command", "nonsense"});
  CHECK(table.code == 0);
  CHECK(table.out.find("of the answers refuse:\n") != std::string::npos);
  CHECK(table.out.find("  unknown command") != std::string::npos);
  const ProgramEnd searches =
      load_of(server, {"--json", "--setup", "game othello", "--setup", "setoption simulations 10",
                       "--command", "reg_genmove"});
  REQUIRE(searches.code == 0);
  const auto json = nlohmann::json::parse(searches.out);
  CHECK(json["answers"] > 0);
  CHECK(json["refusals"].empty());
  const ProgramEnd refused =
      load_of(server, {"--json", "--setup", "setoption simulations 10", "--command", "genmove b"});
  REQUIRE(refused.code == 0);
  const auto over = nlohmann::json::parse(refused.out);
  CHECK(over["refused"] > 0);
  REQUIRE(!over["refusals"].empty());
  CHECK(over["refusals"].items().begin().key().find("it is white's turn") != std::string::npos);
}

TEST_CASE("pitboss load: mistakes") {
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  for (const std::vector<std::string>& mistake :
       std::initializer_list<std::vector<std::string>>{{"--connections", "0"},
                                                       {"--setup", "nonsense"},
                                                       {"--setup", "name\nname"},
                                                       {"--pipeline", "0"},
                                                       {"--seconds", "0"},
                                                       {"--command", ""},
                                                       {"--command", "# name"},
                                                       {"--command", "name\nname"},
                                                       {"stray"}}) {
    CAPTURE(mistake[0]);
    const ProgramEnd end = load_of(server, mistake);
    CHECK(end.code == 2);
    CHECK(end.err.starts_with("pitboss: "));
  }
  CHECK(load_of("127.0.0.1:1", {}).err.find("refused") != std::string::npos);
}

TEST_CASE("run_load: a server that misbehaves") {
  struct Row {
    Manner manner;
    const char* says;
  };
  const Row rows[] = {
      {Manner::crashes, "a connection was lost"},
      {Manner::half_answers, "a connection was lost"},
      {Manner::talks_garbage, "is not an answer in GTP"},
  };
  for (const Row& row : rows) {
    const Peer peer({.manner = row.manner});
    const LoadPlan plan{.server = peer.address(), .command = "1 genmove b", .time = 20s};
    CHECK_THROWS_WITH_AS(static_cast<void>(run_load(plan)), doctest::Contains(row.says), UserError);
  }
}

}  // namespace pitboss::clients
