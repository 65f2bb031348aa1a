#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/text.hpp"
#include "tests/timing.hpp"

// Ledgers in a database, as users have them.

namespace pitboss::clients {

using peers::Process;
using peers::ProgramEnd;
using tests::Daemon;

namespace {

using tests::contains;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

TEST_CASE("pitboss ledger start: a match in a database is the match in a file") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  const ScratchFolder folder;
  Daemon daemon;
  const std::string address = Daemon::address_of(daemon.output_line());
  const auto ledger = [](const Words& words) { return peers::ended(command("ledger", words)); };
  const ProgramEnd started = ledger({"start", server.folder().string()});  // runs already
  const std::string url = first_line(started.out);
  CHECK(url == server.url());
  CHECK(contains(url, "?passfile="));

  REQUIRE(peers::ended(referee_words(address, folder / "file", 20)).code == 0);
  const auto in_database = [&](const std::string& out, const Words& more = {}) {
    return peers::ended(referee_words(address, folder / out, 20, Words{"--ledger", url} + more));
  };
  REQUIRE(in_database("base").code == 0);
  const ProgramEnd again = in_database("base");
  CHECK(again.code == 0);
  CHECK(contains(again.out, ": ledger.url, games.csv, summary.json, report.html"));
  for (const char* file : {"games.csv", "summary.json"}) {
    CHECK(text_without_seconds(folder / "base" / file) ==
          text_without_seconds(folder / "file" / file));
  }
  CHECK(read_text(folder / "base/ledger.url") == url.substr(0, url.find('?')) + "#base\n");

  CHECK(ledger({"verify", url}).out == "20 games in 10 rounds of 1 matches: all sound\n");
  CHECK(ledger({"show", url}).out == ledger({"show", (folder / "file").string()}).out);
  CHECK(ledger({"backup", url, "--to", (folder / "copy").string()}).code == 0);
  CHECK(ledger({"export", (folder / "copy").string(), "--to", (folder / "out").string()}).code ==
        0);
  CHECK(read_text(folder / "out/games.csv") == read_text(folder / "base/games.csv"));
  CHECK(ledger({"copy", (folder / "copy").string(), url}).out == url + "#copy\n");
  CHECK(contains(ledger({"copy", (folder / "copy").string(), url}).err, "#copy holds a ledger"));
  CHECK(contains(ledger({"show", url}).err,
                 " holds several experiments; add # and one of: base, copy"));

  // Mistakes end before the first game, and leave no folder.
  const auto mistake = [&](const Words& more, const std::string& out = "new") {
    const ProgramEnd end = peers::ended(referee_words(address, folder / out, 20, more));
    CHECK(end.code == 2);
    if (out == "new") CHECK_FALSE(std::filesystem::exists(folder / "new"));
    return end.err;
  };
  CHECK(contains(mistake({"--ledger", url + "#base", "--max-plies", "9"}),
                 "  max_plies               0                               9"));
  CHECK(contains(mistake({"--ledger", url + "#base", "--sprt", "elo0=0 elo1=10"}),
                 "no stopping rule (there none, here {\"elo0\":0.0,"));
  CHECK(contains(mistake({"--ledger", url.substr(0, url.find('?')) + "?passfile=/none"}),
                 "password"));
  CHECK(contains(mistake({"--ledger", "postgresql://a:b@127.0.0.1/c"}), "holds a password"));
  CHECK(contains(mistake({"--ledger", folder.path().string()}), "a folder is given by --out"));
  CHECK(contains(mistake({"--ledger", url}, "file"), "file holds a ledger of its own"));
  CHECK(contains(mistake({"--ledger", url + "#other"}, "base"), "base holds the records of "));

