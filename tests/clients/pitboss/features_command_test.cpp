#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"

// Features as users look at them, give them to daemons, and have them play.

namespace pitboss::clients {

using peers::ProgramEnd;
using tests::Client;
using tests::Daemon;

namespace {

const std::string by_hand = tests::data_folder() + "/features/yavalath-by-hand.features";

ProgramEnd pitboss(const Words& words) {
  Words command{tests::bin_folder() + "/pitboss", "features"};
  command.insert(command.end(), words.begin(), words.end());
  return peers::ended(command);
}

}  // namespace

TEST_CASE("pitboss features show: pictures, the heaviest first, and how often they are active") {
  const ProgramEnd shown = pitboss({"show", by_hand, "--games", "5"});
  CAPTURE(shown.err);
  CHECK(shown.code == 0);
  CHECK(shown.out.starts_with("yavalath swap=off, 3 features: by hand\n"));
  CHECK(shown.out.find("\n+100  to {}; friend {0}; friend {1/2}; friend {0, 0}   active ") !=
        std::string::npos);
  // The north of a hexagon leans to the left.
  CHECK(shown.out.find(" %\n      F\n        F\n        [ .]\n            F\n") !=
        std::string::npos);
  CHECK(shown.out.find("+100") < shown.out.find("-10"));
}

TEST_CASE("pitboss features show: every set that we ship") {
  int sets = 0;
  for (const auto& file : std::filesystem::directory_iterator(tests::data_folder() + "/features")) {
    const ProgramEnd shown = pitboss({"show", file.path().string(), "--games", "1"});
    CAPTURE(shown.err);
    CHECK(shown.code == 0);
    ++sets;
  }
  CHECK(sets >= 3);
}

TEST_CASE("pitboss features show --html: a page with pictures") {
  const ScratchFolder folder;
  const std::string page = (folder / "hand.html").string();
  const ProgramEnd shown = pitboss({"show", by_hand, "--games", "5", "--html", page});
  CAPTURE(shown.err);
  CHECK(shown.code == 0);
  CHECK(shown.out.empty());
  const std::string html = read_text(page);
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (auto at = html.find(what); at != std::string::npos; at = html.find(what, at + 1)) ++found;
    return found;
  };
  CHECK(count("<svg ") == 3);
  CHECK(count("class=\"changed\"") == 3);  // the targets
  CHECK(count("class=\"blue\"") == 7);     // the friends
  CHECK(count("class=\"red\"") == 0);
  // The anchor, its six neighbours, and one more for each of the two walks of two steps
  CHECK(count("class=\"cell\"") == 3 * 7 + 2);
  CHECK(html.find("+100.000") < html.find("-10.000"));
}

TEST_CASE("pitboss features init: what show can read, and writes over nothing") {
  const ScratchFolder folder;
  const std::string file = (folder / "sets/teeko.features").string();
  CHECK(pitboss({"init", "--game", "teeko", "--out", file}).out == file + ": 26 features\n");
  const ProgramEnd shown = pitboss({"show", file, "--games", "1"});
  CHECK(shown.out.starts_with("teeko, 26 features: "));
  const ProgramEnd again = pitboss({"init", "--game", "hex", "--out", file});
  CHECK(again.code == 2);
  CHECK(again.err == "pitboss: " + file + " exists; remove it, or name another file\n");
}

TEST_CASE("pitboss features: mistakes") {
  const ScratchFolder folder;
  const std::string bad = (folder / "bad.features").string();
  std::ofstream(bad) << "pitboss features 1\ngame hex\n1 to {}; friend {1/4}\n";
  struct Mistake {
    Words words;
    std::string says;
  };
  const std::vector<Mistake> mistakes{
      {{}, "expected init, or show and a file"},
      {{"grow"}, "there is no 'pitboss features grow'; known: init, show"},
      {{"show"}, "expected init, or show and a file"},
      {{"init", "--game", "hex"}, "--out must name a file"},
      {{"init", "--out", bad}, "--game NAME is missing"},
      {{"show", bad}, "line 3, column 18: expected a turn, a multiple of 1/6"},
      {{"show", folder.path().string()}, "it is not a regular file"},
      {{"show", (folder / "none").string()}, "No such file or directory"},
      {{"show", by_hand, "--games", "0"}, "--games must be at least 1"}};
  for (const Mistake& mistake : mistakes) {
    const ProgramEnd end = pitboss(mistake.words);
    CAPTURE(end.err);
    CHECK(end.code == 2);
    CHECK(end.err.find(mistake.says) != std::string::npos);
  }
}

TEST_CASE("a daemon's features: named by sessions, told and recorded by hash") {
  const ScratchFolder folder;
  std::filesystem::copy(by_hand, folder / "hand.features");
  std::ofstream(folder / "bad.features") << "pitboss features 1\ngame yavalath\n1 at {}\n";
  Daemon daemon({"--listen", "127.0.0.1:0", "--features", folder.path().string()});
  const std::string address = Daemon::address_of(daemon.output_line());
  Client client(Daemon::port_of("listening " + address + " connect4"));
  const auto ask = [&](const std::string& line) { return client.ask(line); };
  CHECK(ask("game yavalath") == "= \n\n");
  CHECK(ask("setoption simulations 50").starts_with("="));
  CHECK(ask("setoption evaluation playout").starts_with("="));
  CHECK(ask("setoption prior features").starts_with("="));
  CHECK(ask("genmove b") ==
        "? prior features needs a set of features: set the option features to its name\n\n");
  CHECK(ask("setoption features bad").starts_with("="));
  CHECK(ask("genmove b") ==
        "? features bad: line 3, column 3: expected a number from -1000000 to 1000000, not 'at "
        "{}'\n\n");
  CHECK(ask("setoption features ../hand").starts_with("?"));
  CHECK(ask("setoption features hnad").starts_with("="));
  CHECK(ask("genmove b") == "? there are no features 'hnad'; did you mean 'hand'?\n\n");
  CHECK(ask("setoption features hand").starts_with("="));
  CHECK(ask("genmove b").starts_with("= "));
  const auto told = nlohmann::json::parse(ask("last_search").substr(2));
  CHECK(told["features"]["name"] == "hand");
  CHECK(told["features"]["sha256"].get<std::string>().size() == 64);
  CHECK(told["moves"][0]["prior"].is_number());

  const std::string player = " evaluation=playout simulations=20 selection=puct";
  const ProgramEnd end = peers::ended(
      {tests::bin_folder() + "/pitboss", "referee", "--server", address, "--game", "yavalath",
       "--player", "name=A" + player + " features=hand prior=features playout=features", "--player",
       "name=B" + player, "--games", "4", "--out", (folder / "match").string()});
  CAPTURE(end.err);
  CHECK(end.code == 0);
  CHECK(end.out.find("failures   none") != std::string::npos);
  CHECK(read_text(folder / "match/report.html").find("features_sha256") != std::string::npos);
}

}  // namespace pitboss::clients
