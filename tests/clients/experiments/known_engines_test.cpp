#include "clients/experiments/known_engines.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/user_error.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

using Words = std::vector<std::string>;

Player player_of(const std::string& words) { return parse_player("name=A " + words, {}); }

Words command_of(const Player& player) { return std::get<Program>(player.location).command; }

std::string refusal_of(const std::string& game, const std::string& player) {
  return error_of([&] {
    static_cast<void>(parse_experiment("game = " + game +
                                           "\ngames = 2\n[[player]]\nname = \"A\"\n" + player +
                                           "\n[[player]]\nname = \"B\"\nserver = \"a:1\"\n",
                                       "f"));
  });
}

}  // namespace

TEST_CASE("known engines: each is a player without further ado, in games that there are") {
  std::set<std::string> names;
  for (const KnownEngine& engine : known_engines()) {
    CAPTURE(engine.program);
    CHECK(names.insert(engine.program).second);
    CHECK_FALSE(engine.about.empty());
    CHECK_FALSE(engine.package.empty());
    CHECK_FALSE(engine.command.empty());
    CHECK_FALSE(engine.games.empty());
    for (const std::string& game : engine.games) {
      Match match;
      CHECK_NOTHROW(set_game(match, game));
    }
    CHECK_NOTHROW(static_cast<void>(player_of("program=" + engine.program)));
    CHECK(engine.command.find("program=" + engine.program) != std::string::npos);
  }
  CHECK(names.contains("gtp-rhino"));
}

TEST_CASE("known engines: what the user says wins") {
  CHECK(player_of("program=gtp-rhino").language == Language::gtp);
  CHECK(player_of("program=/usr/games/gtp-rhino").language == Language::gtp);
  CHECK(player_of("program=gtp-rhino speaks=uci nodes=1").language == Language::uci);

  CHECK(command_of(player_of("program=gnugo")) == Words{"gnugo", "--mode", "gtp"});
  CHECK(command_of(player_of("program='gnugo --level 1'")) ==
        Words{"gnugo", "--mode", "gtp", "--level", "1"});
  CHECK(command_of(player_of("program='gnugo --level 1 --mode gtp'")) ==
        Words{"gnugo", "--level", "1", "--mode", "gtp"});
  CHECK(command_of(player_of("program='gnugo --mode gtp' speaks=gtp")) ==
        Words{"gnugo", "--mode", "gtp"});
  CHECK(command_of(player_of("program=gnugo speaks=uci nodes=1")) == Words{"gnugo"});

  const Player usual = player_of("program=fairy-stockfish");
  CHECK(usual.language == Language::uci);
  REQUIRE(usual.options.size() == 1);
  CHECK(usual.options.front().name == "movetime");
  const Player bounded = player_of("program=fairy-stockfish nodes=100 Hash=32");
  REQUIRE(bounded.options.size() == 2);
  CHECK(bounded.options.front().name == "nodes");
  CHECK(player_of("program=fairy-stockfish tc=10").options.empty());
  const Player larger = player_of("program=fairy-stockfish Hash=32");
  REQUIRE(larger.options.size() == 2);
  CHECK(larger.options.front().name == "movetime");
  CHECK(larger.options.back().value == "32");
  // A bound for one game leaves those that are known for the others.
  const Experiment both = parse_experiment(
                              "game = [\"breakthrough\", \"connect4\"]\ngames = 2\n[[player]]\n"
                              "name = \"A\"\nprogram = \"fairy-stockfish\"\n"
                              "options = { connect4 = { nodes = 5 } }\n[[player]]\n"
                              "name = \"B\"\nserver = \"a:1\"\n",
                              "f")
                              .experiment;
  REQUIRE(both.matches.size() == 2);
  const auto only_option = [&](std::size_t match) {
    const auto& options = both.matches[match].players[0].options;
    return options.size() == 1 ? options[0].name : "";
  };
  CHECK(only_option(0) == "movetime");
  CHECK(only_option(1) == "nodes");
}

TEST_CASE("known engines: a player plays what its program does") {
  CHECK(
      refusal_of("\"hex\"", "program = \"gtp-rhino\"")
          .find("gtp-rhino is known to play othello size=8 (pitboss engines); name a game of this "
                "experiment in game if it plays that") != std::string::npos);
  CHECK(refusal_of("\"hex\"", "program = \"gtp-rhino\"\ngame = \"hex\"").empty());
  CHECK(refusal_of("[\"hex\", \"othello\"]", "program = \"gtp-rhino\"").empty());
  CHECK(refusal_of("\"hex\"", "program = \"gtp-rhino\"\nspeaks = \"pitboss\"").empty());
  CHECK(refusal_of("\"hex\"", "program = \"unheard-of\"").find("`pitboss engines` lists") !=
        std::string::npos);
  const Experiment both = parse_experiment(
                              "game = [\"hex\", \"othello\"]\ngames = 2\n[[player]]\n"
                              "name = \"A\"\nprogram = \"gtp-rhino\"\n[[player]]\n"
                              "name = \"B\"\nserver = \"a:1\"\n",
                              "f")
                              .experiment;
  REQUIRE(both.matches.size() == 1);
  CHECK(both.matches.front().game == "othello");
}

TEST_CASE("read_known_engines: mistakes in the file") {
  const ScratchFolder folder;
  const auto mistake = [&](const std::string& text) {
    write_text(folder / "e.toml", text);
    const std::string what =
        error_of([&] { static_cast<void>(read_known_engines(folder / "e.toml")); });
    return what.substr(std::min(what.find(", line"), what.size()));
  };
  const std::string sound =
      "[[engine]]\nprogram = \"x\"\nspeaks = \"gtp\"\ngame = \"hex\"\narguments = [\"-g\"]\n";
  CHECK(mistake(sound).empty());
  CHECK(mistake(sound + "wrnog = \"x\"\n") ==
        ", line 6, wrnog: this key is unknown; did you mean 'wrong'?");
  CHECK(mistake("[[engine]]\nprogram = \"x\"\ngame = \"hex\"\n") ==
        ", line 1, engine: \"speaks\" is missing");
}

}  // namespace pitboss::clients
