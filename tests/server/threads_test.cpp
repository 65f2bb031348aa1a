#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"

using namespace std::chrono_literals;
using pitboss::tests::Client;
using pitboss::tests::endless_search;
using pitboss::tests::eventually;
using pitboss::tests::RunningServer;

namespace {

/// The last search of a client's session.
nlohmann::json last_search(Client& client) {
  client.write("last_search\n");
  return nlohmann::json::parse(client.answer().substr(2));
}

}  // namespace

TEST_CASE("Server: searches with several threads, beside each other and after each other") {
  const RunningServer server;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    // More than the server has workers, and as many.
    const char* threads = i % 2 == 0 ? "3" : "2";
    clients.back()->write("setoption name threads value " + std::string(threads) +
                          "\nsetoption name simulations value 3000\n" +
                          "setoption name novelty value pseudocount\n");
    for (int line = 0; line < 3; ++line) CHECK(clients.back()->answer().starts_with("= "));
  }
  for (int move = 0; move < 5; ++move) {
    for (const auto& client : clients) client->write(move % 2 == 0 ? "genmove b\n" : "genmove w\n");
    for (const auto& client : clients) {
      CHECK(client->answer().starts_with("= "));
      const nlohmann::json search = last_search(*client);
      std::int64_t visits = 0;
      for (const auto& m : search["moves"]) visits += m["visits"].get<std::int64_t>();
      CHECK(visits == 3000);
      CHECK(search["simulations"] == 3000);
    }
  }
}

TEST_CASE("Server: what ends a search ends its helpers, and the workers are free again") {
  const RunningServer server;
  for (int round = 0; round < 6; ++round) {
    CAPTURE(round);
    Client client(server.port());
    client.write("setoption name threads value 2\n");
    CHECK(client.answer().starts_with("= "));
    client.write(std::string(endless_search) + "genmove b\n");
    client.answer();
    client.answer();
    REQUIRE(eventually([&] { return server.counts().searching == 1; }));
    switch (round % 3) {
      case 0:
        client.write("# interrupt\n");
        CHECK(client.answer().starts_with("= "));
        break;
      case 1:
        client.reset();
        break;
      default:
        client.write("setoption name simulations value 1\n");
        CHECK(client.answer().starts_with("= "));
        break;
    }
    CHECK(eventually([&] { return server.counts().searching == 0; }));
  }
  Client client(server.port());
  client.write("genmove b\n");
  CHECK(client.answer().starts_with("= "));
}
