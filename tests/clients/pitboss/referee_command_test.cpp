#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/match_configuration.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "tests/clients/experiments/small_experiment.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

using peers::ProgramEnd;

namespace {

using tests::contains;

}  // namespace

TEST_CASE("referee --plan: the matches, a line of JSON each; no server is asked") {
  const ScratchFolder folder;
  const std::string file = (folder / "f.toml").string();
  const auto planned = [&](const std::string& top) {
    write_text(file, file_with(top));
    return peers::ended(
        {tests::bin_folder() + "/pitboss", "referee", "--experiment", file, "--plan"});
  };
  const ProgramEnd end = planned(
      "game = [\"connect4\", { name = \"gomoku size=7\", games = 8 }, \"rolit players=2\"]\n"
      "games = 4\nseed = 3");
  REQUIRE(end.code == 0);
  std::istringstream lines(end.out);
  std::string line;
  Words rules;
  for (const Match& match : read_experiment_file(file).experiment.matches) {
    REQUIRE(std::getline(lines, line));
    const auto json = nlohmann::ordered_json::parse(line);
    CHECK(json["configuration"].dump() == configuration(match));
    CHECK(json["games"] == match.games);
    rules.push_back(json["rules"]);
  }
  CHECK(rules == Words{"connect4", "gomoku size=7", "rolit"});
  CHECK_FALSE(std::getline(lines, line));

  const ProgramEnd wrong = planned("game = \"connect4\"\ngames = 3");
  CHECK(wrong.code == 2);
  CHECK(wrong.out.empty());
  CHECK(contains(wrong.err, "f.toml, line 2, games: must be a multiple of 2"));
}

TEST_CASE("referee --join: starts only programs that are named, and leaves other matches alone") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  const std::string mark = (folder / "mark").string();
  const std::string honest = tests::bin_folder() + "/pitboss_scripted_engine gtp plays connect4";
  const std::string trap = "sh -c 'touch " + mark + "; exec " + honest + "'";
  const auto player = [](const std::string& name, const std::string& program) {
    return "[[player]]\nname = \"" + name + "\"\nspeaks = \"gtp\"\nprogram = \"" + program + "\"\n";
  };
  const std::string file = (folder / "programs.toml").string();
  write_text(file, "name = \"programs\"\ngame = \"connect4\"\ngames = 2\n" + player("A", honest) +
                       player("B", honest) + player("C", trap));
  // As anybody does who may write to the database.
  const DatabasePlace place(shared_server().url(), "programs");
  Ledger(place, read_unseated_experiment(file).experiment).open_for_writing();
  const auto join = [&](const std::string& out, const Words& more) {
    Words words{tests::bin_folder() + "/pitboss",
                "referee",
                "--join",
                "programs",
                "--ledger",
                shared_server().url(),
                "--out",
                (folder / out).string()};
    words.insert(words.end(), more.begin(), more.end());
    return peers::ended(words);
  };
  const std::string refusal = ", which no --allow-program names";

  for (const Words& more : {Words{}, Words{"--dry-run"}, Words{"--allow-program", "sh"}}) {
    const ProgramEnd none = join("none", more);
    CHECK(none.code == 2);
    CHECK(contains(none.err, "pitboss: the experiment wants "));
    CHECK(contains(none.err, refusal));
    CHECK_FALSE(std::filesystem::exists(mark));
  }

  const ProgramEnd some = join("some", {"--allow-program", honest});
  CHECK(some.code == 1);
  CHECK(contains(some.out, "games      2 of 6"));
  CHECK(contains(some.err, "wants C to be the program"));
  CHECK(contains(some.err, refusal + "; its games are left to other referees"));
  CHECK_FALSE(std::filesystem::exists(mark));

  const ProgramEnd all = join("all", {"--allow-program", honest, "--allow-program", trap});
  CAPTURE(all.err);
  CHECK(all.code == 0);
  CHECK(contains(all.out, "games      6 of 6"));
  CHECK(std::filesystem::exists(mark));

  const ProgramEnd alone = peers::ended({tests::bin_folder() + "/pitboss", "referee",
                                         "--experiment", file, "--allow-program", honest});
  CHECK(alone.code == 2);
  CHECK(contains(alone.err, "--allow-program is for --join"));
}

TEST_CASE("referee --join: a player that cannot be used here leaves the other matches") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  const std::string honest = tests::bin_folder() + "/pitboss_scripted_engine gtp plays connect4";
  const std::string missing = (folder / "missing").string();
  const auto player = [](const std::string& name, const std::string& program) {
    return "[[player]]\nname = \"" + name + "\"\nspeaks = \"gtp\"\nprogram = \"" + program + "\"\n";
  };
  const std::string file = (folder / "missing.toml").string();
  write_text(file, "name = \"missing\"\ngame = \"connect4\"\ngames = 2\n" + player("A", honest) +
                       player("B", honest) + player("C", missing));
  const DatabasePlace place(shared_server().url(), "missing");
  Ledger(place, read_unseated_experiment(file).experiment).open_for_writing();
  const ProgramEnd some =
      peers::ended({tests::bin_folder() + "/pitboss", "referee", "--join", "missing", "--ledger",
                    shared_server().url(), "--out", (folder / "out").string(), "--allow-program",
                    honest, "--allow-program", missing});
  CHECK(some.code == 1);
  CHECK(contains(some.out, "games      2 of 6"));
  CHECK(contains(some.err, missing));
}

TEST_CASE("referee: two that share a match which only breaks down end alike") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  const auto player = [](const std::string& name, const std::string& manner) {
    return "name=" + name + " program='" + tests::bin_folder() + "/pitboss_scripted_engine gtp " +
           manner + " connect4' speaks=gtp";
  };
  const auto referee = [&](const std::string& out) {
    return Words{tests::bin_folder() + "/pitboss",
                 "referee",
                 "--game",
                 "connect4",
                 "--games",
                 "40",
                 "--player",
                 player("good", "plays"),
                 "--player",
                 player("bad", "crashes"),
                 "--ledger",
                 shared_server().url() + "#broken",
                 "--out",
                 (folder / out).string()};
  };
  peers::Process one(referee("one"));
  peers::Process other(referee("other"));
  const auto check = [&](peers::Process& process, const std::string& out) {
    CHECK(process.wait() == 1);
    // The first to end does not know the games that the other has yet to finish.
    const std::string why =
        nlohmann::json::parse(read_text((folder / out / "summary.json").string()))["no_result"];
    CHECK(contains(why, "No result: bad lost "));
    CHECK(contains(process.errors(), "failed: " + why));
  };
  check(one, "one");
  check(other, "other");
}

}  // namespace pitboss::clients
