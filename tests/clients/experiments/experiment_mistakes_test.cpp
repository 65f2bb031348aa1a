#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "tests/clients/experiments/small_experiment.hpp"

namespace pitboss::clients {

namespace {

std::string mistake_of_experiment(const std::string& text) {
  try {
    static_cast<void>(parse_experiment(text, "f.toml"));
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every mistake in an experiment file has a sentence with line and key") {
  struct Row {
    std::string text;
    std::string error;  // contained
  };
  const std::string sprt = minimal + "sprt = { elo0 = 0, elo1 = 5 }\n";
  const std::string player_c = "[[player]]\nname = \"C\"\n";
  const std::vector<Row> rows{
      // The file.
      {"game =", "f.toml, line 1: not TOML"},
      {file_with(minimal + "nam = \"x\""),
       "line 3, nam: this key is unknown; did you mean 'name'?"},
      {file_with(minimal + "name = \"a/b\""), "line 3, name: a name must have 1 to 64"},
      {file_with(minimal + "seed = -1"), "line 3, seed: expected a whole number of at least 0"},
      {file_with(minimal + "seed = \"x\""), "line 3, seed: expected a whole number"},
      {file_with(minimal + "move_timeout = 0"),
       "line 3, move_timeout: expected a number from 0.001"},
      {file_with(minimal + "time_margin = -1"),
       "line 3, time_margin: expected a number from 0 to 60"},
      {file_with(minimal + "max_plies = -1"), "line 3, max_plies: "},
      {file_with(minimal + "max_plies = 2"), "line 3, max_plies: must be above the"},
      {file_with(minimal + "concurrency = 0"),
       "line 3, concurrency: expected a whole number from 1 to 1000"},
      {file_with(minimal + "reconnect = -1"), "line 3, reconnect: "},
      {file_with(minimal + "out = \"\""), "line 3, out: "},
      // Games.
      {file_with("games = 2"), "\"game\" is missing"},
      {file_with("game = \"connect4\""), "\"games\" is missing"},
      {file_with("game = []\ngames = 2"), "line 1, game: no game is listed"},
      {file_with("game = \"conect4\"\ngames = 2"), "line 1, game: "},
      {file_with("game = \"gomoku size=100\"\ngames = 2"), "line 1, game: "},
      {file_with("game = 3\ngames = 2"), "line 1, game: expected a game's name"},
      {file_with("game = [\"hex\",\n\"hex\"]\ngames = 2"),
       "line 2, game: this game is listed twice"},
      {file_with("game = \"hex\"\ngames = 3"), "line 2, games: must be a multiple of 2 for hex"},
      {file_with("game = \"rolit players=4\"\ngames = 20"),
       "line 2, games: must be a multiple of 14"},
      {file_with("game = \"hex\"\ngames = 0"),
       "line 2, games: expected a whole number of at least 1"},
      {file_with("game = [\"hex\",\n{ name = \"teeko\", k = 1 }]\ngames = 2"), "line 2, k: "},
      // Openings.
      {file_with(minimal + "openings = \"book\""), "line 3, openings: unknown openings \"book\""},
      {file_with(minimal + "openings = \"all:30\""),
       "line 3, openings: openings all:30 of connect4"},
      {file_with(minimal + "openings = \"random:21\""), "line 3, openings: no opening random:21"},
      {file_with(minimal + "openings = [\"d\", \"z\"]"), "line 3, openings: opening 2: \"z\""},
      {file_with(minimal + "openings = []"), "line 3, openings: there are no openings"},
      {file_with(minimal + "openings = \"file:nosuch\""), "nosuch: No such file or directory"},
      {file_with(minimal + "openings = 3"), "line 3, openings: "},
      // Players.
      {minimal, "\"player\" is missing"},
      {minimal + "player = 3", "line 3, player: expected a list"},
      {minimal + "[[server]]\naddress = \"a:1\"\n" + player_c,
       "line 5, player: expected two players"},
      {file_with(minimal, "[[player]]\nname = \"A\"\n"), "line 11, name: two players are called"},
      {file_with(minimal, "[[player]]\nname = \"draw\"\n"), "line 11, name: a name must have"},
      {file_with(minimal, "[[player]]\nserver = \"a:1\"\n"),
       "line 10, player: \"name\" is missing"},
      {file_with(minimal, player_c + "server = \"x\"\n"), "line 12, server: "},
      {file_with(minimal, player_c + "server = \"a:1\"\nprogram = \"x\"\n"), "line 13, program: "},
      {file_with(minimal, player_c + "program = \"x\"\n"),
       "line 10, player: \"speaks\" is missing: which of"},
      {file_with(minimal, player_c + "program = \"'x\"\n"), "line 12, program: cannot split"},
      {file_with(minimal, player_c + "program = \"\"\n"),
       "line 12, program: expected the name of a program"},
      {file_with(minimal, player_c + "concurrency = 1\n"),
       "line 12, concurrency: only a player with a program"},
      {file_with(minimal, player_c + "speaks = \"xboard\"\n"), "line 12, speaks: "},
      {file_with(minimal, player_c + "setup = [\"x\"]\n"),
       "line 12, setup: only a player that speaks"},
      {file_with(minimal, player_c + "dialect = \"hexgui\"\n"),
       "line 12, dialect: only a player that speaks"},
      {file_with(minimal, player_c + "start_timeout = 0\n"), "line 12, start_timeout: "},
      {file_with(minimal, player_c + "speaks = \"gtp\"\nsetup = [\"x\\ny\"]\n"),
       "line 13, setup: each"},
      {file_with(minimal, player_c + "speaks = \"gtp\"\noptions = {}\n"), "line 13, options: "},
      {file_with(minimal, player_c + "tc = \"blitz\"\n"), "line 12, tc: tc is a clock such as"},
      {file_with(minimal, player_c + "tc = 10\n"), "line 12, tc: expected a text in quotes"},
      {file_with(minimal, player_c + "game = \"hex\"\n"),
       "line 12, game: \"hex\" is not a game of"},
      {minimal + player_c + "[[player]]\nname = \"D\"\n", "line 3, player: C has no server"},
      // What belongs to a table.
      {file_with(minimal, player_c + "tuned = \"k\"\n"),
       "line 12, tuned: belongs to a table [tune], and this file has none"},
      {file_with(minimal, player_c + "published = 50\n"),
       "line 12, published: belongs to a table [published], and this file has none"},
      {file_with(minimal, player_c + "against = \"A\"\n"), "line 12, against: belongs to a table"},
      {file_with(minimal, player_c + "control = \"A\"\n"), "line 12, control: belongs to a table"},
      {file_with(minimal, player_c + "point = { x = 1 }\n"), "line 12, point: belongs to a table"},
      // Options.
      {file_with(minimal, "[player.options]\nnovlety = \"none\"\n"),
       "line 11, novlety: unknown option 'novlety'; did you mean 'novelty'?"},
      {file_with(minimal, "[player.options]\nk = -1\n"), "line 11, k: k must be a number from 0"},
      {file_with(minimal, "[player.options]\nk = [1]\n"), "line 11, k: "},
      {file_with(minimal, "[player.options]\nk = 1\nK = 2\n"), "line 12, K: k is given twice"},
      {file_with(minimal, "[player.options]\nseed = 1\n"),
       "line 11, seed: a player has no seed of its own"},
      {file_with(minimal, "[player.options]\nothello = { k = 1 }\n"),
       "line 11, othello: \"othello\""},
      {file_with(minimal, "[player.options]\nconnect4 = { k = 1, x = 2 }\n"),
       "line 11, x: unknown option 'x'"},
      {file_with(minimal, "[player.options]\nsimulations = 0\n"), "line 8, player: B: "},
      {file_with(minimal, "[options]\nnosuch = 1\n"), "line 11, nosuch: unknown option 'nosuch'"},
      // Servers.
      {file_with(minimal, "[[server]]\naddress = \"x\"\n"), "line 11, address: "},
      {file_with(minimal, "[[server]]\n"), "line 10, server: \"address\" is missing"},
      {file_with(minimal, "[[server]]\naddress = \"127.0.0.1:4580\"\n"),
       "line 11, address: this server"},
      {file_with(minimal, "[[server]]\naddress = \"a:1\"\nconcurrency = 0\n"),
       "line 12, concurrency: "},
      {file_with(minimal, "[[server]]\naddress = \"a:1\"\n[[server]]\naddress = \"b:1\"\n"),
       "no player is at the server b:1"},
      // Pairings.
      {file_with(minimal + "pairings = \"swiss\""), "line 3, pairings: expected \"round-robin\", "},
      {file_with(minimal + "pairings = 3"), "line 3, pairings: "},
      {file_with(minimal + "pairings = []"), "line 3, pairings: no pair is listed"},
      {file_with(minimal + "pairings = [\"A\", \"B\"]"), "line 3, pairings: expected a pair of"},
      {file_with(minimal + "pairings = [[\"A\", \"X\"]]"),
       "line 3, pairings: there is no player \"X\""},
      {file_with(minimal + "pairings = [[\"A\", \"A\"]]"),
       "line 3, pairings: a player cannot play against"},
      {file_with(minimal + "pairings = [[\"A\", \"B\"],\n[\"B\", \"A\"]]"),
       "line 4, pairings: this pair"},
      {file_with(minimal + "pairings = { against = \"X\" }"),
       "line 3, against: there is no player"},
      {file_with(minimal + "pairings = [[\"A\", \"B\"]]", player_c),
       "line 10, player: C plays against nobody"},
      // Stop rule and adjudication.
      {file_with(minimal + "sprt = { elo0 = 5, elo1 = 0 }"), "line 3, sprt: "},
      {file_with(minimal + "sprt = { elo0 = 0, elo1 = 5, alpha = 0.7 }"), "line 3, sprt: "},
      {file_with(minimal + "sprt = { elo0 = 0, elo1 = 5, alpha = 2 }"), "line 3, alpha: "},
      {file_with(minimal + "sprt = { elo0 = 0 }"), "line 3, sprt: \"elo1\" is missing"},
      {file_with(minimal + "sprt = { elo0 = 0, elo1 = 5, model = \"x\" }"), "line 3, model: "},
      {file_with(minimal + "adjudication = { resign_value = 0.5 }"), "line 3, resign_value: "},
      {file_with(minimal + "adjudication = { resign_moves = -1 }"), "line 3, resign_moves: "},
      {file_with(minimal + "adjudication = { moves = 1 }"), "line 3, moves: this key is unknown"},
      {file_with(minimal + "adjudication = { exact = 1 }"), "line 3, exact: "},
      {file_with(minimal + "adjudication = true"),
       "line 3, adjudication: expected \"exact\" or a table"},
      {file_with(minimal + "adjudication = \"all\""),
       "line 3, adjudication: expected \"exact\" or a table"},
      {file_with("game = \"chinesecheckers\"\ngames = 2\nadjudication = \"exact\""),
       "line 3, adjudication: there is no exact solver for chinesecheckers"},
      {file_with("game = \"rolit players=3\"\ngames = 6\nadjudication = \"exact\""),
       "line 3, adjudication: "},
      {file_with("game = \"rolit players=3\"\ngames = 6\nadjudication = { draw_moves = 2 }"),
       "line 3, adjudication: adjudication is for games of two colours"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string error = mistake_of_experiment(row.text);
    CAPTURE(error);
    CHECK(error.starts_with("f.toml, line "));
    CHECK(error.find(row.error) != std::string::npos);
    CHECK(error.find('\n') == std::string::npos);
  }
  CHECK(mistake_of_experiment(file_with(sprt)) == "no error");
}

}  // namespace pitboss::clients
