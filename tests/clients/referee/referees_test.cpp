#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/open_store.hpp"
#include "clients/referee/verify_games.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"

// Several referees that play one experiment.

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Manner;
using peers::Peer;
using Kind = RunEnd::Kind;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Referees of one experiment in a database, each on a thread of its own.
class Referees {
 public:
  Referees(const Experiment& experiment, const std::string& name)
      : experiment_(experiment), place_(shared_server().url(), name) {}

  void start(std::chrono::milliseconds patience = 30s) {
    const std::size_t number = notes_.size();
    notes_.emplace_back();
    kinds_.push_back(Kind::stopped);
    errors_.emplace_back();
    threads_.emplace_back([this, number, patience] {
      Conduct conduct = conduct_in(folder_ / std::to_string(number), 4);
      conduct.database = place_;
      conduct.patience = patience;
      conduct.on_note = [this, number](const std::string& text) {
        const std::scoped_lock lock(mutex_);
        notes_[number] += text + "\n";
      };
      std::string error = error_of([&] {
        const RunEnd end = run_experiment(experiment_, conduct);
        kinds_[number] = end.kind;
        write_records(conduct.folder, end.contents);
      });
      errors_[number] = std::move(error);
    });
  }
  /// Waits for all to end.
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  [[nodiscard]] std::string notes(std::size_t number) {
    const std::scoped_lock lock(mutex_);
    return notes_[number];
  }
  [[nodiscard]] Kind kind(std::size_t number) const { return kinds_[number]; }
  [[nodiscard]] const std::string& error(std::size_t number) const { return errors_[number]; }
  [[nodiscard]] const DatabasePlace& place() const { return place_; }
  [[nodiscard]] std::filesystem::path folder(std::size_t number) const {
    return folder_ / std::to_string(number);
  }

 private:
  const Experiment& experiment_;
  DatabasePlace place_;
  ScratchFolder folder_;
  std::mutex mutex_;
  // No entry may move while its referee runs.
  std::deque<std::string> notes_;
  std::deque<Kind> kinds_;
  std::deque<std::string> errors_;
  std::deque<std::thread> threads_;
};

/// Waits until something holds; fails if it does not.
template <class Holds>
void await(const Holds& holds) {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!holds()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(5ms);
  }
}

}  // namespace

TEST_CASE("three referees share the rounds of two matches; the records are those of one") {
  if (!ScratchServer::is_possible()) return;
  const Peer a({.lateness = 1ms});
  const Peer b({.manner = Manner::crashes, .one_in = 5, .from_ply = 6});
  Experiment experiment;
  experiment.matches = {match_between(a, b, "connect4", 30), match_between(a, a, "connect4", 30)};
  experiment.matches[1].players[1].name = "C";
  const ScratchFolder alone;
  write_records(alone.path(), run_experiment(experiment, conduct_in(alone.path(), 4)).contents);

  Referees referees(experiment, "three");
  for (int i = 0; i < 3; ++i) referees.start();
  referees.join();
  for (const std::size_t i : {0, 1, 2}) {
    CHECK(referees.error(i) == "");
    CHECK(referees.kind(i) == Kind::complete);
    CHECK(referees.notes(i).find("taken over") == std::string::npos);
    for (const char* file : {"games.csv", "summary.json"}) {
      CHECK(text_without_seconds(referees.folder(i) / file) == text_without_seconds(alone / file));
    }
  }
  const Ledger ledger(referees.place(), experiment);
  CHECK(ledger.faults().empty());
  const auto played = ledger.played();
  CHECK(faults_in(experiment, played).empty());
  int rounds = 0;
  for (const RefereeEntry& referee : ledger.referees()) {
    CHECK(referee.rounds > 0);
    CHECK(referee.has_left);
    CHECK(referee.held == 0);
    CHECK(std::ranges::count(played, referee.id, &PlayedRound::referee) == referee.rounds);
    rounds += referee.rounds;
  }
  CHECK(rounds == 60);
}

TEST_CASE("a decided match stops all referees, after the games that one would have played") {
  if (!ScratchServer::is_possible()) return;
  const Peer good({.lateness = 2ms});
  const Peer bad({.manner = Manner::plays_illegal});
  Experiment experiment;
  experiment.matches = {match_between(good, bad, "connect4", 5000)};
  experiment.sprt = SprtPlan{.elo0 = 0, .elo1 = 20};
  const ScratchFolder alone;
  const RunEnd of_one = run_experiment(experiment, conduct_in(alone.path(), 4));
  Referees referees(experiment, "sprt");
  for (int i = 0; i < 3; ++i) referees.start();
  referees.join();
  for (const std::size_t i : {0, 1, 2}) {
    CHECK(referees.error(i) == "");
    CHECK(referees.kind(i) == Kind::complete);
  }
  const LedgerContents contents = read_contents(Ledger(referees.place(), experiment), experiment);
  const MatchResults& match = contents.results.matches()[0];
  CHECK(match.verdict() == SprtVerdict::accept_elo1);
  CHECK(match.standings().games() == of_one.contents.results.matches()[0].standings().games());
  CHECK(match.standings().games() < 5000);
  CHECK(match.games_beyond() < 1000);
}

