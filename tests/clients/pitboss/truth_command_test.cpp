#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "games/records/game_record.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/environment/variable_set.hpp"
#include "tests/folders.hpp"
#include "tests/games/set_up.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"

namespace pitboss::clients {

using peers::ProgramEnd;
namespace {

ProgramEnd truth(const Words& words) {
  Words command{tests::bin_folder() + "/pitboss", "truth"};
  command.insert(command.end(), words.begin(), words.end());
  return peers::ended(command);
}

}  // namespace

TEST_CASE("pitboss truth: positions, one a line, and each of their moves") {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "positions.txt").string();
  // The FFO's end game 20.
  write_text(file,
             "# one\n\n"
             "XXXOXXXX/OXXXXXXX/OOXXXXXX/OOOXXXXX/OOOXXOO./OOOOO.../OOOOOOO./OOOOOOO. b\n");
  const ProgramEnd shown = truth({file, "--game", "othello", "--moves", "--json"});
  CAPTURE(shown.err);
  REQUIRE(shown.code == 0);
  const auto json = nlohmann::json::parse(shown.out);
  const auto& position = json["positions"][0];
  CHECK(json["positions"].size() == 1);
  CHECK(position["to_move"] == "black");
  CHECK(position["points"] == 6);
  CHECK(position["best"] == "h4");
  std::map<std::string, int> points;
  for (const auto& move : position["moves"]) points[move["move"]] = move["points"];
  CHECK(points == std::map<std::string, int>{{"h4", 6}, {"g3", -2}, {"f3", -4}, {"h3", -10}});
  CHECK_FALSE(position.contains("played"));
}

TEST_CASE("pitboss truth: the positions of a record, and what each move played comes to") {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "game.sgf").string();
  const auto start = games::game_of("othello size=4");
  const auto position = start->clone();
  std::vector<std::string> moves;
  while (!position->result().finished()) {
    moves.push_back(position->play(position->legal_moves().front()));
  }
  write_text(file, games::record_to_sgf(*start, moves));
  const ProgramEnd shown = truth({file, "--json"});
  CAPTURE(shown.err);
  REQUIRE(shown.code == 0);
  const auto positions = nlohmann::json::parse(shown.out)["positions"];
  REQUIRE(positions.size() == moves.size());
  CHECK(positions[0]["exact"] == "loss");
  CHECK(positions[0]["points"] == -10);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto& played = positions[i]["played"];
    CHECK(played["move"] == moves[i]);
    CHECK(played["points"] <= positions[i]["points"]);
    if (i + 1 < moves.size()) CHECK(played["points"] == -positions[i + 1]["points"].get<int>());
  }
  const ProgramEnd text = truth({file});
  CHECK(text.out.starts_with("   1  black  loss by 10"));
  CHECK(text.out.find("played " + moves.back() + ": ") != std::string::npos);
}

TEST_CASE("pitboss truth: --game names the game of a record that does not") {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "game.sgf").string();
  // Without the property GM, which names a game.
  write_text(file, "\n (;FF[4]SZ[4];B[cd];W[bd])");
  const ProgramEnd shown = truth({file, "--game", "othello size=4"});
  CAPTURE(shown.err);
  CHECK(shown.code == 0);
  CHECK(shown.out.starts_with("   1  black  loss by 10"));
  CHECK(truth({file + ":1", "--game", "othello size=4"}).out == shown.out);
  CHECK(truth({file + ":2", "--game", "othello size=4"}).err.find("there is no game 2") !=
        std::string::npos);
  write_text(file, "(;FF[4]SZ[4];B[cd];W[bd])(;FF[4]SZ[4];B[aa])");
  const ProgramEnd refused = truth({file + ":2", "--game", "othello size=4"});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("game.sgf:2: ") != std::string::npos);
  CHECK(refused.err.find("say their game") == std::string::npos);
}

TEST_CASE("pitboss truth: a file without a position is refused") {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "positions.txt").string();
  write_text(file, "# none\n\n");
  const ProgramEnd shown = truth({file, "--game", "othello"});
  CHECK(shown.code == 2);
  CHECK(shown.err.find("positions.txt holds no position") != std::string::npos);
}

