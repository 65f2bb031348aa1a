#include <doctest/doctest.h>
#include <algorithm>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "clients/referee/verify_games.hpp"
#include "games/random.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/phoenix.hpp"
#include "tests/timing.hpp"

// The complaint about match tools is lost and double-counted games: here everything is killed.

namespace pitboss::clients {

using peers::Process;
using tests::eventually;
using tests::Phoenix;

namespace {

std::vector<std::string> parts(const std::string& text, char between) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) out.push_back(part);
  if (text.empty() || text.back() == between) out.emplace_back();
  return out;
}

std::string joined(const std::vector<std::string>& parts, char between) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != parts.data()) out += between;
    out += part;
  }
  return out;
}

/// A line of games.csv with what each player's last move was worth and has taken as in `whole`,
/// where it is untold: a server that dies right after such a move does not tell.
std::string without_untold(const std::string& line, const std::string& whole) {
  std::vector<std::string> fields = parts(line, ',');
  const std::vector<std::string> told = parts(whole, ',');
  constexpr std::size_t figures = 3;  // values, and each player's simulations
  constexpr std::size_t players = 2;
  if (fields.size() != told.size() || fields.size() < figures) return line;
  for (std::size_t i = fields.size() - figures; i < fields.size(); ++i) {
    std::vector<std::string> moves = parts(fields[i], ' ');
    const std::vector<std::string> all = parts(told[i], ' ');
    if (moves.size() + 1 == all.size()) moves.emplace_back("-");
    if (moves.size() != all.size()) continue;
    for (std::size_t move = moves.size() - std::min(players, moves.size()); move < moves.size();
         ++move) {
      if (moves[move] == "-") moves[move] = all[move];
    }
    fields[i] = joined(moves, ' ');
  }
  return joined(fields, ',');
}

