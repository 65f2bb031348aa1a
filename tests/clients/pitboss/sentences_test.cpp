#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"

// What the programs tell a user who mistypes or forgets something: the whole line on standard
// error.

namespace pitboss::clients {

using peers::Process;

namespace {

struct Mistake {
  std::string program;
  Words words;
  std::string sentence;  ///< without "PROGRAM: "
};

Words command_of(const std::string& program, const Words& words) {
  Words command{tests::bin_folder() + "/" + program};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

/// A match at a port where nobody listens, but for these words.
Words match_with(const Words& more) {
  Words words{"referee", "--server", "127.0.0.1:1", "--games", "2", "--out", "nowhere"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words two_players{"--player", "name=A k=1", "--player", "name=B k=2"};

/// The commands that `pitboss --help` lists: lines "  NAME  what it does".
Words listed_commands() {
  std::istringstream help(peers::ended(command_of("pitboss", {"--help"})).out);
  const std::regex row("  ([a-z]+)  +\\S.*");
  Words out;
  std::smatch found;
  for (std::string line; std::getline(help, line);) {
    if (std::regex_match(line, found, row)) out.push_back(found[1]);
  }
  return out;
}

std::string listed(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace

TEST_CASE("programs: every mistake has its sentence") {
  const ScratchFolder folder;
  const std::string place = folder.path().string();
  const std::vector<Mistake> mistakes{
      {"pitboss", {"refere"}, "there is no command 'refere'; did you mean 'referee'?"},
      {"pitboss", {"chess"}, "there is no command 'chess'; known: " + listed(listed_commands())},
      {"pitboss", {"net"}, "there is no command 'net'; did you mean 'network'?"},
      {"pitboss",
       {"network", "make"},
       "there is no 'pitboss network make'; known: init, show, verify, bench, import, export"},
      {"pitboss", {"ledger", "shwo"}, "there is no 'pitboss ledger shwo'; did you mean 'show'?"},
      {"pitboss", {"features", "shw"}, "there is no 'pitboss features shw'; did you mean 'show'?"},
      {"pitboss", {"play", "othelo"}, "unknown game 'othelo'; did you mean 'othello'?"},
      {"pitboss", {"play", "rolit", "--as", "white"}, "--as must be red or yellow, not 'white'"},
      {"pitboss", {"play", "--seconds", "0"}, "--seconds must be from 0.001 to 3600"},
      {"pitboss",
       {"play", "--set", "novlety=none"},
       "unknown option 'novlety'; did you mean 'novelty'?"},
      {"pitboss",
       {"play", "teeko", "--set", "evaluation=playout", "--set", "playout=informed"},
       "teeko has no informed playouts: set playout to uniform"},
      {"pitboss", {"train", "--out", place, "--quick"}, "--quick begins a run: it needs --game"},
      {"pitboss",
       {"train", "--out", place, "--from", "x"},
       "--from begins a run: it needs --game or --settings"},
      {"pitboss",
       {"train", "--game", "hex", "--out", place + "/run", "--minutes", "-1"},
       "--minutes must be from 0, for no bound, to 1e6"},
      {"pitboss", {"referee", "--gmes", "5"}, "unknown option '--gmes'; did you mean '--games'?"},
      {"pitboss",
       {"referee", "--games", "many"},
       "--games must be a number, not 'many'; see pitboss referee --help"},
      {"pitboss", {"train"}, "--out must name a folder"},
      {"pitboss",
       {"train", "--out", place},
       "there is no training run in " + place + "; pitboss train --game NAME --out " + place +
           " begins one"},
      {"pitboss",
       {"train", "--game", "othelo", "--out", place + "/run"},
       "unknown game 'othelo'; did you mean 'othello'?"},
      {"pitboss", {"selfplay"}, "--run must name the folder of a run"},
      {"pitboss", {"bench", "--seconds"}, "--seconds needs a value; see pitboss bench --help"},
      {"pitboss",
       {"referee", "--game", "hex", "size=7"},
       "unexpected word 'size=7'; quote a value of several words: --game \"hex size=7\"; see "
       "pitboss "
       "referee --help"},
      {"pitboss", {"bench", "stray"}, "unexpected word 'stray'; see pitboss bench --help"},
      {"pitboss", {"bench", "--game", "Hxe"}, "unknown game 'Hxe'; did you mean 'hex'?"},
      {"pitboss",
       match_with(two_players + Words{"--game", "hex", "--player", "name=C Novlety=none"}),
       "player \"name=C Novlety=none\", Novlety: unknown option 'Novlety'; did you mean "
       "'novelty'?"},
      {"pitboss", match_with(two_players + Words{"--game", "othelo"}),
       "unknown game 'othelo'; did you mean 'othello'?"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--openings", "random"}),
       "--openings: unknown openings \"random\"; use none, random:N (N random moves of each side), "
       "all:N (every opening of N moves of each side; N from 0 to 1000), book:NAME, "
       "file:PATH or list:MOVES;MOVES"},
      {"pitboss", match_with(two_players + Words{"--game", "hex"}),
       "no daemon at 127.0.0.1:1 (Connection refused); start one: pitbossd --listen 127.0.0.1:1"},
      {"pitboss",
       {"gtp", "--connect", "127.0.0.1:1"},
       "no daemon at 127.0.0.1:1 (Connection refused); start one: pitbossd --listen 127.0.0.1:1"},
      {"pitboss",
       {"load", "--connect", "127.0.0.1:1"},
       "no daemon at 127.0.0.1:1 (Connection refused); start one: pitbossd --listen 127.0.0.1:1"},
      {"pitboss",
       {"referee", "--experiment", "x.toml", "--games", "4"},
       "--games cannot be combined with --experiment; set it in the file"},
      {"pitboss",
       {"referee", "--experiment", "x.toml", "--max-plies", "4"},
       "--max-plies cannot be combined with --experiment; set it in the file"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--concurrency", "0"}),
       "--concurrency: expected a whole number from 1 to 1000"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--seed", "-1"}),
       "--seed: expected a whole number of at least 0"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--move-timeout", "soon"}),
       "--move-timeout: expected a number from 0.001 to 10000000"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--time-margin", "61"}),
       "--time-margin: expected a number from 0 to 60"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--sprt", "elo0=0"}),
       "--sprt: \"elo1\" is missing"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--sprt", "elo0=0 elo1=x"}),
       "--sprt, elo1: expected a number from -1000 to 1000"},
      {"pitboss",
       match_with(two_players + Words{"--game", "hex", "--sprt", "elo0=0 elo1=1 alhpa=1"}),
       "--sprt, alhpa: this key is unknown; did you mean 'alpha'?"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--sprt", "elo0=9 elo1=1"}),
       "--sprt: elo0 must be below elo1, and both between -200 and 200"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--max-plies", "2"}),
       "--max-plies: must be above the 2 plies of the opening"},
      {"pitboss", match_with(two_players + Words{"--game", "hex", "--game", "hex size=11"}),
       "--game: this game is listed twice"},
      {"pitboss",
       match_with(two_players +
                  Words{"--game", "hex", "--server", "127.0.0.1:2", "--server", "127.0.0.1:3"}),
       "no player is at the server 127.0.0.1:3"},
      {"pitboss", match_with({"--game", "hex", "--player", "name=A"}),
       "--player: expected two players or more"},
      {"pitboss", match_with({"--game", "hex"}), "--player is missing, or --experiment"},
      {"pitboss", match_with({"--game-param", "size=9"}), "--game-param is for --game"},
      {"pitboss",
       {"grow", "--game", "hex", "--out", place + "/grown", "--games", "900"},
       "--games: expected a whole number from 0 to 899"},
      {"pitboss",
       {"grow", "--game", "hex", "--out", place + "/grown", "--strategy", "corelation"},
       "--strategy: expected \"random\", \"combine-random\", \"combine-max\" or "
       "\"correlation\"; did you mean 'correlation'?"},
      {"pitboss",
       {"referee", "--experiment", place + "/x.toml"},
       "cannot read " + place + "/x.toml: No such file or directory"},
      {"pitboss",
       {"referee", "--experiment", place},
       "cannot read " + place + ": it is not a regular file"},
      {"pitbossd", {"--liste", "1"}, "unknown option '--liste'; did you mean '--listen'?"},
      {"pitbossd", {"--Novelty-", "1"}, "unknown option '--Novelty-'; did you mean '--novelty'?"},
      {"pitbossd", {"hex"}, "unexpected word 'hex'"},
      {"pitbossd",
       {"--config", place + "/x"},
       "cannot read " + place + "/x: No such file or directory"},
  };
  for (const Mistake& mistake : mistakes) {
    Process program(command_of(mistake.program, mistake.words));
    CHECK(program.wait() == (mistake.program == "pitboss" ? 2 : 1));
    CHECK(program.errors() == mistake.program + ": " + mistake.sentence + "\n");
    CHECK(program.output().empty());
  }
}

TEST_CASE("programs: -h helps and --version tells the version") {
  std::vector<Words> asked{{"-h"}, {"--help"}};
  for (const std::string& name : listed_commands()) asked.push_back({name, "-h"});
  CHECK(asked.size() > 12);
  for (const Words& words : asked) {
    CAPTURE(listed(words));
    Process program(command_of("pitboss", words));
    CHECK(program.wait() == 0);
    CHECK(program.output().find("pitboss") != std::string::npos);
  }
  Process daemon(command_of("pitbossd", {"-h"}));
  CHECK(daemon.wait() == 0);
  CHECK(daemon.output().starts_with("Usage: pitbossd"));
  for (const char* const program : {"pitboss", "pitbossd"}) {
    Process version(command_of(program, {"--version"}));
    CHECK(version.wait() == 0);
    CHECK(version.output().starts_with(std::string(program) + " 0."));
    INFO("a build in a clone tells its commit, by git, which has to be there");
    const bool is_repository = std::filesystem::exists(tests::tests_folder() + "/../.git");
    CHECK((version.output().find(" (commit ") != std::string::npos) == is_repository);
  }
}

TEST_CASE("pitboss: output that could not be written is no success") {
  const std::string program = (std::filesystem::path(tests::bin_folder()) / "pitboss").string();
  const auto end = peers::ended({"/bin/sh", "-c", "exec '" + program + "' --version > /dev/full"});
  CHECK(end.code == 2);
  CHECK(end.err == "pitboss: not all of the output could be written\n");
}

TEST_CASE("pitboss referee: equal players and options without effect are told") {
  const auto notes_of = [](const Words& players) {
    Process program(command_of("pitboss", match_with(players + Words{"--game", "hex"})));
    CHECK(program.wait() == 2);
    return program.errors();
  };
  CHECK(notes_of({"--player", "name=A k=0.3", "--player", "name=B"})
            .starts_with(
                "note: A and B have equal options in hex: their match shows chance alone\n"));
  CHECK(notes_of({"--player", "name=A k=0.3", "--player", "name=B server=127.0.0.1:2"})
            .starts_with("note: A and B have equal options in hex: their match shows chance, and "
                         "how the servers differ\n"));
  CHECK(notes_of({"--player", "name=A k=1", "--player", "name=B ponder=true"})
            .starts_with("note: B: ponder has no effect until reuse_tree is true\n"));
  const std::string novel = "name=novel preset=reference novelty=pseudocount k=";
  const std::string plain = "name=plain preset=reference k=0.1";
  CHECK(notes_of({"--player", novel + "0.3", "--player", plain})
            .starts_with("note: novel and plain differ in more than novelty (k 0.3 and 0.1): what "
                         "novelty does shows beside its control, which is novel with alpha = 0\n"));
  CHECK(notes_of({"--player", plain, "--player", novel + "0.3"})
            .starts_with("note: plain and novel differ in more than novelty (k 0.1 and 0.3)"));
  CHECK(notes_of({"--player", novel + "0.1", "--player", plain}).starts_with("pitboss: no daemon"));
  CHECK(notes_of({"--player", novel + "0.3", "--player", plain, "--player",
                  "name=control preset=control k=0.3"})
            .starts_with("pitboss: no daemon"));
  CHECK(notes_of(two_players).starts_with("pitboss: no daemon"));
  CHECK(notes_of({"--player", "name=A program='none -x' speaks=gtp", "--player",
                  "name=B program='none -y' speaks=gtp", "--player", "name=C"})
            .starts_with("pitboss: none -x cannot be used by A in hex: cannot start none: no such "
                         "file or directory"));
  CHECK(notes_of({"--player", "name=A program=none speaks=gtp", "--player",
                  "name=B program=none speaks=gtp", "--player", "name=C"})
            .starts_with("note: A and B are the same program, set up alike, in hex: their match "
                         "shows chance alone\n"));
}

}  // namespace pitboss::clients