TEST_CASE("pitboss truth: late positions of games for two") {
  struct Row {
    std::string game;
    std::string position;
    std::string said;
  };
  const ScratchFolder folder;
  const std::string file = (folder.path() / "positions.txt").string();
  for (const Row& row :
       {Row{"gomoku",
            "...X.OO../O..X.X.../.OX.X.O../.......O./.X.OXX.X./.O.X.O.../...O.XOX./"
            "....XXO.O/...OX..O. b",
            "   1  black  win           best e4\n"},
        Row{"yavalath",
            R"(????OX.../???....../??....XX./?..OXO.O./O.X...XX./.O...O..?/X..O.X.??/XO....???/)"
            R"(.O...???? b)",
            "   1  black  loss  "},
        Row{"pentalath",
            R"(????XO.X./???OX.X.X/??X.OX.X./?XO..XO.O/OOOOXOXXO/OO.O..X.?/OO.X.OX??/.XX.OX???/)"
            R"(.O.X.???? b)",
            "   1  black  loss  "},
        Row{"amazons size=8",
            "**.X*O*./**O*****/*.**.*.*/****.*.O/*.******/*.****.X/***XX*O*/*.*****. b",
            "   1  black  loss  "},
        Row{"rolit", "YYRRY..Y/RYRRRRRY/R.YRYRRY/RYRRRRYY/RRYRRYYY/RRRRRY.Y/RRRRYYY./RRRRRRR. r",
            "   1  red    win           best b6\n"}}) {
    CAPTURE(row.game);
    write_text(file, row.position + "\n");
    const ProgramEnd shown = truth({file, "--game", row.game});
    CAPTURE(shown.err);
    CHECK(shown.code == 0);
    CHECK(shown.out.starts_with(row.said));
  }
}

TEST_CASE("pitboss truth: a threat decides where no proof is to be expected in the time") {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "positions.txt").string();
  // Black has an open four, then nobody has a stone.
  std::string rows;
  std::string none;
  for (int row = 15; row > 0; --row) {
    const std::string end = row > 1 ? "/" : " b\n";
    const std::string free(15, '.');
    rows += (row == 13 ? "O.O.O.O........" : row == 8 ? "....XXXX......." : free) + end;
    none += free + end;
  }
  write_text(file, rows + none);
  const ProgramEnd shown = truth({file, "--game", "gomoku size=15 opening=free"});
  CAPTURE(shown.err);
  CHECK(shown.code == 0);
  CHECK(shown.out ==
        "   1  black  win           best d8\n"
        "   2  black  unknown     \n");
}

TEST_CASE("pitboss truth: teeko's table is made once, and then read") {
  const ScratchFolder folder;
  const tests::VariableSet cache("XDG_CACHE_HOME", folder.path().c_str());
  const ProgramEnd made = truth({"--make-table", "teeko"});
  CAPTURE(made.err);
  REQUIRE(made.code == 0);
  CHECK(made.out == "the table of teeko is in " + (folder / "pitboss/teeko.table").string() + "\n");
  const std::string file = (folder / "positions.txt").string();
  // The last one is the one before, too late for black to win.
  write_text(file,
             "...../...../...../...../..... b\n"
             "...../...../.XXX./.OO../X.O.. w\n"
             "...../.O.../.XXX./..O../XO..O w 31\n"
             "...../.O.../.XXX./..O../XO..O b 30\n"
             "...../.O.../.XXX./..O../XO..O b 998\n");
  const ProgramEnd shown = truth({file, "--game", "teeko", "--json"});
  CAPTURE(shown.err);
  REQUIRE(shown.code == 0);
  const auto positions = nlohmann::json::parse(shown.out)["positions"];
  std::vector<std::string> results;
  for (const auto& position : positions) results.push_back(position["exact"]);
  CHECK(results == std::vector<std::string>{"draw", "win", "loss", "win", "draw"});
  tests::Daemon daemon;
  tests::Client client(tests::Daemon::port_of(daemon.output_line()));
  client.ask("game teeko");
  const std::string told = client.ask("truth");
  CAPTURE(told);
  CHECK(nlohmann::json::parse(told.substr(1))["exact"] == "draw");
}

TEST_CASE("pitboss truth: what is refused") {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "positions.txt").string();
  write_text(file, "nonsense\n");
  const tests::VariableSet cache("XDG_CACHE_HOME", folder.path().c_str());
  struct Row {
    Words words;
    std::string said;
  };
  for (const Row& row :
       {Row{{}, "expected one file"}, Row{{file, "--game", "othello"}, "positions.txt, line 1: "},
        Row{{file}, "say their game: --game NAME"},
        Row{{file + "x", "--game", "othello"}, "positions.txtx"},
        Row{{file, "--game", "cannon"}, "there is no exact solver for cannon"},
        Row{{file, "--game", "rolit players=4"}, "rolit has an exact solver for two players only"},
        Row{{file, "--game", "teeko"}, "pitboss truth --make-table teeko makes it"},
        Row{{"--make-table", "hex"}, "there is a table of teeko, not of 'hex'"},
        Row{{"--make-table", "teeko", "--json"}, "--make-table goes with nothing else"},
        Row{{file, "--seconds", "0"}, "--seconds must be above 0"},
        Row{{file, "--table-mb", "0"}, "--table-mb must be from 1"}}) {
    const ProgramEnd end = truth(row.words);
    CAPTURE(row.said);
    CHECK(end.code == 2);
    CHECK(end.err.find(row.said) != std::string::npos);
  }
}

}  // namespace pitboss::clients
