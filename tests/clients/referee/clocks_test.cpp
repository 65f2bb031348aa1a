#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "clients/experiments/time_control.hpp"
#include "clients/referee/verify_games.hpp"
#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/running_server.hpp"

// Matches in which players have clocks.

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Peer;
using SteadyClock = std::chrono::steady_clock;

namespace {

/// A program with a clock. It thinks for 0.3 s a move if it `thinks-long`.
Player scripted(const std::string& name, Language language, const std::string& manner,
                const std::string& clock) {
  Player player;
  player.name = name;
  player.language = language;
  player.location = Program{{tests::bin_folder() + "/pitboss_scripted_engine",
                             std::string(name_of(language)), manner, "connect4"}};
  player.clock = parse_time_control(clock);
  return player;
}

Match match_of(const Player& one, const Player& other) {
  Match match;
  set_game(match, "connect4");
  match.players = {one, other};
  match.games = 2;
  return match;
}

/// The games of a match, which are sound.
std::vector<PlayedGame> games_of(const Match& match, const ScratchFolder& folder) {
  const PlayedMatch played(match, conduct_in(folder.path(), 1));
  CHECK(played.kind() == RunEnd::Kind::complete);
  const auto games = records_in(folder.path(), match);
  for (const PlayedGame& game : games) CHECK(fault_in(match, game).empty());
  REQUIRE(std::ssize(games) == match.games);
  return games;
}

/// What a player's clock showed after each of its moves behind the opening, in milliseconds.
std::vector<double> clocks_of(const PlayedGame& game, const std::string& player) {
  std::vector<double> out;
  const auto words = split(game.clocks);
  for (std::size_t i = game.seats[0] == player ? 0 : 1; i < words.size(); i += 2) {
    if (words[i] != "-") out.push_back(std::stod(words[i]));
  }
  return out;
}

}  // namespace

TEST_CASE("a program that exceeds its clock and the margin loses on time") {
  for (const Language language : {Language::gtp, Language::uci}) {
    CAPTURE(name_of(language));
    const ScratchFolder folder;
    // Its first move is in time, its second is not.
    Match match = match_of(scripted("slow", language, "thinks-long", "0.4+0.1"),
                           scripted("quick", Language::gtp, "has-kata-clock", "10"));
    if (language == Language::gtp) {
      match.players[0].clock = parse_time_control("1");  // GTP counts whole seconds
    }
    for (const PlayedGame& game : games_of(match, folder)) {
      CHECK(game.winner == "quick");
      CHECK(game.reason == "time forfeit");
      CHECK(game.result == (game.seats[0] == "slow" ? "W+T" : "B+T"));
      CHECK(clocks_of(game, "slow").size() >= 1);  // its first move was in time
      CHECK(std::ssize(split(game.clocks)) == game.plies);
      CHECK(game.latency == std::array{0.0, 0.0});
    }
    const std::string csv = read_text(folder.path() / "games.csv");
    CHECK(csv.find(",W+T,1,0,time forfeit,") == std::string::npos);  // slow is the first player
    CHECK(csv.find(",W+T,0,1,time forfeit,") != std::string::npos);
    const auto summary = nlohmann::json::parse(read_text(folder.path() / "summary.json"));
    CHECK(summary["failures"] == 2);
    const auto& player = summary["matches"][0]["players"][0];
    CHECK(player["failure_kinds"] == nlohmann::json{{"time forfeit", 2}});
    CHECK(player["tc"] == text_of(*match.players[0].clock));
    const std::string report = read_text(folder.path() / "report.html");
    CHECK(report.find("time forfeit") != std::string::npos);
  }
}

TEST_CASE("a move may exceed the clock by the margin") {
  const ScratchFolder folder;
  Match match = match_of(scripted("slow", Language::uci, "thinks-long", "0.25+0.25"),
                         scripted("quick", Language::uci, "plays", "10"));
  match.time_margin = 250ms;
  match.max_plies = 6;
  for (const PlayedGame& game : games_of(match, folder)) {
    CHECK(game.reason == "length");
    // What a move takes beyond its clock is owed.
    for (const double left : clocks_of(game, "slow")) CHECK((left > 0 && left < 250));
    CHECK(clocks_of(game, "slow").size() == 2);
  }
}

