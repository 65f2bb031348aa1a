#include <doctest/doctest.h>

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

// `pitboss sweep` as users start it.

namespace pitboss::clients {

using peers::ProgramEnd;
namespace {

namespace fs = std::filesystem;

ProgramEnd sweep(const Words& words) { return peers::ended(command("sweep", words)); }

using tests::contains;

std::string file_text(const std::string& server) {
  return "seed = 5\ngame = \"connect4\"\ngames = 20\nopenings = \"random:2\"\n[[server]]\n"
         "address = \"" +
         server +
         "\"\n[options]\npreset = \"reference\"\n"
         "[[player]]\nname = \"tuned\"\noptions = { simulations = 6, k = 0.3, alpha = 0.1 }\n"
         "[[player]]\nname = \"base\"\noptions = { simulations = 4, k = 0.5 }\n"
         "[tune]\ngames = 200\n[tune.parameters]\n"
         "k = { min = 0.01, max = 2, scale = \"log\" }\nalpha = [0.1, 0.2]\n";
}

}  // namespace

TEST_CASE("pitboss sweep: one game at once, four, and kills have the same map") {
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "2"});
  write_text(folder / "f.toml", file_text(tests::Daemon::address_of(daemon.output_line())));
  const std::string file = (folder / "f.toml").string();
  const auto words = [&](const fs::path& out, const std::string& concurrency) {
    return Words{"--experiment", file,  "--over", "k=0.1,1",    "--over",        "alpha",
                 "--games",      "100", "--out",  out.string(), "--concurrency", concurrency};
  };
  const ProgramEnd one = sweep(words(folder / "one", "1"));
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  CHECK(contains(one.out, "Sweep of alpha and k at connect4 against base"));
  REQUIRE(sweep(words(folder / "four", "4")).code == 0);

  const fs::path killed = folder / "killed";
  for (int kills = 0; kills < 3; ++kills) {
    peers::Process program(command("sweep", words(killed, "4")));
    while (!fs::exists(killed / "ledger.sqlite")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50 * kills));
    program.signal(SIGKILL);
    program.wait();
  }
  REQUIRE(sweep(words(killed, "1")).code == 0);
  const std::string scores = read_text(folder / "one" / "sweep.json");
  const auto found = nlohmann::json::parse(scores);
  REQUIRE(found["sweep"].size() == 4);
  for (const auto& row : found["sweep"]) CHECK(row["games"] == 100);
  CHECK(found["sweep"][0]["alpha"] == "0.1");
  CHECK(found["sweep"][1]["k"] == "1");
  for (const char* const name : {"sweep.json", "sweep.html", "summary.json"}) {
    CHECK(read_text(folder / "four" / name) == read_text(folder / "one" / name));
    CHECK(read_text(killed / name) == read_text(folder / "one" / name));
  }
  CHECK(contains(read_text(folder / "one" / "report.html"), "Sweep of alpha and k"));

  // Another sweep in the same folder is refused and changes nothing.
  Words other = words(folder / "one", "1");
  other.insert(other.end(), {"--at", "k=1"});
  CHECK(sweep(other).code == 2);
  other = words(folder / "one", "1");
  other[3] = "k=0.1,2";
  CHECK(sweep(other).code == 2);
  CHECK(read_text(folder / "one" / "sweep.json") == scores);
}

TEST_CASE("pitboss sweep: a line with the path of a tuning") {
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "2"});
  write_text(folder / "f.toml", file_text(tests::Daemon::address_of(daemon.output_line())));
  const std::string file = (folder / "f.toml").string();
  const std::string tuning = (folder / "tuning").string();
  REQUIRE(peers::ended(command("tune", {"--experiment", file, "--out", tuning})).code == 0);
  const fs::path out = folder / "out";
  const ProgramEnd end = sweep({"--experiment", file, "--over", "k", "--points", "3", "--tuning",
                                tuning, "--at", "alpha=0.2", "--out", out.string()});
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  const std::string page = read_text(out / "sweep.html");
  CHECK(contains(page, "Sweep of k at connect4 against base"));
  CHECK(contains(page, "The score against base with its 95 % interval"));
  CHECK(contains(page, "The tuner&#39;s path"));
  CHECK_FALSE(contains(page, "The tuning has played no game with these options."));
}

TEST_CASE("pitboss sweep: what it refuses, with nothing written") {
  const ScratchFolder folder;
  write_text(folder / "f.toml", file_text("127.0.0.1:1"));
  const std::string file = (folder / "f.toml").string();
  const fs::path out = folder / "out";
  const auto refusal = [&](Words words) {
    words.insert(words.end(), {"--out", out.string()});
    const ProgramEnd end = sweep(words);
    CHECK(end.code == 2);
    CHECK(end.out.empty());
    return end.err;
  };
  CHECK(contains(refusal({}), "--experiment is missing"));
  CHECK(contains(refusal({"--experiment", file}), "--over: expected one or two parameters"));
  CHECK(
      contains(refusal({"--experiment", file, "--over", "beta"}), "--over: beta is no parameter"));
  CHECK(
      contains(refusal({"--experiment", file, "--over", "k", "--at", "k=1"}), "--at: k is swept"));
  CHECK(contains(refusal({"--experiment", file, "--over", "k", "--points", "1"}),
                 "--points must be"));
  CHECK(
      contains(refusal({"--experiment", file, "--over", "k", "--games", "0"}), "--games must be"));
  CHECK(
      contains(refusal({"--experiment", file, "--over", "k", "--games", "3"}), "--games must be"));
  CHECK(contains(refusal({"--experiment", file, "--over", "k", "--tuning", out.string()}), "out"));
  CHECK(contains(refusal({"--experiment", file, "--over", "k"}), "no daemon at 127.0.0.1:1"));
  CHECK_FALSE(fs::exists(out));
  const ProgramEnd without = sweep({"--experiment", file, "--over", "k"});
  CHECK(without.code == 2);
  CHECK(contains(without.err, "--out must name a folder"));
}

}  // namespace pitboss::clients
