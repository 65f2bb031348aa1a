#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/text_file.hpp"
#include "clients/referee/verify_games.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/daemon.hpp"

// Ctrl-Z, a frozen container, Slurm's suspension: the referee, an engine, the daemon or all of them
// are stopped for longer than any player's time in the midst of a match.

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Process;

namespace {

/// What time decides about a move.
enum class Bound { clock, move_limit, simulations };
enum class Who { referee, engine, daemon, all };

/// A match, who of it is stopped, and for how long.
struct Scenario {
  const char* name;
  Bound bound;
  Who who;
  bool has_programs = false;  ///< else both players are the daemon's
  bool is_duel = false;       ///< of the daemon's
  bool is_in_database = false;
  std::chrono::milliseconds stop = 5s;
};

struct Outcome {
  int code = -1;
  std::string errors;
  std::string csv;
  nlohmann::json summary;
  std::string faults;
};

bool is_engine(pid_t process) {
  const std::vector<std::string> words = peers::command_line(process);
  return !words.empty() && words.front().ends_with("scripted_engine");
}

std::vector<pid_t> stopped_in(const Scenario& scenario, const Process& referee,
                              const Process& daemon) {
  switch (scenario.who) {
    case Who::referee:
      return {referee.id()};
    case Who::daemon:
      return {daemon.id()};
    case Who::engine: {
      std::vector<pid_t> engines = peers::descendants(referee.id());
      std::erase_if(engines, [](pid_t one) { return !is_engine(one); });
      return engines;
    }
    case Who::all:
      break;
  }
  std::vector<pid_t> all = peers::descendants(referee.id());
  all.insert(all.begin(), referee.id());
  all.push_back(daemon.id());
  return all;
}

std::vector<std::string> command_of(const Scenario& scenario, const std::string& server,
                                    const std::string& database, const std::string& out) {
  std::string bounds = "simulations=300";
  if (scenario.bound == Bound::clock) bounds = scenario.has_programs ? "tc=3+0.3" : "tc=2+0.3";
  if (scenario.bound == Bound::move_limit && !scenario.has_programs) bounds = "movetime=100";
  if (scenario.bound == Bound::move_limit && scenario.has_programs) bounds = "nodes=1";
  const std::string program = "speaks=uci program='" + tests::bin_folder() +
                              "/pitboss_scripted_engine uci thinks-long connect4' ";
  const std::string how = scenario.has_programs ? program : "preset=uct ";
  std::vector<std::string> words{
      tests::bin_folder() + "/pitboss", "referee", "--game", "connect4", "--player",
      "name=one " + how + bounds,
      // A random option of its own, so that the second is another player.
      "--player", "name=two " + how + bounds + (scenario.has_programs ? " Hash=17" : " k=0.9"),
      // Every duel has them play the second half of a game by themselves.
      "--openings", "random:2", "--max-plies", scenario.has_programs ? "14" : "26", "--concurrency",
      "1", "--time-margin", "1", "--games", scenario.bound == Bound::simulations ? "40" : "2",
      "--out", out};
  if (!scenario.has_programs) words.insert(words.end(), {"--server", server});
  if (scenario.bound == Bound::move_limit)
    words.insert(words.end(), {"--move-timeout", scenario.has_programs ? "5" : "3"});
  if (!database.empty()) words.insert(words.end(), {"--ledger", database});
  return words;
}

/// Plays the match of a scenario, with two stops, or a long one; the second after the match has
/// gone on for a while.
Outcome outcome_of(const Scenario& scenario, const std::optional<ScratchServer>& database) {
  const ScratchFolder folder;
  tests::Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "1"});
  const std::string server = tests::Daemon::address_of(daemon.output_line());
  const std::string out = (folder / "match").string();
  const std::string url =
      scenario.is_in_database ? database->url() + "#" + std::string(scenario.name) : "";
  Process referee(command_of(scenario, server, url, out));
  for (int times = scenario.stop > 10s ? 1 : 2; times > 0; --times) {
    std::this_thread::sleep_for(2500ms);
    const auto all = stopped_in(scenario, referee, daemon);
    for (const pid_t one : all) ::kill(one, SIGSTOP);
    std::this_thread::sleep_for(scenario.has_programs ? 7s : scenario.stop);
    for (const pid_t one : all) ::kill(one, SIGCONT);
  }
  Outcome outcome;
  outcome.code = referee.wait(150s);
  outcome.errors = referee.errors();
  if (outcome.code != 0) return outcome;
  outcome.csv = read_text_file(folder / "match" / "games.csv");
  outcome.summary = nlohmann::json::parse(read_text_file(folder / "match" / "summary.json"));
  const Experiment experiment =
      url.empty() ? read_experiment(folder / "match")
                  : read_experiment(DatabasePlace(database->url(), scenario.name));
  const LedgerPlace place = url.empty()
                                ? LedgerPlace(folder / "match")
                                : LedgerPlace(DatabasePlace(database->url(), scenario.name));
  for (const auto& fault : faults_in(experiment, Ledger(place, experiment).played())) {
    outcome.faults += fault + "\n";
  }
  return outcome;
}

}  // namespace

