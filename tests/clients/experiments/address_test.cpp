#include "clients/experiments/address.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "tests/clients/experiments/small_experiment.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

const Access& access_of(const Experiment& experiment, std::size_t match, std::size_t player) {
  return std::get<Address>(experiment.matches[match].players[player].location).access;
}

/// Two servers, of which the first asks for a token, and a player who names each.
constexpr const char* two_servers = R"(game = "connect4"
games = 10
[[server]]
address = "tls://a:1"
token_file = "a.token"
ca_file = "ca.pem"
[[server]]
address = "b:1"
[[player]]
name = "A"
server = "tls://a:1"
[[player]]
name = "B"
server = "b:1"
)";

}  // namespace

TEST_CASE("parse_address") {
  CHECK(parse_address("127.0.0.1:4580") == Address{"127.0.0.1", 4580});
  CHECK(parse_address("node-7.cluster:1") == Address{"node-7.cluster", 1});
  CHECK(parse_address("[::1]:65535") == Address{"::1", 65535});
  CHECK(parse_address("[::1]:65535").text() == "[::1]:65535");
  CHECK(parse_address("tls://[::1]:4580").text() == "tls://[::1]:4580");
  CHECK(parse_address("tls://localhost:1") == Address{"localhost", 1, true});
  CHECK_FALSE(parse_address("localhost:1") == Address{"localhost", 1, true});
  CHECK(Address{"a", 1, true, {"token", ""}} == Address{"a", 1, true});
  for (const char* text :
       {"", ":", "localhost", "localhost:", ":4580", "localhost:0", "localhost:65536",
        "localhost:-1", "tls://", "tls://:1", "tls:/a:1", "ssl://a:1", "tls://tls://a:1",
        "localhost:80x", "::1:80", "two words:80", "[]:80"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parse_address(text)), UserError);
  }
}

TEST_CASE("read_access") {
  const ScratchFolder folder;
  write_text(folder / "token", "\n secret \n");
  write_text(folder / "two", "secret more");
  write_text(folder / "none", " \n");
  CHECK(read_access(folder / "token", "").token == "secret");
  CHECK(read_access("", "").token.empty());
  CHECK(read_access("", folder / "two").ca_file == (folder / "two").string());
  for (const char* name : {"two", "none", "missing"}) {
    CHECK_THROWS_AS(static_cast<void>(read_access(folder / name, "")), UserError);
  }
  CHECK_THROWS_AS(static_cast<void>(read_access("", folder / "missing")), UserError);
}

TEST_CASE("read_access: a token's file that others can read is told of once") {
  const ScratchFolder folder;
  write_text(folder / "open", "secret\n");
  write_text(folder / "own", "secret\n");
  using std::filesystem::perms;
  std::filesystem::permissions(folder / "open", perms(0604));
  std::filesystem::permissions(folder / "own", perms(0600));
  std::ostringstream told;
  auto* const before = std::cerr.rdbuf(told.rdbuf());
  for (const char* name : {"open", "own", "open"}) {
    CHECK(read_access(folder / name, "").token == "secret");
  }
  std::cerr.rdbuf(before);
  CHECK(told.str() == "pitboss: others than its owner can use " + (folder / "open").string() +
                          "; chmod 600 keeps it from them\n");
}

TEST_CASE("an experiment file says how servers are entered, for players who name them, too") {
  const ScratchFolder folder;
  write_text(folder / "a.token", "secret\n");
  write_text(folder / "ca.pem", "certificates");
  write_text(folder / "f.toml", two_servers);
  Experiment experiment = read_experiment_file(folder / "f.toml").experiment;
  CHECK(access_of(experiment, 0, 0).token == "secret");
  CHECK(access_of(experiment, 0, 0).ca_file == (folder / "ca.pem").string());
  CHECK(access_of(experiment, 0, 1).token.empty());
  // The command line's is for the others.
  use_access(experiment, {"other", "trusted"});
  CHECK(access_of(experiment, 0, 0).token == "secret");
  CHECK(access_of(experiment, 0, 1).token == "other");
  CHECK(access_of(experiment, 0, 1).ca_file == "trusted");
  // The token is nobody's to see.
  CHECK(setup_key(experiment.matches[0].players[0]).find("secret") == std::string::npos);
  std::filesystem::remove(folder / "a.token");
  CHECK_THROWS_WITH_AS(static_cast<void>(read_experiment_file(folder / "f.toml")),
                       doctest::Contains("a.token"), UserError);
}

}  // namespace pitboss::clients
