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

}  // namespace pitboss::clients
