// The rules of GTP version 2 that concern a connection, by their numbers as in
// tests/protocol/conformance_test.cpp.

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"
#include "tests/timing.hpp"

using namespace std::chrono_literals;
using pitboss::tests::Client;
using pitboss::tests::eventually;
using pitboss::tests::quickest;
using pitboss::tests::RunningServer;

TEST_CASE("rule 5: lines sent without waiting are answered in order, however they are cut") {
  const RunningServer server;
  std::string script;
  constexpr int lines = 300;
  for (int id = 0; id < lines; ++id) {
    script +=
        std::to_string(id) + (id % 50 == 7 ? " reg_genmove b\n" : " known_command name\n\n# \r\n");
  }
  for (const std::size_t piece : {script.size(), std::size_t{1000}, std::size_t{3}}) {
    Client client(server.port());
    for (std::size_t at = 0; at < script.size(); at += piece) {
      client.write(script.substr(at, piece));
    }
    for (int id = 0; id < lines; ++id) {
      CHECK(client.answer().starts_with("=" + std::to_string(id) + " "));
    }
  }
}

TEST_CASE("rule 6: the end of input is a half-close, and what was sent is answered first") {
  const RunningServer server;
  Client client(server.port());
  client.write("1 name\n2 genmove b\n3 genmove w\n4 moves");  // the last line has no end
  client.end_input();
  for (const char* id : {"=1 ", "=2 ", "=3 ", "=4 "}) CHECK(client.answer().starts_with(id));
  CHECK(client.rest().empty());  // and then the server closes
  CHECK(eventually([&] { return server.counts().sockets == 0; }));
}

TEST_CASE("rule 6: an end of input without a line is the end") {
  const RunningServer server;
  Client client(server.port());
  client.end_input();
  CHECK(client.rest().empty());
}

TEST_CASE("rule 6: a search that runs on after the end of input is stopped, and answers") {
  auto config = RunningServer::small();
  config.limits.half_close = 1s;
  const RunningServer server(config);
  Client client(server.port());
  client.write(pitboss::tests::endless_search);
  client.write("3 genmove b\n4 name\n");
  client.end_input();
  const auto begun = std::chrono::steady_clock::now();
  client.answer();
  client.answer();
  CHECK(client.answer().starts_with("=3 "));
  CHECK(client.answer().starts_with("=4 "));
  CHECK(client.rest().empty());
  CHECK(std::chrono::steady_clock::now() - begun < 20s);
}

TEST_CASE("rule 10: every answer is sent at once") {
  const RunningServer server;
  Client client(server.port());
  client.ask("name");
  // A client that waits for each answer: with Nagle's algorithm or buffering a round trip would
  // take 40 ms.
  constexpr int rounds = 200;
  const auto time = [&] {
    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) CHECK(client.ask("name") == "= Pitboss\n\n");
    return std::chrono::steady_clock::now() - begun;
  };
  CHECK(quickest(4, rounds * 10ms, time) < rounds * 10ms);
  // Written in two pieces, neither of which waits for the other's acknowledgement.
  for (int i = 0; i < 20; ++i) {
    client.write("na");
    client.write("me\n");
    CHECK(client.answer() == "= Pitboss\n\n");
  }
}

TEST_CASE("rule 10: no carriage return is sent, though a client may send them") {
  const RunningServer server;
  Client client(server.port());
  client.write("list_commands\r\nshowboard\r\nquit\r\n");
  CHECK(client.rest().find('\r') == std::string::npos);
}

TEST_CASE("rule 11: quit is answered in full, then the connection ends, and only that") {
  const RunningServer server;
  Client other(server.port());
  other.ask("play b d1");
  {
    Client client(server.port());
    client.write("1 name\n2 quit\n3 name\n");
    CHECK(client.rest() == "=1 Pitboss\n\n=2 \n\n");  // nothing behind a quit is answered
  }
  CHECK(other.ask("moves") == "= d1\n\n");
  Client next(server.port());
  CHECK(next.ask("name") == "= Pitboss\n\n");
}
