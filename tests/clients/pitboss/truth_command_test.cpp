#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"

namespace pitboss::clients {

using peers::ProgramEnd;
using Words = std::vector<std::string>;

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
  std::ofstream(file)
      << "# one\n\n"
         "XXXOXXXX/OXXXXXXX/OOXXXXXX/OOOXXXXX/OOOXXOO./OOOOO.../OOOOOOO./OOOOOOO. b\n";
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
  std::string record = "(;SZ[7]RU[connect4]";
  int ply = 0;
  for (const std::string move : {"d1", "d2", "d3", "d4", "d5", "d6", "c1", "e1", "c2", "c3", "e2",
                                 "e3", "a1", "a2", "g1", "g2"}) {
    const char row = static_cast<char>('g' - (move[1] - '1'));  // SGF counts from the top
    record += (ply++ % 2 == 0 ? ";B[" : ";W[") + std::string{move[0], row} + "]";
  }
  std::ofstream(file) << record << ")";
  const ProgramEnd shown = truth({file, "--json", "--seconds", "1"});
  CAPTURE(shown.err);
  REQUIRE(shown.code == 0);
  const auto positions = nlohmann::json::parse(shown.out)["positions"];
  REQUIRE(positions.size() == 17);
  const auto& last = positions.back();
  CHECK(last["exact"] != "unknown");
  const auto& before = positions[15];
  CHECK(before["played"]["move"] == "g2");
  const std::string seen = last["exact"];
  CHECK(before["played"]["exact"] == (seen == "win" ? "loss" : seen == "loss" ? "win" : "draw"));
  const ProgramEnd text = truth({file, "--seconds", "1"});
  CHECK(text.out.find("played g2: ") != std::string::npos);
  CHECK(text.out.find("17  black  ") != std::string::npos);
}

TEST_CASE("pitboss truth: what is refused") {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "positions.txt").string();
  std::ofstream(file) << "nonsense\n";
  struct Row {
    Words words;
    std::string said;
  };
  for (const Row& row :
       {Row{{}, "expected one file"}, Row{{file, "--game", "othello"}, "positions.txt, line 1: "},
        Row{{file}, "say their game: --game NAME"},
        Row{{file + "x", "--game", "othello"}, "positions.txtx"},
        Row{{file, "--seconds", "0"}, "--seconds must be above 0"},
        Row{{file, "--table-mb", "0"}, "--table-mb must be from 1"}}) {
    const ProgramEnd end = truth(row.words);
    CAPTURE(row.said);
    CHECK(end.code == 2);
    CHECK(end.err.find(row.said) != std::string::npos);
  }
  std::ofstream(file, std::ios::trunc) << "";
  CHECK(truth({file, "--game", "hex"}).out.empty());
}

}  // namespace pitboss::clients