TEST_CASE("a program that never answers loses on time, and the next game is played") {
  const ScratchFolder folder;
  const Match match = match_of(scripted("stuck", Language::gtp, "stalls", "1"),
                               scripted("quick", Language::gtp, "plays", "10"));
  const auto begun = SteadyClock::now();
  for (const PlayedGame& game : games_of(match, folder)) CHECK(game.reason == "time forfeit");
  CHECK(SteadyClock::now() - begun < 60s);  // not the time for a move without a clock
}

TEST_CASE("what programs are told of their clocks") {
  /// The last lines that the first player was sent before it fell silent.
  const auto told = [](const Player& one, const Player& other) {
    const ScratchFolder folder;
    const Match match = match_of(one, other);
    games_of(match, folder);
    std::string lines;
    for (const Incident& incident : incidents_in(folder.path(), match)) lines += incident.excerpt;
    return lines;
  };
  const auto has = [](const std::string& lines, const std::string& line) {
    return lines.find(line) != std::string::npos;
  };
  const Player other = scripted("other", Language::gtp, "plays", "9+2");
  const std::string uci = told(scripted("stuck", Language::uci, "stalls", "3/0.5"), other);
  CHECK(has(uci, "> go wtime 500 btime 9000 winc 0 binc 0 movestogo 3\n"));
  const std::string gtp = told(scripted("stuck", Language::gtp, "stalls", "1+1"), other);
  CHECK(has(gtp, "> time_settings 1 0 0\n"));
  CHECK(has(gtp, "> time_left b 1 0\n> genmove b\n"));
}

TEST_CASE("an engine that tells its time is judged by it, and its latency is told beside") {
  const ScratchFolder folder;
  const Peer far({.lateness = 300ms, .move_time = "0.01"});
  const Peer slow({.lateness = 300ms, .move_time = "0.4"});
  Match match = match_between(far, slow, "connect4", 1);
  for (Player& player : match.players) player.clock = parse_time_control("0.2+0.01");
  for (const PlayedGame& game : games_of(match, folder)) {
    CHECK(game.winner == "A");  // 0.3 s late, but not by its own fault
    CHECK(game.reason == "time forfeit");
    CHECK(game.seconds[0] < 0.1);
    if (game.seats[0] == "A") CHECK(game.latency[0] > 0.28);
    CHECK(game.seconds[1] >= 0.3);  // no more than the referee has seen
    CHECK(game.seconds[1] <= 0.4);
  }
}

TEST_CASE("our engines keep to every kind of clock") {
  tests::RunningServer server;
  for (const char* clock : {"0.5+0.02", "1.5", "5/0.3", "0.3+0.1s:2", "0.3+0.2/3"}) {
    CAPTURE(clock);
    Match match;
    set_game(match, "connect4");
    for (const int i : {0, 1}) {
      match.players[i] = parse_player(
          std::string("name=") + (i == 0 ? "A" : "B") + (i == 0 ? " k=0.5" : "") + " tc=" + clock,
          {{"127.0.0.1", server.port()}});
    }
    match.games = 2;
    std::vector<PlayedGame> games;
    for (int tries = 0; tries < 5; ++tries) {  // other programs may have the processor
      const ScratchFolder folder;
      games = games_of(match, folder);
      if (std::ranges::count(games, "rules", &PlayedGame::reason) == 2) break;
    }
    for (const PlayedGame& game : games) {
      CHECK(game.reason == "rules");
      CHECK(std::ssize(split(game.clocks)) == game.plies);
      CHECK(game.latency[0] > 0);
      // They use it: much more than 5000 simulations take.
      CHECK(game.seconds[0] > 0.1);
    }
  }
}

}  // namespace pitboss::clients
