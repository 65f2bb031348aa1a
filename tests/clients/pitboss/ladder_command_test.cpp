#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/text.hpp"

// `pitboss ladder` as users start it.

namespace pitboss::clients {

using peers::ProgramEnd;
namespace {

namespace fs = std::filesystem;

ProgramEnd ladder(const Words& words) { return peers::ended(command("ladder", words)); }

using tests::contains;

nlohmann::json json_in(const fs::path& file) { return nlohmann::json::parse(read_text(file)); }

/// A position of connect4, in which the fourth disc in column b wins.
constexpr const char* truth =
    R"({"set":"connect4","seed":1,"game":"connect4","position":"......./......./......./.X...../.X.O.../.X.OO.. b","moves":{"a1":-1,"b4":1,"c1":-1,"d3":-1,"e2":-1,"f1":-1,"g1":-1}}
{"set":"teeko","seed":1,"game":"teeko","position":"ignored","moves":{"a1":1}}
)";

}  // namespace

TEST_CASE("pitboss ladder: two games and players, kills, another number of games at once") {
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "2"});
  const std::string server = tests::Daemon::address_of(daemon.output_line());
  const auto words = [&](const std::string& out, const std::string& at_once) {
    return Words{"--server",      server,
                 "--game",        "connect4",
                 "--game",        "hex size=4",
                 "--player",      "preset=uct exact=off",
                 "--player",      "name=plain preset=reference",
                 "--over",        "simulations=2:8",
                 "--games",       "20",
                 "--seed",        "3",
                 "--concurrency", at_once,
                 "--out",         (folder / out).string()};
  };
  const ProgramEnd one = ladder(words("one", "1"));
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  CHECK(contains(one.out, "uct at connect4, simulations 2 to 8: Elo "));
  const auto json = json_in(folder / "one" / "ladder.json");
  CHECK(json["ladders"].size() == 4);
  REQUIRE(json["rungs"].size() == 12);
  // Each of three rungs meets both others and the other player's.
  for (const auto& rung : json["rungs"]) CHECK(rung["games"] == 60);
  CHECK(json["ladders"][0]["slope"] > 0);
  const std::string page = read_text(folder / "one" / "ladder.html");
  CHECK(contains(page, "Elo by simulations, hex"));
  CHECK(contains(page, "What a doubling is worth"));
  CHECK(contains(read_text(folder / "one" / "report.html"), "Ladders"));

  const fs::path killed = folder / "killed";
  for (int kills = 0; kills < 2; ++kills) {
    peers::Process program(command("ladder", words("killed", "4")));
    while (!fs::exists(killed / "ledger.sqlite")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100 * kills));
    program.signal(SIGKILL);
    program.wait();
  }
  REQUIRE(ladder(words("killed", "3")).code == 0);
  for (const char* const name : {"ladder.json", "ladder.html", "summary.json"}) {
    CHECK(read_text(killed / name) == read_text(folder / "one" / name));
  }

  // Another ladder in the same folder is refused and changes nothing.
  Words other = words("one", "1");
  other[11] = "simulations=2:4";
  CHECK(ladder(other).code == 2);
  CHECK(json_in(folder / "one" / "ladder.json") == json);
}

TEST_CASE("pitboss ladder: a daemon of its own, errors against the truth") {
  const ScratchFolder folder;
  write_text(folder / "truth.jsonl", truth);
  const Words words{"--game",   "connect4",
                    "--player", "preset=uct",
                    "--over",   "simulations=1,400",
                    "--games",  "2",
                    "--truth",  (folder / "truth.jsonl").string(),
                    "--out",    (folder / "out").string()};
  // A line that is no position is refused before the first game.
  const ProgramEnd bad = ladder(words);
  CHECK(bad.code == 2);
  CHECK(contains(bad.err, "truth.jsonl, line 2: "));
  CHECK_FALSE(fs::exists(folder / "out"));

  write_text(folder / "truth.jsonl", std::string(truth).substr(0, std::string(truth).find('\n')));
  const ProgramEnd end = ladder(words);
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  const auto json = json_in(folder / "out" / "ladder.json");
  // One simulation plays the first move, 400 see four in a column, without an exact solver.
  CHECK(json["rungs"][0]["errors"] == 1);
  CHECK(json["rungs"][1]["errors"] == 0);
  CHECK(contains(read_text(folder / "out" / "truth" / "connect4-uct-400.jsonl"), "exact=off"));
  // The same command searches nothing again.
  const ProgramEnd again = ladder(words);
  CHECK(again.code == 0);
  CHECK(json_in(folder / "out" / "ladder.json") == json);
}