  // A server that is gone when the referee is told to stop.
  Process referee(referee_words(address, folder / "long", 100'000, {"--ledger", url}));
  const DatabasePlace place(url, "long");
  REQUIRE(tests::eventually([&] {
    return has_ledger(place) && !Ledger(place, read_experiment(place)).played().empty();
  }));
  server.kill();
  while (!contains(referee.error_line(), "#long is away (")) {
  }
  referee.signal(SIGTERM);
  CHECK(referee.wait() == 1);
  CHECK(contains(referee.errors(), "the same command continues the experiment"));
  CHECK(first_line(ledger({"start", server.folder().string()}).out) == url);
  CHECK(contains(ledger({"verify", url + "#long"}).out, ": all sound\n"));

  for (const char* listen : {"nowhere", "0.0.0.0", "192.0.2.77"}) {  // a net of documents alone
    CAPTURE(listen);
    const ProgramEnd end = ledger({"start", (folder / "server").string(), "--listen", listen});
    CHECK(end.code == 2);
    CHECK(contains(end.err, listen));
    CHECK_FALSE(std::filesystem::exists(folder / "server"));
  }
  CHECK(ledger({"stop", server.folder().string()}).code == 0);
  CHECK(contains(ledger({"stop", server.folder().string()}).err, "does not run"));
  CHECK(contains(ledger({"stop", (folder / "file").string()}).err, "holds no database of pitboss"));
}

TEST_CASE(
    "pitboss ledger start as root: below a folder that others cannot enter it says so, and leaves "
    "nothing") {
  if (!ScratchServer::is_possible()) return;
  if (::geteuid() != 0) {
    MESSAGE("skipped: only root is refused");
    return;
  }
  const ScratchFolder folder;
  ::chmod(folder.path().c_str(), 0711);
  const auto start = [&](const std::filesystem::path& where) {
    return peers::ended(command("ledger", {"start", where.string()}));
  };
  std::filesystem::create_directories(folder / "private");
  ::chmod((folder / "private").c_str(), 0700);
  for (const char* where : {"private", "private/db", "private/deep/db"}) {
    CAPTURE(where);
    const ProgramEnd end = start(folder / where);
    CHECK(end.code == 2);
    CHECK(end.out == "");
    CHECK(end.err == "pitboss: PostgreSQL runs as the user postgres, who cannot enter " +
                         (folder / "private").string() +
                         ": choose another folder, or let others enter (chmod o+x)\n");
    CHECK(std::filesystem::is_empty(folder / "private"));
  }
  // Root's own mask does not keep the server out of folders that are made for it.
  const mode_t before = ::umask(077);
  const ProgramEnd end = start(folder / "public/db");
  ::umask(before);
  CAPTURE(end.err);
  CHECK(end.code == 0);
  CHECK(peers::ended(command("ledger", {"stop", (folder / "public/db").string()})).code == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "public/db/password"));
}

TEST_CASE("pitboss referee --join: another referee plays what the ledger says") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  Daemon daemon;
  const std::string address = Daemon::address_of(daemon.output_line());
  const std::string url = shared_server().url();
  const auto join = [&](const std::string& name, const std::string& out, const Words& more = {}) {
    return peers::ended(command("referee", {"--join", name, "--server", address, "--out",
                                            (folder / out).string()}) +
                        more);
  };
  const Words in_database{"--ledger", url};
  REQUIRE(peers::ended(referee_words(address, folder / "file", 40)).code == 0);

  Process first(referee_words(address, folder / "joined", 40, in_database));
  const DatabasePlace place(url, "joined");
  REQUIRE(tests::eventually([&] { return has_ledger(place); }));
  Process second(command("referee", {"--join", "joined", "--server", address, "--out",
                                     (folder / "second").string()}) +
                 in_database);
  CHECK(first.wait() == 0);
  CHECK(second.wait() == 0);
  for (const char* out : {"joined", "second"}) {
    for (const char* file : {"games.csv", "summary.json"}) {
      CHECK(text_without_seconds(folder / out / file) ==
            text_without_seconds(folder / "file" / file));
    }
  }
  CHECK(read_text(folder / "second/ledger.url") == place.address() + "\n");

  const auto mistake = [&](const std::string& name, const Words& more) {
    const ProgramEnd end = join(name, "new", more);
    CHECK(end.code == 2);
    CHECK_FALSE(std::filesystem::exists(folder / "new"));
    return end.err;
  };
  const std::string wrong = mistake("jointed", in_database);
  CHECK(contains(wrong, " holds no experiment jointed, but: "));
  CHECK(contains(wrong, "joined"));
  CHECK(contains(mistake("joined", in_database + Words{"--games", "40"}),
                 "--games cannot be combined with --join: the ledger says it"));
  CHECK(contains(mistake("joined", in_database + Words{"--experiment", "x.toml"}),
                 "--experiment cannot be combined with --join"));
  CHECK(contains(mistake("joined", {}), "--join needs --ledger postgresql://"));
  CHECK(contains(mistake("joined", {"--ledger", url + "#joined"}), "without #NAME"));
  const ProgramEnd nowhere = peers::ended(
      command("referee", {"--join", "joined", "--out", (folder / "new").string()}) + in_database);
  CHECK(contains(nowhere.err, "--server is missing, where A sits"));
}

}  // namespace pitboss::clients
