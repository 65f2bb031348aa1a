#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/phoenix.hpp"
#include "tests/timing.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using peers::Process;
using tests::Phoenix;

namespace {

constexpr const char* tiny = R"(name = "tiny"
seed = 5
game = "connect4"
games = 200
pairings = { against = "base" }
[published]
title = "A table for tests"
games = 100
question = "Is novelty better than its control?"
[options]
preset = "reference"
simulations = 10
[[player]]
name = "base"
[[player]]
name = "novel"
published = 50
control = "control"
options = { novelty = "pseudocount" }
[[player]]
name = "control"
options = { novelty = "pseudocount", alpha = 0 }
[[server]]
address = "127.0.0.1:4580"
)";

class TinyRepository {
 public:
  TinyRepository() {
    fs::create_directories(root() / "data/experiments");
    write_text(root() / "data/experiments/tiny.toml", tiny);
  }
  [[nodiscard]] const fs::path& root() const { return folder_.path(); }
  [[nodiscard]] std::vector<std::string> command(const std::string& server,
                                                 const std::string& verb = "play") const {
    std::vector<std::string> words{(fs::path(tests::bin_folder()) / "pitboss").string(),
                                   "results",
                                   verb,
                                   "tiny",
                                   "--repository",
                                   root().string(),
                                   "--out",
                                   (root() / "run").string()};
    if (verb != "record") words.insert(words.end(), {"--concurrency", "2", "--server", server});
    return words;
  }
  [[nodiscard]] std::string records() const {
    return read_text(root() / "data/results/tiny.jsonl");
  }
  [[nodiscard]] std::string repeats() const {
    return read_text(root() / "data/results/repeats.jsonl");
  }
  [[nodiscard]] std::string page() const { return read_text(root() / "docs/results/tiny.md"); }

 private:
  ScratchFolder folder_;
};

/// Starts the command and kills it as soon as there is a file.
void kill_at(const std::vector<std::string>& command, const fs::path& file) {
  Process process(command);
  REQUIRE(tests::eventually([&] { return fs::exists(file); }));
  process.signal(SIGKILL);
  CHECK(process.wait() == 128 + SIGKILL);
}

}  // namespace

TEST_CASE("pitboss results: killed and repeated, it leaves the same records and pages") {
  const Phoenix daemon;
  const TinyRepository whole;
  REQUIRE(Process(whole.command(daemon.address())).wait() == 0);
  CHECK(whole.page().find("Of 1 published figures 1 is") != std::string::npos);

  const TinyRepository killed;
  const auto command = killed.command(daemon.address());
  kill_at(command, killed.root() / "run/tiny/connect4.novel.base/ledger.sqlite");
  kill_at(command, killed.root() / "run/tiny/connect4.control.base/ledger.sqlite");
  REQUIRE(Process(command).wait() == 0);
  CHECK(killed.records() == whole.records());
  CHECK(killed.page() == whole.page());
  // Nothing is left to play: no server is needed.
  REQUIRE(Process(killed.command("127.0.0.1:1")).wait() == 0);
  CHECK(killed.records() == whole.records());
}

TEST_CASE("pitboss results: some games now, the rest later") {
  const Phoenix daemon;
  const TinyRepository whole;
  REQUIRE(Process(whole.command(daemon.address())).wait() == 0);
  const TinyRepository parts;
  auto some = parts.command(daemon.address());
  some.insert(some.end(), {"--games", "20"});
  REQUIRE(Process(some).wait() == 0);
  CHECK(parts.page().find("| 20 of 200 |") != std::string::npos);
  REQUIRE(Process(parts.command(daemon.address())).wait() == 0);
  CHECK(parts.records() == whole.records());
  // What a referee has played is recorded, too.
  fs::remove(parts.root() / "data/results/tiny.jsonl");
  REQUIRE(Process(parts.command("", "record")).wait() == 0);
  CHECK(parts.records() == whole.records());
  CHECK(parts.page() == whole.page());
}

TEST_CASE("pitboss results repeat: the same seed gives the same record, the next one another") {
  const Phoenix daemon;
  const TinyRepository tiny;
  CHECK(Process(tiny.command(daemon.address(), "repeat")).wait() != 0);  // none is recorded
  CHECK_FALSE(fs::exists(tiny.root() / "docs"));
  REQUIRE(Process(tiny.command(daemon.address())).wait() == 0);
  REQUIRE(Process(tiny.command(daemon.address(), "repeat")).wait() == 0);  // both of them
  const std::string repeats = tiny.repeats();
  std::istringstream records(tiny.records());
  int found = 0;
  for (std::string line; std::getline(records, line);) {
    if (repeats.find(line + "\n") != std::string::npos) ++found;
  }
  CHECK(found == 2);
  CHECK(std::ranges::count(repeats, '\n') == 4);
  const std::string other = "\"seed\":6";
  const auto first = repeats.find(other);
  REQUIRE(first != std::string::npos);
  CHECK(repeats.find(other, first + 1) != std::string::npos);
  // It plays them again, and the records stay what they are.
  CHECK(Process(tiny.command("127.0.0.1:1", "repeat")).wait() != 0);
  REQUIRE(Process(tiny.command(daemon.address(), "repeat")).wait() == 0);
  CHECK(tiny.repeats() == repeats);
}

}  // namespace pitboss::clients