TEST_CASE("pitboss ladder: a player searches the truth's positions where it plays") {
  const ScratchFolder folder;
  write_text(folder / "truth.jsonl", std::string(truth).substr(0, std::string(truth).find('\n')));
  // The command's own daemon would not have this network.
  fs::create_directory(folder / "networks");
  fs::copy_file(tests::data_folder() + "/networks/connect4.safetensors",
                folder / "networks" / "own.safetensors");
  tests::Daemon daemon({"--listen", "127.0.0.1:0", "--networks", (folder / "networks").string()});
  const ProgramEnd end = ladder(
      {"--game", "connect4", "--player",
       "preset=network network=own server=" + tests::Daemon::address_of(daemon.output_line()),
       "--over", "simulations=1:2", "--games", "2", "--truth", (folder / "truth.jsonl").string(),
       "--out", (folder / "out").string()});
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  CHECK(json_in(folder / "out" / "ladder.json")["rungs"][1]["errors"].is_number());
}

TEST_CASE("pitboss ladder: what it refuses, with nothing written") {
  const ScratchFolder folder;
  const fs::path out = folder / "out";
  const Words server{"--server", "127.0.0.1:1"};
  const auto refusal = [&](const Words& words) {
    const ProgramEnd end = ladder(server + words + Words{"--out", out.string()});
    CHECK(end.code == 2);
    CHECK(end.out.empty());
    return end.err;
  };
  const Words game{"--game", "connect4"};
  const Words player{"--player", "preset=uct"};
  const Words over{"--over", "simulations=1:4"};
  CHECK(contains(refusal(player + over), "--game is missing"));
  CHECK(contains(refusal(game + over), "--player is missing"));
  CHECK(contains(refusal(game + player), "--over is missing"));
  CHECK(contains(refusal(game + player + Words{"--over", "simulations=1:3"}),
                 "--over: 1 doubled comes to 2 and 4, not to 3"));
  CHECK(contains(refusal(game + player + Words{"--over", "simulations=4"}), "two rungs or more"));
  CHECK(contains(refusal(game + player + Words{"--over", "simulatons=1:4"}),
                 "did you mean 'simulations'"));
  CHECK(contains(refusal(game + player + over + Words{"--reach", "0"}), "--reach must be"));
  CHECK(contains(refusal(game + player + over + Words{"--games", "3"}), "multiple of 2"));
  CHECK(contains(refusal(game + player + over + Words{"--openings", "randm"}), "randm"));
  CHECK(contains(refusal(game + player + over + Words{"--truth", (folder / "none").string()}),
                 "none"));
  write_text(folder / "empty.jsonl", "");
  CHECK(
      contains(refusal(game + player + over + Words{"--truth", (folder / "empty.jsonl").string()}),
               "has no position of a game that is played"));
  CHECK(contains(refusal(game + player + over), "no daemon at 127.0.0.1:1"));
  const ProgramEnd without = ladder(server + game + player + over);
  CHECK(without.code == 2);
  CHECK(contains(without.err, "--out is missing"));
  // There is no such network, which the daemon says before the first game.
  const ProgramEnd unfit =
      ladder({"--game", "teeko", "--player", "name=a evaluation=network network=none", "--over",
              "simulations=1:4", "--out", out.string()});
  CHECK(unfit.code == 2);
  CHECK_FALSE(fs::exists(out));
}

}  // namespace pitboss::clients
