#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/peer.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/timing.hpp"

// The programs as users start them.

namespace pitboss::clients {

using peers::Manner;
using peers::Peer;
using peers::Process;
using peers::ProgramEnd;
using tests::Daemon;

namespace {

const std::filesystem::path bin = tests::bin_folder();

}  // namespace

TEST_CASE("pitboss: mistakes end with a sentence and 2, and leave nothing behind") {
  const ScratchFolder folder;
  const Peer peer;
  const std::string server = peer.address().text();
  const std::string program = (bin / "pitboss").string();
  const auto words = referee_words(server, folder / "match", 10);

  CHECK(peers::ended({program}).code == 2);
  CHECK(peers::ended({program, "help"}).code == 0);
  CHECK(peers::ended({program, "help", "referee"}).out.find("--openings") != std::string::npos);
  const ProgramEnd unknown = peers::ended({program, "refere"});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("no command 'refere'; did you mean 'referee'?") != std::string::npos);

  for (const Words& mistake : std::initializer_list<Words>{{"--gamse", "3"},
                                                           {"--games", "3"},
                                                           {"stray"},
                                                           {"--player", "name=A"},
                                                           {"--openings", "book"},
                                                           {"--concurrency", "0"},
                                                           {"--move-timeout", "-1"},
                                                           {"--max-plies", "2"},
                                                           {"--seed", "-1"},
                                                           {"--game-param", "size=3"},
                                                           {"--server", "nowhere"}}) {
    CAPTURE(mistake[0]);
    const ProgramEnd end = peers::ended(words + mistake);
    CHECK(end.code == 2);
    CHECK(end.err.starts_with("pitboss: "));
  }
  CHECK(peers::ended(referee_words("127.0.0.1:1", folder / "match", 10)).code == 2);
  CHECK_FALSE(std::filesystem::exists(folder / "match"));
}

TEST_CASE("pitboss referee: programs play in one line, with few descriptors") {
  const ScratchFolder folder;
  const auto player = [](const std::string& name, const std::string& language) {
    return "name=" + name + " program='" + (bin / "pitboss_scripted_engine").string() + " " +
           language + " plays connect4' speaks=" + language;
  };
  const ProgramEnd end = peers::ended(
      {"/bin/sh", "-c", "ulimit -n 60; exec \"$@\"", "sh", (bin / "pitboss").string(), "referee",
       "--game", "connect4", "--games", "10", "--concurrency", "2", "--player", player("A", "gtp"),
       "--player", player("B", "uci") + " depth=1", "--out", (folder / "match").string()});
  CAPTURE(end.err);
  CHECK(end.code == 0);
  CHECK(end.out.find("10 of 10") != std::string::npos);
  CHECK(end.out.find("failures   none") != std::string::npos);
  CHECK(end.out.find(" gtp plays connect4, speaks gtp; its defaults\n") != std::string::npos);
  CHECK(end.out.find(" uci plays connect4, speaks uci; depth=1\n") != std::string::npos);
  CHECK(end.err.find("equal options") == std::string::npos);
}