TEST_CASE("time in which referee, engine, daemon or all of them stood still counts for nobody") {
  if (tests::sanitized) {
    MESSAGE("skipped: too slow with this sanitizer");
    return;
  }
  using enum Bound;
  std::optional<ScratchServer> database;
  if (ScratchServer::is_possible()) database.emplace();
  const std::vector<Scenario> scenarios{
      {"clock referee programs", clock, Who::referee, true},
      {"clock engine programs", clock, Who::engine, true},
      {"clock all programs", clock, Who::all, true},
      {"limit referee programs", move_limit, Who::referee, true},
      {"limit engine programs", move_limit, Who::engine, true},
      {"limit all programs", move_limit, Who::all, true},
      {"clock referee", clock, Who::referee},
      {"clock daemon", clock, Who::daemon},
      {"clock all", clock, Who::all, false, false, true},
      {"clock daemon long", clock, Who::daemon, false, false, false, 32s},
      {"limit referee duel", move_limit, Who::referee, false, true},
      {"limit daemon duel", move_limit, Who::daemon, false, true},
      {"limit all duel", move_limit, Who::all, false, true, true},
      {"simulations referee duel", simulations, Who::referee, false, true, true},
      {"simulations daemon duel", simulations, Who::daemon, false, true},
      {"simulations all duel", simulations, Who::all, false, true},
  };
  std::vector<Outcome> outcomes(scenarios.size());
  // Daemons that search leave programs no processor.
  for (const bool has_programs : {true, false}) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      if (scenarios[i].has_programs != has_programs) continue;
      if (scenarios[i].is_in_database && !database) continue;
      threads.emplace_back([&, i] { outcomes[i] = outcome_of(scenarios[i], database); });
    }
  }
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const Scenario& scenario = scenarios[i];
    if (scenario.is_in_database && !database) continue;
    const Outcome& outcome = outcomes[i];
    CAPTURE(scenario.name);
    CAPTURE(outcome.errors);
    CAPTURE(outcome.csv);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.summary["failures"] == 0);
    CHECK(outcome.faults.empty());
    for (const char* loss : {"time forfeit", "no answer", "connection closed"}) {
      CHECK(outcome.csv.find(loss) == std::string::npos);
    }
    // Of programs that think most of the time somebody was at it, and the game does not count.
    const bool is_told = outcome.errors.find("it is played again") != std::string::npos;
    if (scenario.has_programs && scenario.bound == clock) CHECK(is_told);
    if (scenario.who == Who::engine) {
      CHECK(outcome.errors.find("its program was stopped; it is played again") !=
            std::string::npos);
    }
    if (scenario.bound == simulations) CHECK_FALSE(is_told);
  }
}

}  // namespace pitboss::clients
