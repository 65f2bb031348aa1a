#include "clients/experiments/ladder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/clients/error_of.hpp"
#include "tests/folders.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

namespace {

using Words = std::vector<std::string>;

const std::vector<Address> server{parse_address("127.0.0.1:1")};

LadderSettings settings_of(Words players, const std::string& over) {
  return {.games = {"connect4", "hex size=5"},
          .players = std::move(players),
          .over = ladder_option(over),
          .games_a_pairing = 4};
}

/// "uct-20 - uct-10", of the first game.
Words pairings(const Experiment& experiment) {
  Words out;
  for (const Match& match : experiment.matches) {
    if (match.game == "connect4") {
      out.push_back(match.players[0].name + " - " + match.players[1].name);
    }
  }
  return out;
}

std::string refusal(const Words& players, const std::string& over) {
  return error_of([&] { static_cast<void>(ladder_file(settings_of(players, over), server)); });
}

using tests::contains;

}  // namespace

TEST_CASE("ladder_option: values that double, and lists") {
  const LadderOption doubled = ladder_option("simulations=100:6400");
  CHECK(doubled.name == "simulations");
  CHECK(doubled.values == Words{"100", "200", "400", "800", "1600", "3200", "6400"});
  CHECK(ladder_option("k=0.1:0.4").values == Words{"0.1", "0.2", "0.4"});
  CHECK(ladder_option("simulations=100000:200000").values == Words{"100000", "200000"});
  CHECK(ladder_option("network=small,large").values == Words{"small", "large"});
  CHECK(ladder_option("c=-1,0,3").values == Words{"-1", "0", "3"});
}

TEST_CASE("ladder_option: what it refuses") {
  const auto error = [](const std::string& text) {
    return error_of([&] { static_cast<void>(ladder_option(text)); });
  };
  for (const char* const text : {"", "simulations", "=1:2"}) {
    CHECK(contains(error(text), "--over: expected NAME=LOW:HIGH or NAME=VALUE,VALUE"));
  }
  CHECK(error("simulations=100:6000") == "--over: 100 doubled comes to 3200 and 6400, not to 6000");
  for (const char* const text : {"k=0:8", "k=-1:8", "k=8:8", "k=8:4", "k=a:b", "k=1:inf", "k=:"}) {
    CHECK(contains(error(text), "--over: expected LOW:HIGH, two numbers above 0"));
  }
  CHECK(contains(error("k=1"), "two rungs or more"));
  CHECK(contains(error("k=1:1e300"), "not to 1e300"));
  CHECK(contains(error("k=1,2,1"), "1 is there twice"));
  CHECK(contains(error("k=1,,2"), "a value is empty"));
  CHECK(contains(error("k=2,1"), "the values must rise"));
}

TEST_CASE("ladder_file: who meets whom") {
  LadderSettings one = settings_of({"preset=uct exact=off"}, "simulations=10:80");
  const ExperimentFile file = ladder_file(one, server);
  CHECK(pairings(file.experiment) == Words{"uct-20 - uct-10", "uct-40 - uct-10", "uct-40 - uct-20",
                                           "uct-80 - uct-20", "uct-80 - uct-40"});
  CHECK(file.experiment.matches.size() == 10);
  const Match& match = file.experiment.matches.front();
  CHECK(match.games == 4);
  CHECK(match.openings.text() == "random:2");
  const auto& options = match.players[0].options;
  REQUIRE(options.size() == 3);
  CHECK(options[0].name == "preset");
  CHECK(options[2].name == "simulations");
  CHECK(options[2].value == "20");
  one.reach = 1;
  CHECK(pairings(ladder_file(one, server).experiment) ==
        Words{"uct-20 - uct-10", "uct-40 - uct-20", "uct-80 - uct-40"});

  LadderSettings two =
      settings_of({"preset=uct", "name=plain preset=reference"}, "simulations=1:2");
  CHECK(pairings(ladder_file(two, server).experiment) ==
        Words{"uct-2 - uct-1", "plain-2 - plain-1", "uct-1 - plain-1", "uct-2 - plain-2"});
  two.is_apart = true;
  CHECK(pairings(ladder_file(two, server).experiment) ==
        Words{"uct-2 - uct-1", "plain-2 - plain-1"});
}

TEST_CASE("ladder_file: a player is called as its preset, or the file that has it") {
  const auto name = [](const std::string& player) {
    return ladder_file(settings_of({player}, "simulations=1:2"), server)
        .experiment.matches.front()
        .players[0]
        .name;
  };
  CHECK(name("PRESET=uct") == "uct-2");
  CHECK(name("name=own preset=uct") == "own-2");
  CHECK(name("preset=" + tests::data_folder() + "/options/hex.toml") == "hex-2");
}

TEST_CASE("ladder_file: programs of others") {
  const ExperimentFile file =
      ladder_file(settings_of({"name=other program=nobody speaks=uci"}, "nodes=10:20"), {});
  const Player& player = file.experiment.matches.front().players[0];
  CHECK(player.name == "other-20");
  REQUIRE(player.options.size() == 1);
  CHECK(player.options[0].value == "20");
  CHECK(needs_server("preset=uct"));
  CHECK_FALSE(needs_server("name=other program=nobody speaks=uci"));
  CHECK_FALSE(needs_server("name=other server=127.0.0.1:2"));
}

TEST_CASE("ladder_file: what it refuses") {
  CHECK(contains(refusal({"preset=uct"}, "simulatons=1:2"),
                 "--over: unknown option 'simulatons'; did you mean 'simulations'?"));
  CHECK(contains(refusal({"preset=uct"}, "k=1000000:2000000"), "--over: "));
  CHECK(contains(refusal({"preset=uct SIMULATIONS=4"}, "simulations=1:2"), "--over sets it"));
  CHECK(contains(refusal({"k=1"}, "simulations=1:2"), "name= is missing"));
  CHECK(contains(refusal({"preset=uct", "preset=uct k=1"}, "simulations=1:2"), "called \"uct-1\""));
  CHECK(refusal({"preset=uct"}, "exact=on,true") ==
        "--over: uct-true and uct-on have equal options");
  CHECK(contains(refusal({"preset=uct"}, "seed=1:2"), "seed"));
  CHECK(contains(refusal({"name=go program=go speaks=gtp"}, "nodes=1:2"), "has no options"));
  LadderSettings settings = settings_of({"preset=uct"}, "simulations=1:2");
  settings.games_a_pairing = 3;
  CHECK(contains(error_of([&] { static_cast<void>(ladder_file(settings, server)); }),
                 "must be a multiple of 2"));
  settings = settings_of({"preset=uct"}, "simulations=1:2");
  settings.games = {"chess"};
  CHECK(contains(error_of([&] { static_cast<void>(ladder_file(settings, server)); }), "chess"));
}

}  // namespace pitboss::clients
