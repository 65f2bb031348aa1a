#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

using peers::ProgramEnd;
namespace {

namespace fs = std::filesystem;

ProgramEnd books(const Words& words) { return peers::ended(command("books", words)); }

using tests::contains;

Words small(const fs::path& out, const std::string& server) {
  return {"connect4",   "--out",
          out.string(), "--candidates",
          "300",        "--balanced",
          "40",         "--biased",
          "10",         "--simulations",
          "100",        "--preset",
          "reference",  "--trial-simulations",
          "60",         "--server",
          server};
}

}  // namespace

TEST_CASE("pitboss books: killed while it searches and while it plays, it writes the same books") {
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "2"});
  const std::string server = tests::Daemon::address_of(daemon.output_line());
  const fs::path undisturbed = folder / "undisturbed";
  const ProgramEnd end = books(small(undisturbed, server));
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  CHECK(contains(end.out, "300 candidates of connect4"));
  CHECK(contains(end.out, "random:2"));
  const std::string balanced = read_text(undisturbed / "balanced.txt");
  CHECK(balanced.starts_with("# Openings of connect4\n# drawn: 300 random openings "));
  CHECK(contains(balanced, "; rounds 1, won "));
  CHECK(contains(balanced, "; games 2, drawn "));

  const fs::path killed = folder / "killed";
  for (const char* const sign : {"positions.jsonl", "trial/ledger.sqlite"}) {
    peers::Process program(command("books", small(killed, server)));
    while (!fs::exists(killed / sign)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    program.signal(SIGKILL);
    CHECK(program.wait() == 128 + SIGKILL);
    CHECK_FALSE(fs::exists(killed / "balanced.txt"));
  }
  REQUIRE(books(small(killed, server)).code == 0);
  for (const char* const book : {"balanced.txt", "biased.txt"}) {
    CHECK(read_text(killed / book) == read_text(undisturbed / book));
  }

  // A book is a file of openings, of its own game alone.
  const auto referee = [&](const std::string& game) {
    return peers::ended(command(
        "referee",
        {"--server", server, "--game", game, "--games", "4", "--openings",
         "file:" + (undisturbed / "balanced.txt").string(), "--player", "name=a simulations=10",
         "--player", "name=b simulations=20", "--out", (folder / "match").string()}));
  };
  CHECK(referee("connect4").code == 0);
  const ProgramEnd wrong = referee("hex size=7");
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "is a book of connect4"));

  // Other settings make other books.
  Words other = small(killed, server);
  other.insert(other.end(), {"--seed", "2"});
  const ProgramEnd refused = books(other);
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "other settings"));
}

TEST_CASE("pitboss books: what it refuses, with nothing written") {
  const ScratchFolder folder;
  const std::string out = (folder / "out").string();
  const auto refusal = [](const Words& words) {
    const ProgramEnd end = books(words);
    CHECK(end.code == 2);
    return end.err;
  };
  CHECK(contains(refusal({}), "expected a game"));
  CHECK(contains(refusal({"connect4"}), "--out must name a folder"));
  CHECK(contains(refusal({"go", "--out", out}), "go"));
  CHECK(contains(refusal({"connect4", "--out", out, "--turns", "0"}), "--turns must be from 1"));
  CHECK(contains(refusal({"connect4", "--out", out, "--candidates", "0"}), "--candidates must be"));
  CHECK(contains(refusal({"connect4", "--out", out, "--within", "nan"}), "--within must be"));
  CHECK(contains(refusal({"connect4", "--out", out, "--bias", "0"}), "--bias must be"));
  CHECK(contains(refusal({"connect4", "--out", out, "--bias", "5"}),
                 "--within must be below --bias"));
  CHECK(contains(refusal({"connect4", "--out", out, "--rounds", "1001"}),
                 "--rounds must be at most"));
  CHECK(contains(refusal({"connect4", "--out", out, "--preset", "none"}), "none"));
  CHECK_FALSE(fs::exists(out));
  // What others have written stays.
  fs::create_directory(out);
  write_text(fs::path(out) / "balanced.txt", "d1");
  CHECK(contains(refusal({"connect4", "--out", out}), "must name a new folder"));
  CHECK(read_text(fs::path(out) / "balanced.txt") == "d1");
}

}  // namespace pitboss::clients
