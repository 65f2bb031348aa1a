#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "clients/results/record_files.hpp"
#include "games/any_game.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/text.hpp"
#include "tests/timing.hpp"

namespace pitboss::clients {

using nlohmann::json;
using peers::ProgramEnd;
namespace {

namespace fs = std::filesystem;

ProgramEnd league(const Words& words) { return peers::ended(command("league", words)); }

using tests::contains;

std::string player(const std::string& name, int simulations) {
  return "[[player]]\nname = \"" + name +
         "\"\noptions = { simulations = " + std::to_string(simulations) + " }\n";
}

/// A league's file: small games between players who differ in simulations.
class LeagueText {
 public:
  explicit LeagueText(std::string server)
      : head_("name = \"small\"\ngame = \"hex size=4\"\nseed = 3\n"),
        tail_("[options]\npreset = \"uct\"\nexact = \"off\"\n[[server]]\naddress = \"" + server +
              "\"\n") {}

  [[nodiscard]] std::string with(const std::string& players,
                                 const std::string& anchors = "a = 100") const {
    return head_ + "[league]\nanchors = { " + anchors + " }\n" + tail_ + players;
  }

 private:
  std::string head_;
  std::string tail_;
};

/// All games of a ledger, without the seconds.
std::string games_in(const LedgerPlace& place) {
  const Experiment experiment = read_experiment(place);
  const LedgerContents contents = read_contents(Ledger(place, experiment), experiment);
  const ScratchFolder folder;
  const fs::path file = folder / "games.csv";
  write_text(file, games_csv(contents));
  return text_without_seconds(file);
}

/// How many games of a ledger are on record.
std::int64_t games(const LedgerPlace& place) {
  const Experiment experiment = read_experiment(place);
  return Ledger(place, experiment).games();
}

/// The same while a league may add matches between two looks at it.
std::int64_t games_so_far(const LedgerPlace& place) {
  for (;;) {
    try {
      return games(place);
    } catch (const UserError&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

/// By name, at one game.
std::map<std::string, json> ratings_in(const fs::path& folder) {
  std::map<std::string, json> out;
  const json page = json::parse(read_text(folder / "league.json"));
  for (const json& row : page.at("ratings")) out[row.at("player")] = row;
  return out;
}

}  // namespace

TEST_CASE("pitboss league: killed and continued, a player comes and one retires") {
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "2"});
  const LeagueText text(tests::Daemon::address_of(daemon.output_line()));
  const fs::path file = folder / "league.toml";
  const std::string three = player("a", 20) + player("b", 60) + player("c", 200);
  write_text(file, text.with(three));
  const auto words = [&](const fs::path& place, const std::string& games) {
    return Words{place.string(), "--experiment", file.string(), "--games", games, "--within", "1"};
  };
  const fs::path undisturbed = folder / "undisturbed";
  const ProgramEnd end = league(words(undisturbed, "60"));
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  CHECK(contains(end.out, "league.html"));
  CHECK(games(undisturbed) == 60);
  auto ratings = ratings_in(undisturbed);
  REQUIRE(ratings.size() == 3);
  CHECK(ratings["a"].at("elo") == 100);
  CHECK(ratings["a"].at("state") == "anchor");
  CHECK(ratings["c"].at("elo") > ratings["a"].at("elo"));
  CHECK(ratings["c"].at("elo_low") < ratings["c"].at("elo"));
  const std::string page = read_text(undisturbed / "league.html");
  for (const char* const part : {"Ratings over the games", "openings", "Who has played"}) {
    CHECK(contains(page, part));
  }
  CHECK_FALSE(contains(page, "too few games"));  // in the history
  const json first = json::parse(read_text(undisturbed / "league.json")).at("ratings").at(0);
  CHECK(first.at("lead") > 0);
  CHECK(first.at("los") > 0.5);
  const json last = json::parse(read_text(undisturbed / "league.json")).at("ratings").at(2);
  for (const char* const key : {"lead", "lead_low", "lead_high", "los"}) {
    CHECK(last.at(key).is_null());  // below it is nobody
  }
  const json pairs = json::parse(read_text(undisturbed / "league.json")).at("differences");
  REQUIRE(pairs.size() == 3);
  for (const char* const key : {"player", "against", "elo", "elo_low", "elo_high", "los"}) {
    CHECK(pairs.at(0).contains(key));
  }
  CHECK(pairs.at(0).at("elo") == first.at("lead"));

  // Games do not depend on how many are played at once, nor on what is killed.
  const fs::path killed = folder / "killed";
  peers::Process program(command("league", words(killed, "60")));
  while (!fs::exists(killed / "ledger.sqlite")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  program.signal(SIGKILL);
  CHECK(program.wait() == 128 + SIGKILL);
  Words again = words(killed, "1");
  again.insert(again.end(), {"--concurrency", "1"});
  while (games(killed) < games(undisturbed)) REQUIRE(league(again).code == 0);
  CHECK(games_in(killed) == games_in(undisturbed));

  // Nor on where it has ended before; a game more is a round more.
  const fs::path parts = folder / "parts";
  for (const auto& [more, all] : {std::pair("1", 2), {"3", 6}, {"25", 32}, {"28", 60}}) {
    REQUIRE(league(words(parts, more)).code == 0);
    CHECK(games(parts) == all);
  }
  CHECK(games_in(parts) == games_in(undisturbed));

  // c retires, d comes; c's games still count.
  write_text(file, text.with(player("a", 20) + player("b", 60) + player("d", 100)));
  const auto before = ratings["c"].at("games");
  const ProgramEnd grown = league(words(undisturbed, "40"));
  CAPTURE(grown.err);
  REQUIRE(grown.code == 0);
  CHECK(games(undisturbed) == 100);
  CHECK(contains(grown.err, "retired: c at hex"));
  ratings = ratings_in(undisturbed);
  CHECK(ratings.size() == 4);
  CHECK(ratings["c"].at("state") == "retired");
  CHECK(ratings["c"].at("games") == before);
  CHECK(ratings["d"].at("games") > 10);

  // The page alone; and an interval that is narrow enough.
  const std::int64_t all = games(undisturbed);
  CHECK(league(words(undisturbed, "0")).code == 0);
  Words narrow = words(undisturbed, "1000");
  narrow.back() = "2000";
  CHECK(league(narrow).code == 0);
  CHECK(games(undisturbed) == all);

  // Ctrl-C ends it with the rounds in play, and a page of all that is on record. After what is left
  // of a batch of 5 rounds come those of a slow player.
  write_text(file, text.with(player("a", 20) + player("b", 60) + player("e", 20'000)));
  peers::Process stopped(command("league", words(undisturbed, "100000")));
  while (games_so_far(undisturbed) <= all + 10)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  stopped.signal(SIGINT);
  CHECK(stopped.wait() == 130);
  CHECK(json::parse(read_text(undisturbed / "league.json")).at("games") == games(undisturbed));

  // So it does where the rounds in play are the whole batch.
  const fs::path slow = folder / "slow";
  write_text(file, text.with(player("a", 20) + player("b", 20'000)));
  peers::Process early(command("league", words(slow, "100000")));
  while (!fs::exists(slow / "ledger.sqlite")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  early.signal(SIGINT);
  CHECK(early.wait() == 130);
  write_text(file, text.with(player("a", 20) + player("b", 60) + player("d", 100)));

  // c comes back, from a file of its own, and is who it was.
  const fs::path more = folder / "more.toml";
  write_text(more, text.with(player("c", 200)));
  Words both = words(undisturbed, "2");
  both.insert(both.end(), {"--experiment", more.string()});
  const ProgramEnd back = league(both);
  CAPTURE(back.err);
  CHECK(back.code == 0);
  CHECK(ratings_in(undisturbed)["c"].at("state") == "");

  // A server that is gone, during a batch or between two, ends it with a page of all on record.
  Words lost = words(undisturbed, "100000");
  lost.insert(lost.end(), {"--reconnect-seconds", "1"});
  const std::int64_t known = games(undisturbed);
  peers::Process left(command("league", lost));
  while (games_so_far(undisturbed) == known)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  daemon.signal(SIGKILL);
  CHECK(left.wait() == 1);
  CHECK(json::parse(read_text(undisturbed / "league.json")).at("games") == games(undisturbed));
}

TEST_CASE("pitboss league: in a database it is the league in a folder") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "2"});
  const LeagueText text(tests::Daemon::address_of(daemon.output_line()));
  const fs::path file = folder / "league.toml";
  const std::string two = player("a", 20) + player("b", 60);
  write_text(file, text.with(two + player("c", 200)));
  const auto words = [&](const std::string& place, const std::string& games) {
    return Words{place, "--experiment", file.string(), "--games", games, "--within", "1"};
  };
  const std::string in_folder = (folder / "league").string();
  REQUIRE(league(words(in_folder, "40")).code == 0);

  const std::string url = shared_server().url();
  const ProgramEnd homeless = league(words(url, "40"));
  CHECK(homeless.code == 2);
  CHECK(contains(homeless.err, "--out DIR, the folder for the page, is missing"));
  const auto in_database = [&](const std::string& place, const std::string& games) {
    Words all = words(place, games);
    all.insert(all.end(), {"--out", (folder / "page").string()});
    return all;
  };
  // Without a name of its own it has the file's.
  const DatabasePlace place(url, "small");
  peers::Process program(command("league", in_database(url, "40")));
  REQUIRE(tests::eventually([&] { return has_ledger(place) && games_so_far(place) > 0; }));
  program.signal(SIGKILL);
  CHECK(program.wait() == 128 + SIGKILL);
  const auto left = 40 - games(place);
  REQUIRE(league(in_database(url + "#small", std::to_string(left))).code == 0);
  CHECK(games(place) == 40);
  CHECK(games_in(place) == games_in(fs::path(in_folder)));
  CHECK(ratings_in(folder / "page") == ratings_in(in_folder));

  // Who has retired stays, and another league has another name.
  write_text(file, text.with(two));
  const ProgramEnd smaller = league(in_database(url, "2"));
  CHECK(contains(smaller.err, "retired: c at hex"));
  CHECK(games(place) == 42);
  CHECK(ratings_in(folder / "page")["c"].at("state") == "retired");
  write_text(file, text.with(player("a", 20) + player("b", 61)));
  CHECK(contains(league(in_database(url, "2")).err, "b is another player at hex than the one in"));
  CHECK(league(in_database(url + "#another", "2")).code == 0);
  CHECK(games(DatabasePlace(url, "another")) == 2);
  CHECK(games(place) == 42);
}

TEST_CASE("pitboss league: each mistake has its sentence, and changes nothing") {
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0"});
  const std::string server = tests::Daemon::address_of(daemon.output_line());
  const LeagueText text(server);
  const fs::path file = folder / "league.toml";
  const std::string two = player("a", 10) + player("b", 20);
  const fs::path place = folder / "league";
  const auto refusal = [&](const std::string& content, Words more = {}) {
    write_text(file, content);
    Words words{place.string(), "--experiment", file.string(), "--games", "2"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramEnd end = league(words);
    CHECK(end.code == 2);
    CHECK(end.out == "");
    return end.err;
  };
  CHECK(contains(refusal(text.with(two, "aa = 0")),
                 "league.toml, line 5, aa: there is no such player; known: a, b"));
  CHECK(contains(refusal(text.with(two, "a = true")), "league.toml, line 5, a: "));
  CHECK(contains(refusal(text.with("")), "\"player\" is missing"));
  CHECK(contains(refusal(text.with(two + player("a", 30))), "two players are called \"a\""));
  CHECK(contains(refusal(text.with(two), {"--within", "0"}), "--within must be above 0"));
  CHECK(contains(league({place.string(), "--experiment", file.string(), "--games", "-1"}).err,
                 "--games must be from 0"));
  CHECK(contains(refusal(LeagueText("127.0.0.1:1").with(two)), "no daemon at 127.0.0.1:1"));
  CHECK(contains(league({place.string()}).err, "--experiment is missing"));
  CHECK(contains(league({}).err, "expected one place"));
  // Without games there is no page either.
  CHECK(league({place.string(), "--experiment", file.string(), "--games", "0"}).code == 0);
  CHECK_FALSE(fs::exists(place));

  const fs::path more = folder / "more.toml";
  write_text(more, text.with(player("a", 30)));
  CHECK(contains(
      refusal(text.with(two), {"--experiment", more.string()}),
      "two players are called \"a\", and differ at hex: options simulations is \"30\", and "
      "was \"10\"; give one another name"));

  // What others have written stays.
  fs::create_directory(place);
  write_text(place / "notes", "mine");
  CHECK(contains(refusal(text.with(two)), "has files, and no league: name a new folder"));
  fs::remove(place / "notes");

  REQUIRE(league({place.string(), "--experiment", file.string(), "--games", "4"}).code == 0);
  const std::string before = games_in(place);
  CHECK(contains(refusal(text.with(player("a", 10) + player("b", 30))),
                 "b is another player at hex than the one in the league of " + place.string() +
                     ": options simulations is \"30\", and was \"20\"; give it another name"));
  CHECK(contains(refusal("max_plies = 9\n" + text.with(two)),
                 "holds no league of this file: at hex max_plies is 9, and was 0"));
  std::string reseeded = text.with(two);
  reseeded.replace(reseeded.find("seed = 3"), 8, "seed = 4");
  CHECK(contains(refusal(reseeded), "at hex the seed is another one; choose another place"));
  CHECK(games_in(place) == before);

  // An experiment of the referee is none.
  const fs::path match = folder / "match";
  REQUIRE(peers::ended({tests::bin_folder() + "/pitboss", "referee", "--server", server, "--game",
                        "hex size=4", "--games", "2", "--player", "name=a simulations=5",
                        "--player", "name=b simulations=6", "--out", match.string()})
              .code == 0);
  write_text(file, text.with(player("c", 1) + player("d", 2), "c = 0"));
  const ProgramEnd other = league({match.string(), "--experiment", file.string()});
  CHECK(other.code == 2);
  CHECK(contains(other.err, "holds no league of this file"));
}

TEST_CASE("pitboss league: a player that only breaks down ends it, until it is taken out") {
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0"});
  const LeagueText text(tests::Daemon::address_of(daemon.output_line()));
  const fs::path file = folder / "league.toml";
  // Answers what is asked before the first game, and crashes when a move is.
  const std::string broken =
      "[[player]]\nname = \"broken\"\nspeaks = \"gtp\"\nprogram = [\"" + tests::bin_folder() +
      "/pitboss_scripted_engine\", \"gtp\", \"crashes\", \"hex\", \"size=4\"]\n";
  const std::string two = player("a", 10) + player("b", 20);
  write_text(file, text.with(two + broken));
  const Words words{(folder / "league").string(),
                    "--experiment",
                    file.string(),
                    "--games",
                    "60",
                    "--within",
                    "1"};
  const ProgramEnd end = league(words);
  CHECK(end.code == 1);
  CHECK(contains(end.err, "stopped: broken cannot go on at hex"));
  CHECK(contains(end.err, "take it out of the file"));
  CHECK(league(words).code == 1);
  write_text(file, text.with(two));
  const ProgramEnd without = league(words);
  CAPTURE(without.err);
  CHECK(without.code == 0);
  CHECK(ratings_in(folder / "league")["broken"].at("state") == "retired");
}

TEST_CASE("pitboss league: our own has forty players, and all games") {
  const ScratchFolder folder;
  const std::string file = tests::data_folder() + "/league.toml";
  const ProgramEnd end =
      league({(folder / "league").string(), "--experiment", file, "--games", "0"});
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  std::set<std::string> names;
  std::set<std::string> players;
  const LeagueFile read = read_league_file(file);
  for (const LeagueFile::Game& game : read.games) {
    names.insert(game.match.game);
    for (const Player& player : game.players) {
      players.insert(player.name);
      CHECK(contains(end.out, player.name));
    }
  }
  CHECK(names.size() == games::game_names().size());
  CHECK(players.size() >= 40);
}

}  // namespace pitboss::clients