TEST_CASE("a paused experiment waits, with all its referees, and goes on") {
  if (!ScratchServer::is_possible()) return;
  const Peer peer({.lateness = 5ms});
  Experiment experiment;
  experiment.matches = {match_between(peer, peer, "connect4", 40)};
  Referees referees(experiment, "paused run");
  for (int i = 0; i < 2; ++i) referees.start(1s);
  await([&] { return has_ledger(referees.place()); });
  Ledger ledger(referees.place(), experiment);
  await([&] { return !ledger.played().empty(); });
  ledger.set_paused(true);
  await([&] {
    return has(referees.notes(0), "is paused: finishing") &&
           has(referees.notes(1), "is paused: finishing");
  });
  std::size_t rounds = 0;
  await([&] {
    rounds = ledger.played().size();
    std::this_thread::sleep_for(300ms);  // longer than a game
    return ledger.played().size() == rounds;
  });
  CHECK(rounds < 40);
  std::this_thread::sleep_for(1s);
  CHECK(ledger.played().size() == rounds);
  for (const RefereeEntry& referee : ledger.referees()) {
    CHECK_FALSE(referee.has_left);
    CHECK(referee.silence < 1s);
  }
  ledger.set_paused(false);
  referees.join();
  CHECK(ledger.played().size() == 40);
  for (const std::size_t i : {0, 1}) {
    CHECK(referees.kind(i) == Kind::complete);
    CHECK(has(referees.notes(i), "the experiment goes on\n"));
  }
}

TEST_CASE("a referee whose rounds others have taken over drops them, says so once, and goes on") {
  if (!ScratchServer::is_possible()) return;
  const Peer peer({.lateness = 5ms});
  Experiment experiment;
  experiment.matches = {match_between(peer, peer, "connect4", 40)};
  Referees referees(experiment, "robbed");
  referees.start();
  await([&] { return has_ledger(referees.place()); });
  Ledger thief(referees.place(), experiment);
  thief.open_for_writing();
  await([&] { return thief.referees().size() == 1 && thief.referees()[0].held > 3; });
  int stolen = 0;  // three rounds that it plays; one is finished at once, two are left alone
  for (int round = 0; stolen < 3 && round < 40; ++round) {
    thief.transact([&] {
      const auto claim = thief.claim(0, round);
      if (!claim || claim->token == 1) return;
      ++stolen;
      if (stolen > 1) return thief.give_back(*claim);
      PlayedRound record{0, round, {}, 1, 2};
      for (const int game : {0, 1}) {
        record.games.push_back(recorded_game(experiment.matches[0], 2 * round + game));
      }
      CHECK(thief.finish(*claim, record));
    });
  }
  CHECK(stolen == 3);
  referees.join();
  CHECK(referees.error(0) == "");
  CHECK(referees.kind(0) == Kind::complete);
  const std::string notes = referees.notes(0);
  const std::string words = "other referees have taken over rounds of this one";
  CHECK(has(notes, words));
  CHECK(notes.find(words) == notes.rfind(words));
  CHECK(thief.played().size() == 40);
  CHECK(thief.faults().empty());
}

TEST_CASE("a referee that waits for what others play leaves the database alone") {
  if (!ScratchServer::is_possible()) return;
  const Peer peer;
  Experiment experiment;
  experiment.matches = {match_between(peer, peer, "connect4", 10)};
  Referees referees(experiment, "waits");
  Ledger other(referees.place(), experiment);
  other.open_for_writing();
  News all;
  other.transact([&] {
    other.enter(made_referee("other", "folder"), 30s);
    all = other.ask({{.match = 0, .first = 0, .known = {}, .mine = {}, .rounds = 10}});
  });
  CHECK(all.claims.size() == 10);
  const auto store = existing_ledger(referees.place());
  store->transact([&] {
    store->run_script(
        "CREATE TABLE asked (number INTEGER); CREATE FUNCTION count_asked() RETURNS trigger "
        "LANGUAGE plpgsql AS $$ BEGIN INSERT INTO asked VALUES (1); RETURN NEW; END $$; "
        "CREATE TRIGGER count_asked AFTER UPDATE ON referees FOR EACH ROW "
        "EXECUTE FUNCTION count_asked()");
  });
  const auto asked = [&] {
    std::int64_t out = 0;
    store->read("SELECT count(*) FROM asked", {},
                [&](const StoredRow& row) { out = row.number(0); });
    return out;
  };
  referees.start();
  await([&] { return other.referees().size() == 2; });
  const std::int64_t before = asked();
  std::this_thread::sleep_for(2500ms);
  CHECK(asked() - before >= 1);
  CHECK(asked() - before <= 4);
  other.transact([&] { other.leave(); });
  referees.join();
  CHECK(referees.kind(0) == Kind::complete);
}

TEST_CASE("a referee whose engines are others than those of one that plays is refused") {
  if (!ScratchServer::is_possible()) return;
  const Peer one({.version = "1.0", .lateness = 5ms});
  const Peer two({.version = "2.0"});
  Experiment experiment;
  experiment.matches = {match_between(one, one, "connect4", 40)};
  Referees referees(experiment, "unlike");
  referees.start();
  await([&] { return has_ledger(referees.place()); });
  Ledger ledger(referees.place(), experiment);
  await([&] { return !ledger.referees().empty(); });
  Experiment elsewhere = experiment;
  elsewhere.matches[0].games += 20;
  elsewhere.matches.push_back(match_between(two, two, "connect4", 2));
  elsewhere.matches[1].max_plies = 30;
  for (Player& player : elsewhere.matches[0].players) player.location = two.address();
  const ScratchFolder folder;
  Conduct conduct = conduct_in(folder.path());
  conduct.database = referees.place();
  const std::string error =
      error_of([&] { static_cast<void>(run_experiment(elsewhere, conduct)); });
  CAPTURE(error);
  CHECK(has(error, "1.0"));
  CHECK(has(error, "2.0"));
  referees.join();
  CHECK(referees.kind(0) == Kind::complete);
  CHECK(ledger.referees().size() == 1);
  CHECK(ledger.planned().matches.size() == 1);  // nothing of the refused one is planned
  CHECK(ledger.planned().matches[0].games == experiment.matches[0].games);
}

}  // namespace pitboss::clients
