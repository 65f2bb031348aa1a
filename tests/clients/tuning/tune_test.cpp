#include <doctest/doctest.h>

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/text_file.hpp"
#include "games/random.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"

// `pitboss tune` as users start it.

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Process;
using tests::Daemon;

namespace {

constexpr auto longest = 5min;

std::string first_line(Daemon& daemon) { return Daemon::address_of(daemon.output_line()); }

/// A file of a tuning at a server; `tune` is what stands below [tune].
std::string file_text(const std::string& server, const std::string& tune) {
  return "seed = 5\ngame = \"connect4\"\ngames = 20\nopenings = \"random:2\"\n"
         "[[server]]\naddress = \"" +
         server +
         "\"\n[options]\npreset = \"reference\"\n"
         "[[player]]\nname = \"tuned\"\noptions = { simulations = 6, k = 0.3, alpha = 0.1 }\n"
         "[[player]]\nname = \"base\"\noptions = { simulations = 4, k = 0.5 }\n[tune]\n" +
         tune;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

std::vector<std::string> command(const std::filesystem::path& file,
                                 const std::filesystem::path& out, int workers) {
  return {(std::filesystem::path(tests::bin_folder()) / "pitboss").string(),
          "tune",
          "--experiment",
          file.string(),
          "--out",
          out.string(),
          "--concurrency",
          std::to_string(workers)};
}

/// Everything of a tuning's games but their times.
std::string games_in(const std::filesystem::path& folder) {
  SQLite::Database database((folder / "tuning.sqlite").string(), SQLite::OPEN_READONLY);
  SQLite::Statement row(database,
                        "SELECT proposal || '/' || number || ' ' || proposed || ': ' || opening || "
                        "' ' || seats || ' ' || result || ' ' || twelfths || ' ' || moves FROM "
                        "games ORDER BY proposal, number");
  std::string all;
  while (row.executeStep()) all += row.getColumn(0).getString() + "\n";
  return all;
}

const std::string spsa =
    "method = \"spsa\"\nself_play = true\nprecision = 3\nloss_at_half_range = 300\nlag = 9\n"
    "[tune.parameters]\nk = { min = 0.01, max = 2, scale = \"log\" }\n";

const std::string ucb =
    "method = \"ucb1-tuned\"\ngames = 400\nlag = 9\n[tune.parameters]\nk = [0.1, 0.3, 1, 3]\n";

}  // namespace

TEST_CASE("tune: one worker, seven, and twenty kills play the same games to the same answer") {
  Daemon daemon({"--listen", "127.0.0.1:0"});
  const std::string server = first_line(daemon);
  for (const std::string& tune : {ucb, spsa}) {
    const ScratchFolder folder;
    const auto file = folder / "tuning.toml";
    write(file, file_text(server, tune));
    REQUIRE(Process(command(file, folder / "one", 1)).wait(longest) == 0);
    REQUIRE(Process(command(file, folder / "seven", 7)).wait(longest) == 0);
    games::Random random(3);
    int kills = 0;
    for (int workers = 7;; workers = 8 - workers) {
      Process run(command(file, folder / "killed", workers));
      if (kills == 20) {
        REQUIRE(run.wait(longest) == 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50 + random.below(300)));
      run.signal(SIGKILL);
      run.wait(longest);
      ++kills;
    }
    const std::string games = games_in(folder / "one");
    CHECK(std::ranges::count(games, '\n') > 300);
    CHECK(games == games_in(folder / "seven"));
    CHECK(games == games_in(folder / "killed"));
    for (const char* name : {"tuned.toml", "summary.json", "report.html"}) {
      const std::string text = read_text_file(folder / "one" / name);
      CHECK(text == read_text_file(folder / "seven" / name));
      CHECK(text == read_text_file(folder / "killed" / name));
    }
    const auto summary = nlohmann::json::parse(read_text_file(folder / "one" / "summary.json"));
    CHECK(summary["best"].contains("k"));
    CHECK(summary["games"] == std::ranges::count(games, '\n'));
    CHECK(summary["matches"].size() >= 1);
    CHECK(summary["score"] == summary["matches"][0]["score"]);
    const std::string report = read_text_file(folder / "one" / "report.html");
    CHECK(report.find(tune == ucb ? "Samples of k" : "k over time") != std::string::npos);
    CHECK(report.find("preset=reference simulations=6 ") != std::string::npos);
    CHECK(report.find("match/report.html") != std::string::npos);

    // Another tuning in the same folder is refused and changes nothing.
    std::string other = file_text(server, tune);
    other.replace(other.find("lag = 9"), 7, "lag = 8");
    write(folder / "other.toml", other);
    Process refused(command(folder / "other.toml", folder / "one", 1));
    CHECK(refused.wait(longest) == 2);
    CHECK(refused.errors().find("lag is 9 there and 8 here") != std::string::npos);
    CHECK(games == games_in(folder / "one"));
  }
}

}  // namespace pitboss::clients