/// Plays a match once undisturbed by one referee, and again while daemons and its referee are
/// killed, or in a database its three referees and the server: what they record must be the same. A
/// match may be over before all kills are made, on a machine where games are quick and starts slow:
/// then there is another one.
void kill_everything(const std::optional<ScratchServer>& server) {
  constexpr int games = 400;
  constexpr std::size_t all_rounds = games / 2;
  constexpr int kills = 60;
  // Games go on while a database is away, and must not be over when it is back.
  const std::string simulations = server ? "6000" : "1500";
  const std::string pitboss = (std::filesystem::path(tests::bin_folder()) / "pitboss").string();
  const ScratchFolder folder;
  Phoenix daemons[2];
  const auto command = [&](const std::string& out) {
    std::vector<std::string> words{pitboss,
                                   "referee",
                                   "--server",
                                   daemons[0].address(),
                                   "--server",
                                   daemons[1].address(),
                                   "--game",
                                   "connect4",
                                   "--player",
                                   "name=A novelty=pseudocount simulations=" + simulations,
                                   "--player",
                                   "name=B simulations=" + simulations,
                                   "--games",
                                   std::to_string(games),
                                   "--seed",
                                   "11",
                                   "--concurrency",
                                   "4",
                                   "--reconnect-seconds",
                                   "300",
                                   "--out",
                                   (folder / out).string()};
    if (server && out != "whole") {
      words.insert(words.end(), {"--ledger", server->url() + "#" + out.substr(0, out.find(' '))});
    }
    return words;
  };
  REQUIRE(Process(command("whole")).wait() == 0);
  const Experiment experiment = read_experiment(folder / "whole");

  games::Random random(3);
  const auto sleep_up_to = [&](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(milliseconds + 1)));
  };
  int kill = 0;
  int server_kills = 0;
  int daemon_kills = 0;
  int referee_kills = 0;
  for (int match = 1; kill < kills; ++match) {
    CAPTURE(match);
    const std::string killed = "killed" + std::to_string(match);
    const std::vector<std::string> names =
        server ? std::vector<std::string>{killed, killed + " 2", killed + " 3"}
               : std::vector<std::string>{killed};
    LedgerPlace place = folder / killed;
    if (server) place = DatabasePlace(server->url(), killed);
    const auto rounds = [&] { return Ledger(place, experiment).played().size(); };
    // Whether each referee is past the questions that it asks the daemons first: it has entered.
    std::vector<std::set<std::string>> earlier(names.size());  // the ids before each was started
    const auto are_at_work = [&] {
      std::size_t count = 0;
      for (const RefereeEntry& entry : Ledger(place, experiment).referees()) {
        for (std::size_t i = 0; i < names.size(); ++i) {
          if (entry.name.ends_with("/" + names[i]) && !earlier[i].contains(entry.id)) ++count;
        }
      }
      return count == names.size() || rounds() == all_rounds;
    };
    std::vector<std::unique_ptr<Process>> referees;
    for (const std::string& name : names) {
      referees.push_back(std::make_unique<Process>(command(name)));
    }
    REQUIRE(eventually([&] { return has_ledger(place); }));
    std::size_t before = 0;  // rounds in the ledger at the last kill
    const auto await_more = [&] {
      REQUIRE(eventually([&] { return rounds() > before && are_at_work(); }));
      sleep_up_to(20);
    };
    for (; kill < kills && before < all_rounds; ++kill) {
      const int target = random.below(3);
      if (server && kill % 10 == 5) {
        await_more();
        ++server_kills;
        server->kill();
        server->rise();
      } else if (target < 2) {
        await_more();
        ++daemon_kills;
        daemons[target].kill();
        sleep_up_to(20);
        daemons[target].rise();
      } else {
        sleep_up_to(150);
        ++referee_kills;
        const int signal = random.below(3) == 0 ? SIGTERM : SIGKILL;
        const int number = random.below(static_cast<int>(names.size()));
        auto& referee = referees[number];
        referee->signal(signal);
        const int code = referee->wait();
        CAPTURE(referee->errors());
        const bool is_by_signal = code == 128 + signal || (signal == SIGTERM && code == 130);
        CHECK((is_by_signal || (code == 0 && rounds() == all_rounds)));
        for (const RefereeEntry& entry : Ledger(place, experiment).referees()) {
          earlier[number].insert(entry.id);
        }
        referee = std::make_unique<Process>(command(names[number]));
      }
      before = rounds();
    }
    for (const auto& referee : referees) {
      CHECK(referee->wait() == 0);
      CAPTURE(referee->errors());
      CHECK(referee->errors().find("taken over") == std::string::npos);
    }
    CHECK(Process(command(killed)).wait() == 0);

    for (const std::string& name : names) {
      for (const char* file : {"games.csv", "summary.json"}) {
        std::istringstream got(text_without_seconds(folder / name / file));
        std::istringstream whole(text_without_seconds(folder / "whole" / file));
        std::string line;
        for (std::string expected; std::getline(whole, expected);) {
          std::getline(got, line);
          CHECK(without_untold(line, expected) == expected);
        }
        CHECK_FALSE(std::getline(got, line));
      }
    }
    const auto played = Ledger(place, experiment).played();
    CHECK(played.size() == all_rounds);
    CHECK(faults_in(experiment, played).empty());
    for (const PlayedRound& round : played) {
      CHECK(round.begun > 0);
      CHECK(round.ended >= round.begun);
      for (const PlayedGame& game : round.games) CHECK_FALSE(game.values.empty());
    }
  }
  CHECK(server_kills == (server ? 6 : 0));
  CHECK(daemon_kills > 20);
  CHECK(referee_kills > 10);
}

}  // namespace

TEST_CASE("check 14: 400 games are counted once each, whatever is killed when") {
  if (tests::sanitized) {
    MESSAGE("skipped: too slow with this sanitizer");
    return;
  }
  kill_everything({});
}

TEST_CASE(
    "check 14: 400 games of three referees are counted once each, their database killed, too") {
  if (tests::sanitized) {
    MESSAGE("skipped: too slow with this sanitizer");
    return;
  }
  if (!ScratchServer::is_possible()) return;
  std::optional<ScratchServer> server;
  server.emplace();
  kill_everything(server);
}

}  // namespace pitboss::clients
