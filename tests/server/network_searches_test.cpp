#include <doctest/doctest.h>

#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/leaf/network/networks.hpp"
#include "tests/engine/leaf/network/network_folder.hpp"
#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"
#include "tests/timing.hpp"

using namespace pitboss;
using pitboss::tests::Client;
using pitboss::tests::RunningServer;

namespace {

server::Config network_config(const clients::ScratchFolder& folder, int workers) {
  const auto game = games::make_game("connect4");
  for (const std::uint64_t seed : {1U, 2U}) {
    tests::write_network(folder, "net" + std::to_string(seed), tests::network_for(*game, seed));
  }
  server::Config config = RunningServer::small();
  config.workers = workers;
  config.models.networks = std::make_shared<engine::Networks>(folder.path(), std::size_t{0});
  config.make_search = server::searches_with(config.models);
  config.options.selection = engine::Selection::puct;
  config.options.evaluation = engine::EvaluatorKind::network;
  return config;
}

/// What the i-th session searches: two networks, and searches of different lengths.
std::string report_lines(int i) {
  return "setoption name network value net" + std::to_string(i % 2 + 1) +
         "\nsetoption name seed value " + std::to_string(i + 1) +
         "\nsetoption name simulations value " + std::to_string(200 + 150 * i) + "\n";
}
constexpr int lines = 3;

std::string visits_of(Client& client) {
  const auto report = nlohmann::json::parse(client.ask("last_search").substr(2));
  REQUIRE(!report["moves"].empty());
  return report["moves"].dump();
}

}  // namespace

TEST_CASE("searches by networks: those of sixteen sessions at once are those alone") {
  constexpr int sessions = 16;
  for (const int workers : {1, 3}) {
    CAPTURE(workers);
    const clients::ScratchFolder folder;
    const RunningServer server(network_config(folder, workers));
    std::deque<Client> together;
    for (int i = 0; i < sessions; ++i) {
      together.emplace_back(server.port()).write(report_lines(i) + "genmove b\n");
    }
    for (int i = 0; i < sessions; ++i) {
      CAPTURE(i);
      for (int line = 0; line < lines; ++line) CHECK(together[i].answer() == "= \n\n");
      const std::string move = together[i].answer();
      Client alone(server.port());
      alone.write(report_lines(i) + "genmove b\n");
      for (int line = 0; line < lines; ++line) CHECK(alone.answer() == "= \n\n");
      CHECK(alone.answer() == move);
      CHECK(visits_of(alone) == visits_of(together[i]));
    }
  }
}

TEST_CASE("searches by networks: one that is interrupted ends while the others go on") {
  const clients::ScratchFolder folder;
  const RunningServer server(network_config(folder, 1));
  std::deque<Client> endless;
  for (int i = 0; i < 4; ++i) {
    Client& client = endless.emplace_back(server.port());
    client.write(std::string(tests::endless_search) +
                 "setoption name network value net1\ngenmove b\n");
    for (int line = 0; line < lines; ++line) CHECK(client.answer() == "= \n\n");
  }
  REQUIRE(tests::eventually([&] { return server.counts().searching == 4; }));
  endless[2].write("# interrupt\n");
  CHECK(endless[2].answer().starts_with("= "));
  CHECK(server.counts().searching == 3);
  // A search with bounds has its turns among those without.
  Client bounded(server.port());
  bounded.write(report_lines(0) + "genmove b\n");
  for (int line = 0; line < lines; ++line) CHECK(bounded.answer() == "= \n\n");
  CHECK(bounded.answer().starts_with("= "));
  for (const int i : {0, 1, 3}) {
    endless[i].write("# interrupt\n");
    CHECK(endless[i].answer().starts_with("= "));
  }
}
