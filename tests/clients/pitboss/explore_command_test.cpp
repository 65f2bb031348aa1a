#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"

namespace pitboss::clients {

TEST_CASE("pitboss explore: what was played from a position, however it came about") {
  const ScratchFolder folder;
  const std::string head = "(;FF[4]AP[Pitboss:2]SZ[7]RU[connect4]";
  write_text(folder / "a.sgf", head + "RE[B+1];B[dg];W[eg];B[fg];W[cg])" + head +
                                   "RE[W+1];B[fg];W[eg];B[dg];W[bg])" + head +
                                   "RE[0];B[dg];W[eg];B[fg];W[cg])" + head + ";B[dg];W[df])");
  const auto explore = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {tests::bin_folder() + "/pitboss", "explore", (folder / "a.sgf").string()});
    return peers::ended(words);
  };
  const auto end = explore({"--moves", "d1 e1 f1", "--json"});
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  const auto json = nlohmann::json::parse(end.out);
  CHECK(json["games"] == 3);
  CHECK(json["to_move"] == "white");
  REQUIRE(json["moves"].size() == 2);
  const auto row = R"({"move":"c1","games":2,"won":0,"drawn":1,"lost":1,"score":0.25})";
  CHECK(json["moves"][0] == nlohmann::json::parse(row));
  CHECK(json["moves"][1]["score"] == 1.0);
  const auto first = explore({});
  CHECK(first.out.starts_with("4 of 4 games have come here, black to move"));
  const auto wrong = explore({"--moves", "d9"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("d9") != std::string::npos);
}

TEST_CASE("pitboss explore: every position from there on, in one file") {
  const ScratchFolder folder;
  const std::string head = "(;FF[4]AP[Pitboss:2]SZ[7]RU[connect4]";
  write_text(folder / "a.sgf", head + "RE[B+1];B[dg];W[eg];B[fg];W[cg])" + head +
                                   "RE[W+1];B[fg];W[eg];B[dg])" + head + "RE[0];B[ag])");
  const std::string out = (folder / "played.json").string();
  const auto explore = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {tests::bin_folder() + "/pitboss", "explore", (folder / "a.sgf").string()});
    return peers::ended(words);
  };
  const auto one = [&](const std::string& moves) {
    auto json = nlohmann::json::parse(explore({"--moves", moves, "--json"}).out);
    return std::pair(json["position"].get<std::string>(),
                     nlohmann::json{{"games", json["games"]}, {"moves", json["moves"]}});
  };
  const auto end = explore({"--out", out});
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  CHECK(end.out == "what was played from 8 positions is in " + out + "\n");
  const auto all = nlohmann::json::parse(read_text(out));
  CHECK(all["rules"] == "connect4");
  for (const std::string moves : {"", "d1", "f1", "d1 e1", "d1 e1 f1", "d1 e1 f1 c1", "a1"}) {
    const auto [position, found] = one(moves);
    CAPTURE(moves);
    CHECK(all["positions"][position] == found);
  }
  CHECK(one("d1 e1 f1").second["games"] == 2);  // however it came about
  CHECK(one("a1").second["moves"].empty());     // where a game ends
  CHECK(explore({"--out", out, "--least", "2"}).out.starts_with("what was played from 2 pos"));
  CHECK(explore({"--out", out, "--moves", "d1 e1 f1"}).out.starts_with("what was played from 2 "));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--out", out, "--json"},
                                                {"--least", "2"},
                                                {"--out", out, "--least", "0"},
                                                {"--out", (folder / "no" / "folder").string()}}) {
    const auto failed = explore(wrong);
    CAPTURE(wrong.front());
    CHECK(failed.code == 2);
    CHECK(failed.err.size() > 20);
  }
}

TEST_CASE("pitboss explore: games count once, and only if it is known which game they are") {
  const ScratchFolder folder;
  const std::string one = "(;GM[2]RE[B];B[fe];W[ff])";
  write_text(folder / "a", one + "(;GM[1]SZ[8];B[fe])(;GM[2]SZ[8];W[fe])(;SZ[8];B[fe])");
  const std::string file = (folder / "a").string();
  const auto explore = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {tests::bin_folder() + "/pitboss", "explore"});
    words.insert(words.end(), "--json");
    return peers::ended(words);
  };
  const auto end = explore({file, file + ":1", (folder / "." / "a").string()});
  CAPTURE(end.err);
  CHECK(end.code == 1);
  const auto json = nlohmann::json::parse(end.out);
  CHECK(json["games"] == 2);
  CHECK(json["left_out"].size() == 2);
  CHECK(json["left_out"][0].get<std::string>().starts_with(
      file + ":2: the record does not name its game"));
  CHECK(json["moves"][0]["won"] == 1);  // RE[B]
  CHECK(end.err.find("note: " + file + ":3: white begins in the record") != std::string::npos);
  const auto told = explore({file, "--game", "othello"});
  CHECK(told.code == 0);
  CHECK(nlohmann::json::parse(told.out)["games"] == 4);
}

}  // namespace pitboss::clients