TEST_CASE("pitboss referee: Ctrl-C") {
  const Peer peer({.manner = Manner::falls_silent, .one_in = 30});
  const ScratchFolder folder;
  const auto words = referee_words(peer.address().text(), folder / "match", 2000);
  Process process(words);
  const auto log = ledger_path(folder / "match").string() + "-wal";
  REQUIRE(tests::eventually([&] { return read_text(log).size() >= 200'000; }));
  // The silent ones would keep the rounds in play for long.
  process.signal(SIGINT);
  while (process.error_line().find("once more to stop at once") == std::string::npos) {
  }
  process.signal(SIGINT);
  CHECK(process.wait() == 130);
  CHECK(process.errors().find("the same command continues") != std::string::npos);
  CHECK(process.output().find("connect4") != std::string::npos);
  const auto summary = nlohmann::json::parse(read_text(folder / "match/summary.json"));
  CHECK(summary["complete"] == false);
  CHECK(summary["games"].get<int>() > 0);
}

TEST_CASE("pitboss referee and pitbossd play a match, twice the same") {
  const ScratchFolder folder;
  Daemon one;
  Daemon two;
  const std::vector<std::string> servers{Daemon::address_of(one.output_line()),
                                         Daemon::address_of(two.output_line())};
  const auto play = [&](const std::string& out, const std::string& concurrency) {
    const ProgramEnd end =
        peers::ended(referee_words(servers[0], folder / out, 20) +
                     Words{"--server", servers[1], "--concurrency", concurrency});
    CAPTURE(end.err);
    CHECK(end.code == 0);
    CHECK(end.out.find("failures   none") != std::string::npos);
  };
  play("first", "8");
  play("second", "3");
  CHECK(text_without_seconds(folder / "first/games.csv") ==
        text_without_seconds(folder / "second/games.csv"));
  CHECK(read_text(folder / "first/summary.json") == read_text(folder / "second/summary.json"));
  const auto summary = nlohmann::json::parse(read_text(folder / "first/summary.json"));
  CHECK(summary["games"] == 20);
  CHECK(summary["matches"][0]["distinct_games"].get<int>() > 15);
  CHECK(summary["failures"] == 0);

  for (Daemon* daemon : {&one, &two}) {
    daemon->signal(SIGTERM);
    CHECK(daemon->wait() == 0);
  }
}

TEST_CASE("pitboss ledger backup: of a match in play, continued elsewhere") {
  const ScratchFolder folder;
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  constexpr int games = 1000;
  const auto backup = [&] {
    return peers::ended({(bin / "pitboss").string(), "ledger", "backup",
                         (folder / "whole").string(), "--to", (folder / "backup").string()});
  };
  Process referee(referee_words(server, folder / "whole", games));
  // Backups of a ledger that is not there yet fail, and leave nothing.
  std::size_t rounds = 0;
  for (int i = 0; i < 2000 && rounds == 0; ++i) {
    std::filesystem::remove_all(folder / "backup");
    const ProgramEnd end = backup();
    if (end.code == 0) {
      CHECK(end.out == ledger_path(folder / "backup").string() + "\n");
      const Experiment experiment = read_experiment(folder / "backup");
      rounds = Ledger(folder / "backup", experiment).played().size();
    } else {
      CHECK(end.err.find(" holds no ledger") != std::string::npos);
      CHECK_FALSE(std::filesystem::exists(folder / "backup"));
    }
  }
  CHECK(rounds > 0);
  CHECK(rounds < games / 2);
  CHECK(referee.wait() == 0);
  CHECK(backup().err.find("holds a ledger; choose another place") != std::string::npos);

  // Restored: whatever has become of the folder, the backup is the file to put in its place.
  std::filesystem::create_directory(folder / "restored");
  std::filesystem::copy(ledger_path(folder / "backup"), ledger_path(folder / "restored"));
  CHECK(peers::ended(referee_words(server, folder / "restored", games)).code == 0);
  for (const char* file : {"games.csv", "summary.json"}) {
    CHECK(text_without_seconds(folder / "restored" / file) ==
          text_without_seconds(folder / "whole" / file));
  }
}

TEST_CASE("pitboss referee: only what is written is told to be") {
  const ScratchFolder folder;
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  const auto words = referee_words(server, folder / "match", 2);
  std::filesystem::create_directories(folder / "match/report.html.new");  // where a file is to be
  const ProgramEnd end = peers::ended(words);
  CHECK(end.code == 1);
  CHECK(end.out.ends_with(": ledger.sqlite, games.csv, summary.json\n"));
  CHECK(end.err.find("stopped: cannot write ") != std::string::npos);
  std::filesystem::remove(folder / "match/report.html.new");
  const ProgramEnd again = peers::ended(words);
  CHECK(again.code == 0);
  CHECK(again.out.ends_with(
      ": ledger.sqlite, games.csv, summary.json, report.html, machines.json\n"));
}

TEST_CASE("pitboss referee and pitbossd play a game for three") {
  const ScratchFolder folder;
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  const auto play = [&](const std::string& out, const std::string& games) {
    return peers::ended({(bin / "pitboss").string(), "referee", "--server", server, "--game",
                         "rolit", "--game-param", "players=3", "--player", "name=A simulations=40",
                         "--player", "name=B simulations=20", "--games", games, "--out",
                         (folder / out).string()});
  };
  for (const auto& [games, sentence] :
       {std::pair("8", "--games: must be a multiple of 6 for rolit: each opening is played"),
        std::pair("0", "--games: expected a whole number of at least 1")}) {
    const ProgramEnd mistake = play("mistake", games);
    CHECK(mistake.code == 2);
    CHECK(mistake.err.find(sentence) != std::string::npos);
  }

  const ProgramEnd first = play("first", "12");
  CAPTURE(first.err);
  CHECK(first.code == 0);
  CHECK(first.out.find("failures   none") != std::string::npos);
  CHECK(first.out.find(", green ") != std::string::npos);
  CHECK(play("second", "6").code == 0);
  CHECK(play("second", "12").code == 0);
  CHECK(text_without_seconds(folder / "first/games.csv") ==
        text_without_seconds(folder / "second/games.csv"));
  CHECK(read_text(folder / "first/summary.json") == read_text(folder / "second/summary.json"));

  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
}

}  // namespace pitboss::clients
