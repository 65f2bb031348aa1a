#include "clients/experiments/player_settings.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/experiments/small_experiment.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;

namespace {

const std::vector<Address> servers{{"a", 1}, {"b", 2}};

/// The sentence about a mistake, without the player's words, which are at its beginning.
std::string mistake_in(const std::string& text) {
  const std::string whole = error_of([&] { static_cast<void>(parse_player(text, servers)); });
  const std::string begin = "player \"" + text + "\"";
  if (!whole.starts_with(begin)) return whole;
  return whole.substr(begin.size());
}

}  // namespace

TEST_CASE("parse_player: an engine of ours at a server") {
  const Player player =
      parse_player("K=0.5 name=new-1.2 novelty=pseudocount preset=paper", servers);
  CHECK(player.name == "new-1.2");
  CHECK(player.language == Language::pitboss);
  CHECK(player.location == Location(Address{"a", 1}));
  REQUIRE(player.options.size() == 3);
  CHECK(player.options[0].name == "preset");
  CHECK(player.options[1].name == "k");
  CHECK(player.options[1].value == "0.5");
  CHECK(parse_player("name=A server=1", servers).location == Location(Address{"b", 2}));
  CHECK(parse_player("name=A server=c:9", servers).location == Location(Address{"c", 9}));
}

TEST_CASE("parse_player: a program") {
  const Player gtp = parse_player(
      "name=mine program=\"'/opt/my engines/engine' --gtp\" speaks=gtp dialect=hexgui "
      "start_timeout=30 setup='komi 0' setup=new",
      {});
  CHECK(gtp.name == "mine");
  CHECK(gtp.language == Language::gtp);
  CHECK(gtp.dialect == protocol::Dialect::hexgui);
  CHECK(gtp.start_timeout == 30s);
  CHECK(gtp.setup == std::vector<std::string>{"komi 0", "new"});
  CHECK(std::get<Program>(gtp.location).command ==
        std::vector<std::string>{"/opt/my engines/engine", "--gtp"});
  CHECK(text_of(gtp.location) == "'/opt/my engines/engine' --gtp");

  const Player uci =
      parse_player("name=fairy program=stockfish speaks=uci nodes=0100 'Use Book=true'", {});
  CHECK(uci.language == Language::uci);
  REQUIRE(uci.options.size() == 2);
  CHECK(uci.options[0].value == "0100");
  CHECK(uci.options[1].name == "Use Book");
  CHECK(uci.options[1].value == "true");
  CHECK(uci.start_timeout == 20s);

  const Player ours = parse_player("name=A program='pitboss gtp' speaks=pitboss k=1", {});
  CHECK(ours.language == Language::pitboss);
  CHECK(ours.options.size() == 1);
}

TEST_CASE("a player of the command line and of a file are the same") {
  const std::string file = R"(
game = "hex"
games = 2
[[player]]
name = "A"
program = "'my engine' -x"
speaks = "gtp"
dialect = "hexgui"
start_timeout = 1.5
setup = ["komi 0"]
[[player]]
name = "B"
program = ["other"]
speaks = "uci"
options = { nodes = 5, "Use Book" = true }
)";
  const Match match = parse_experiment(file, "f.toml").experiment.matches[0];
  const std::vector<std::string> words{
      R"(name=A program="'my engine' -x" speaks=gtp dialect=hexgui start_timeout=1.5 setup="komi 0")",
      "name=B program=other speaks=uci nodes=5 'Use Book=true'"};
  for (const std::size_t i : {0, 1}) {
    const Player player = parse_player(words[i], {});
    CHECK(player.name == match.players[i].name);
    CHECK(setup_key(player) == setup_key(match.players[i]));
    CHECK(player.start_timeout == match.players[i].start_timeout);
  }
  CHECK(match.players[0].dialect == protocol::Dialect::hexgui);
}

TEST_CASE("parse_player refuses mistakes before any game") {
  struct Row {
    std::string text;
    std::string mistake;  ///< the beginning
  };
  const Row rows[] = {
      // Names.
      {"", ": \"name\" is missing"},
      {"k=1", ": \"name\" is missing"},
      {"name=", ", name: a name must have 1 to 64"},
      {"name=a/b", ", name: a name must have 1 to 64"},
      {"name=draw", ", name: a name must have 1 to 64"},
      {"name=A name=B", ", name: is given twice"},
      // Options.
      {"name=A nosuch=1", ", nosuch: unknown option 'nosuch'"},
      {"name=A k", ": key=value is expected, not \"k\""},
      {"name=A =k", ": key=value is expected, not \"=k\""},
      {"name=A k=x", ", k: k must be a number"},
      {"name=A k=-1", ", k: k must be a number"},
      {"name=A k=1 K=2", ", K: k is given twice"},
      {"name=A novelty=nosuch", ", novelty: "},
      {"name=A seed=5", ", seed: a player has no seed of its own"},
      {"name=A simulations=0", ": A: "},
      {"name=A program=x speaks=uci Hash=1 hash=2", ", hash: hash is given twice"},
      {"name=A program=x speaks=uci 'Hash=1\n2'", ", Hash: one line is expected"},
      {"name=A program=x speaks=gtp start_timout=3",
       ", start_timout: a player that speaks \"gtp\" has no options; give GTP commands in setup; "
       "did you mean 'start_timeout'?"},
      // Servers and programs.
      {"name=A server=2", ", server: there is no server 2; 2 are given, counted from 0"},
      {"name=A server=x", ", server: \"x\" is not an address"},
      {"name=A server=0 server=1", ", server: is given twice"},
      {"name=A server=0 program=x", ", program: a player has either a server or a program"},
      {"name=A program= speaks=gtp", ", program: expected the name of a program"},
      {"name=A program=\"'x\" speaks=gtp", ", program: cannot split into words"},
      {"name=A 'k=1", ": cannot split into words"},
      {"name=A program='./engine -x'",
       ": \"speaks\" is missing: which of \"pitboss\", \"gtp\", \"uci\", \"gomocup\" or \"nboard\" "
       "does ./engine -x speak?"},
      {"name=A program=x speaks=xboard",
       ", speaks: expected \"pitboss\", \"gtp\", \"uci\", \"gomocup\" or \"nboard\""},
      {"name=A program=x speaks=gtp dialect=gogui", ", dialect: \"auto\", \"plain\" or \"hexgui\""},
      {"name=A program=x speaks=uci dialect=hexgui", ", dialect: only a player that speaks"},
      {"name=A dialect=hexgui", ", dialect: only a player that speaks"},
      {"name=A setup=x", ", setup: only a player that speaks"},
      {"name=A program=x speaks=gtp start_timeout=0",
       ", start_timeout: expected a number from 0.001"},
      {"name=A program=x speaks=gtp start_timeout=soon",
       ", start_timeout: expected a number from 0.001"},
      {"name=A program=x speaks=gtp concurrency=2", ", concurrency: only in an experiment file"},
      {"name=A game=hex", ", game: only in an experiment file"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string mistake = mistake_in(row.text);
    CAPTURE(mistake);
    CHECK(mistake.starts_with(row.mistake));
  }
  CHECK(error_of([] { static_cast<void>(parse_player("name=A", {})); }) ==
        "player \"name=A\": has no server and no program, and no server is given");
}

}  // namespace pitboss::clients
