#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/open_store.hpp"
#include "clients/referee/verify_games.hpp"
#include "environment/machine.hpp"
#include "protocol/version.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/phoenix.hpp"
#include "tests/text.hpp"
#include "tests/timing.hpp"

// Several referees that play one experiment.

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Manner;
using peers::Peer;
using peers::PeerConduct;
using tests::eventually;
using Kind = RunEnd::Kind;

namespace {

using tests::contains;

/// Referees of one experiment in a database, each on a thread of its own.
class Referees {
 public:
  Referees(const Experiment& experiment, const std::string& name)
      : Referees(experiment, name, shared_server().url()) {}
  Referees(const Experiment& experiment, const std::string& name, const std::string& url)
      : experiment_(experiment), place_(url, name) {}

  void start(std::chrono::milliseconds patience = 30s) { start(experiment_, patience); }
  /// With servers of its own.
  void start(const Experiment& experiment, std::chrono::milliseconds patience = 30s) {
    const std::size_t number = notes_.size();
    notes_.emplace_back();
    kinds_.push_back(Kind::stopped);
    errors_.emplace_back();
    threads_.emplace_back([this, number, patience, &experiment] {
      Conduct conduct = conduct_in(folder_ / std::to_string(number), 4);
      conduct.database = place_;
      conduct.patience = patience;
      conduct.on_note = [this, number](const std::string& text) {
        const std::scoped_lock lock(mutex_);
        notes_[number] += text + "\n";
      };
      std::string error = error_of([&] {
        const RunEnd end = run_experiment(experiment, conduct);
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

/// Plays alone, in a folder.
void play_alone(const Experiment& experiment, const ScratchFolder& folder) {
  write_records(folder.path(), run_experiment(experiment, conduct_in(folder.path(), 4)).contents);
}

void check_same_records(const std::filesystem::path& folder, const ScratchFolder& alone) {
  for (const char* file : {"games.csv", "summary.json"}) {
    CHECK(text_without_seconds(folder / file) == text_without_seconds(alone / file));
  }
}

}  // namespace

TEST_CASE("three referees share the rounds of two matches; the records are those of one") {
  if (!ScratchServer::is_possible()) return;
  Peer a({.lateness = 1ms});
  const Peer b({.manner = Manner::crashes, .one_in = 5, .from_ply = 6});
  Experiment experiment;
  experiment.matches = {match_between(a, b, "connect4", 30), match_between(a, a, "connect4", 30)};
  experiment.matches[1].players[1].name = "C";
  const ScratchFolder alone;
  write_records(alone.path(), run_experiment(experiment, conduct_in(alone.path(), 4)).contents);

  Referees referees(experiment, "three");
  a.hold(true);  // until each of them has some rounds
  for (int i = 0; i < 3; ++i) referees.start();
  REQUIRE(eventually([&] { return has_ledger(referees.place()); }));
  const Ledger ledger(referees.place(), experiment);
  REQUIRE(eventually([&] {
    const auto entries = ledger.referees();
    return entries.size() == 3 && std::ranges::all_of(entries, [](const RefereeEntry& referee) {
             return referee.held > 0;
           });
  }));
  a.hold(false);
  referees.join();
  for (const std::size_t i : {0, 1, 2}) {
    CHECK(referees.error(i) == "");
    CHECK(referees.kind(i) == Kind::complete);
    CHECK(referees.notes(i).find("taken over") == std::string::npos);
    for (const char* file : {"games.csv", "summary.json"}) {
      CHECK(text_without_seconds(referees.folder(i) / file) == text_without_seconds(alone / file));
    }
  }
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
  const Peer bad({.manner = Manner::resigns});
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
  for (int i = 0; i < 2; ++i) referees.start();
  REQUIRE(eventually([&] { return has_ledger(referees.place()); }));
  Ledger ledger(referees.place(), experiment);
  REQUIRE(eventually([&] { return !ledger.played().empty(); }));
  ledger.set_paused(true);
  REQUIRE(eventually([&] {
    return contains(referees.notes(0), "is paused: finishing") &&
           contains(referees.notes(1), "is paused: finishing");
  }));
  const auto both_live_on = [&] {
    std::map<std::string, std::chrono::milliseconds> seen;
    for (const RefereeEntry& referee : ledger.referees()) seen[referee.id] = referee.seen;
    CHECK(seen.size() == 2);
    return eventually([&] {
      return std::ranges::all_of(ledger.referees(), [&](const RefereeEntry& referee) {
        return !referee.has_left && referee.seen > seen.at(referee.id) + 1s;
      });
    });
  };
  // Who plays asks for moves meanwhile.
  int asked = 0;
  REQUIRE(eventually([&] {
    asked = peer.asked();
    REQUIRE(both_live_on());
    return peer.asked() == asked;
  }));
  const std::size_t rounds = ledger.played().size();
  CHECK(rounds < 40);
  CHECK(both_live_on());
  CHECK(peer.asked() == asked);
  CHECK(ledger.played().size() == rounds);
  ledger.set_paused(false);
  referees.join();
  CHECK(ledger.played().size() == 40);
  for (const std::size_t i : {0, 1}) {
    CHECK(referees.kind(i) == Kind::complete);
    CHECK(contains(referees.notes(i), "the experiment goes on\n"));
  }
}

TEST_CASE("what a referee has no server for any more others play, while it plays on") {
  if (!ScratchServer::is_possible()) return;
  Peer good({.lateness = 2ms});
  const Peer other({.lateness = 2ms});
  const Peer frail({.manner = Manner::stops_listening, .one_in = 5, .lateness = 2ms});
  const auto experiment_at = [](const Peer& first, const Peer& second) {
    Experiment out;
    out.matches = {match_between(first, first, "connect4", 10),
                   match_between(second, second, "connect4", 60)};
    out.matches[1].players[1].name = "C";
    return out;
  };
  const Experiment experiment = experiment_at(frail, good);
  const Experiment for_other = experiment_at(other, other);
  const ScratchFolder alone;
  play_alone(for_other, alone);

  Referees referees(experiment, "no server");
  good.hold(true);  // until others have played what this one cannot
  referees.start();
  REQUIRE(eventually([&] { return has_ledger(referees.place()); }));
  const Ledger ledger(referees.place(), experiment);
  const auto rounds_of = [&](int match) {
    return std::ranges::count(ledger.played(), match, &PlayedRound::match);
  };
  REQUIRE(eventually([&] { return contains(referees.notes(0), " is gone"); }));
  CHECK(rounds_of(0) < 10);
  referees.start(for_other);
  REQUIRE(eventually([&] { return rounds_of(0) == 10; }));
  CHECK(rounds_of(1) < 60);
  REQUIRE(ledger.referees().size() == 2);
  for (const RefereeEntry& referee : ledger.referees()) CHECK_FALSE(referee.has_left);
  good.hold(false);
  referees.join();
  CHECK(contains(referees.notes(0), "other referees may play "));
  CHECK(contains(referees.notes(0), " rounds of A and B that were this one's"));
  for (const std::size_t i : {0, 1}) {
    CHECK(referees.error(i) == "");
    CHECK(referees.kind(i) == Kind::complete);
    CHECK_FALSE(contains(referees.notes(i), "taken over"));
    check_same_records(referees.folder(i), alone);
  }
  CHECK(ledger.faults().empty());
  CHECK(ledger.played().size() == 70);
}

TEST_CASE("a referee whose rounds others have taken over drops them, says so once, and goes on") {
  if (!ScratchServer::is_possible()) return;
  Peer peer({.lateness = 5ms});
  Experiment experiment;
  experiment.matches = {match_between(peer, peer, "connect4", 40)};
  Referees referees(experiment, "robbed");
  referees.start();
  REQUIRE(eventually([&] { return has_ledger(referees.place()); }));
  Ledger thief(referees.place(), experiment);
  thief.open_for_writing();
  REQUIRE(eventually([&] { return thief.referees().size() == 1 && thief.referees()[0].held > 3; }));
  peer.hold(true);
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
  peer.hold(false);
  referees.join();
  CHECK(referees.error(0) == "");
  CHECK(referees.kind(0) == Kind::complete);
  const std::string notes = referees.notes(0);
  const std::string words = "other referees have taken over rounds of this one";
  CHECK(contains(notes, words));
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
    RefereeEntry entry = made_referee("other", "folder");
    entry.program = protocol::version_of("pitboss");
    other.enter(entry, 30s);
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
  REQUIRE(eventually([&] { return other.referees().size() == 2; }));
  // Once a second, to see whether there is something to play.
  const std::int64_t before = asked();
  const auto begun = std::chrono::steady_clock::now();
  REQUIRE(eventually([&] { return asked() > before + 1; }));
  const std::int64_t times = asked() - before;
  CHECK(times <= 2 + (std::chrono::steady_clock::now() - begun) / 1s);
  other.transact([&] { other.leave(); });
  referees.join();
  CHECK(referees.kind(0) == Kind::complete);
}

TEST_CASE("a referee whose engines are others than those of one that plays is refused") {
  if (!ScratchServer::is_possible()) return;
  Peer one({.version = "1.0", .lateness = 5ms});
  const Peer two({.version = "2.0"});
  Experiment experiment;
  experiment.matches = {match_between(one, one, "connect4", 40)};
  Referees referees(experiment, "unlike");
  one.hold(true);  // or it may have played all before the other one comes
  referees.start();
  REQUIRE(eventually([&] { return has_ledger(referees.place()); }));
  const Ledger ledger(referees.place(), experiment);
  REQUIRE(eventually([&] { return !ledger.referees().empty(); }));
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
  CHECK(contains(error, "1.0"));
  CHECK(contains(error, "2.0"));
  one.hold(false);
  referees.join();
  CHECK(referees.kind(0) == Kind::complete);
  CHECK(ledger.referees().size() == 1);
  CHECK(ledger.planned().matches.size() == 1);  // nothing of the refused one is planned
  CHECK(ledger.planned().matches[0].games == experiment.matches[0].games);
}

namespace {

std::string about(const std::string& build, const std::string& host = "node1") {
  return R"({"version":1,"build":")" + build + R"(","host":")" + host +
         R"(","processor":"abacus, 1 thread"})";
}

/// How a referee of the second peer is refused while one of the first plays.
std::string refusal(const PeerConduct& first, const PeerConduct& second, const std::string& name) {
  const Peer one(first);
  const Peer two(second);
  Experiment experiment;
  experiment.matches = {match_between(one, one, "connect4", 40)};
  Referees referees(experiment, name);
  Ledger ledger(referees.place(), experiment);
  ledger.open_for_writing();
  ledger.set_paused(true);  // or the first may have played all before the second comes
  referees.start();
  REQUIRE(eventually([&] { return !ledger.referees().empty(); }));
  Experiment elsewhere = experiment;
  for (Player& player : elsewhere.matches[0].players) player.location = two.address();
  const ScratchFolder folder;
  Conduct conduct = conduct_in(folder.path());
  conduct.database = referees.place();
  std::string error = error_of([&] { static_cast<void>(run_experiment(elsewhere, conduct)); });
  CHECK(two.asked() == 0);
  ledger.set_paused(false);
  referees.join();
  CHECK(referees.error(0) == "");
  CHECK(referees.kind(0) == Kind::complete);
  CHECK(ledger.referees().size() == 1);
  return error;
}

}  // namespace

TEST_CASE("a referee with daemons of another build is refused while others play") {
  if (!ScratchServer::is_possible()) return;
  const PeerConduct old{.about = about("Peer 1 (commit a)"), .lateness = 5ms};
  PeerConduct other = old;
  other.about = about("Peer 1 (commit b)", "node2");
  const std::string error = refusal(old, other, "other commit");
  CAPTURE(error);
  CHECK(contains(error, "another build"));
  CHECK(contains(error, "with Peer 1 (commit a)"));
  CHECK(contains(error, "with Peer 1 (commit b)"));
}

TEST_CASE("a referee whose engines search otherwise, or with another network, is refused") {
  if (!ScratchServer::is_possible()) return;
  PeerConduct old{
      .in_duels = Manner::plays, .moves_of_duel = 6, .about = about("Peer 1"), .lateness = 5ms};
  PeerConduct other = old;
  other.style = 1;
  const std::string error = refusal(old, other, "other search");
  CAPTURE(error);
  CHECK(contains(error, "has signature "));
  CHECK(contains(error, ", and had "));
  old.params = R"({"k":"1","network_sha256":"aaa"})";
  other = old;
  other.params = R"({"k":"1","network_sha256":"bbb"})";
  const std::string network = refusal(old, other, "other network");
  CAPTURE(network);
  CHECK(contains(network, "has network_sha256 bbb, and had aaa"));
}

TEST_CASE("a server that does not play the games of its signature to their end has none") {
  PeerConduct conduct{.in_duels = Manner::plays, .about = about("Peer 1")};
  for (const int moves : {1, 3, 5, 6}) {
    CAPTURE(moves);
    conduct.moves_of_duel = moves;
    const Peer peer(conduct);
    Experiment experiment;
    experiment.matches = {match_between(peer, peer, "connect4", 2)};
    const ScratchFolder folder;
    CHECK(run_experiment(experiment, conduct_in(folder.path())).kind == Kind::complete);
    const Declarations declared = Ledger(folder.path(), experiment).declarations();
    REQUIRE((declared.size() == 1 && declared[0][0]));
    const auto& options = declared[0][0]->options;
    CHECK((options.find(std::string(signature_name)) != options.end()) == (moves == 6));
  }
}

TEST_CASE("daemons of one build have one signature a game, whatever their players' options are") {
  tests::Phoenix one;
  tests::Phoenix two;
  Experiment experiment;
  for (const char* game : {"connect4", "hex size=5"}) {
    Match match;
    set_game(match, game);
    match.players[0] = parse_player("name=A k=0.7 simulations=20", {parse_address(one.address())});
    match.players[1] =
        parse_player("name=B novelty=pseudocount simulations=10", {parse_address(two.address())});
    match.games = match.round();
    experiment.matches.push_back(match);
  }
  const ScratchFolder folder;
  CHECK(run_experiment(experiment, conduct_in(folder.path())).kind == Kind::complete);
  const Ledger ledger(folder.path(), experiment);
  const Declarations declared = ledger.declarations();
  std::vector<std::string> signatures;
  for (const DeclaredPair& pair : declared) {
    for (const auto& one_of_them : pair) {
      REQUIRE(one_of_them);
      signatures.push_back(one_of_them->options.at(std::string(signature_name)));
      CHECK(signatures.back().size() == 16);
    }
  }
  REQUIRE(signatures.size() == 4);
  CHECK(signatures[0] == signatures[1]);
  CHECK(signatures[2] == signatures[3]);
  CHECK(signatures[0] != signatures[2]);
  const auto referees = ledger.referees();
  REQUIRE(referees.size() == 1);
  CHECK(contains(referees[0].program, " with " + protocol::version_of("Pitboss")));
  CHECK(referees[0].host == environment::host_name());
  CHECK(referees[0].processor == environment::processor_name());
}

TEST_CASE("the ledger tells on which machines the engines of a referee search") {
  const Peer one({.about = about("Peer 1", "node1")});
  const Peer two({.about = about("Peer 2", "node2")});
  const ScratchFolder folder;
  Experiment experiment;
  experiment.matches = {match_between(one, two, "connect4", 2)};
  CHECK(run_experiment(experiment, conduct_in(folder.path())).kind == Kind::complete);
  const auto referees = Ledger(folder.path(), experiment).referees();
  REQUIRE(referees.size() == 1);
  CHECK(referees[0].host == "node1, node2");
  CHECK(referees[0].processor == "abacus, 1 thread");
  CHECK(referees[0].program.ends_with(" with Peer 1, Peer 2"));
}

namespace {

/// The URL of another database of the same server.
std::string url_of_database(const std::string& url, const std::string& database) {
  const std::size_t question = url.find('?');
  return url.substr(0, url.rfind('/', question) + 1) + database + url.substr(question);
}

void check_run(const std::vector<std::string>& command) {
  const peers::ProgramEnd end = peers::ended(command);
  CAPTURE(end.err);
  CHECK(end.code == 0);
}

}  // namespace

TEST_CASE("an outage of the database costs time alone") {
  if (!ScratchServer::is_possible()) return;
  const Peer peer({.lateness = 5ms});
  Experiment experiment;
  experiment.matches = {match_between(peer, peer, "connect4", 60)};
  const ScratchFolder alone;
  play_alone(experiment, alone);
  for (const bool is_killed : {true, false}) {
    CAPTURE(is_killed);
    const ScratchServer server;
    Referees referees(experiment, "outage", server.url());
    constexpr auto patience = 10s;  // with each other
    for (int i = 0; i < 2; ++i) referees.start(patience);
    REQUIRE(eventually([&] { return has_ledger(referees.place()); }));
    std::size_t before = 0;
    REQUIRE(eventually([&] {
      before = Ledger(referees.place(), experiment).played().size();
      return before > 3;
    }));
    REQUIRE(before < 50);
    is_killed ? server.kill() : server.freeze();
    std::this_thread::sleep_for(patience + 1s);
    is_killed ? server.rise() : server.thaw();
    referees.join();
    for (const std::size_t i : {0, 1}) {
      CHECK(referees.error(i) == "");
      CHECK(referees.kind(i) == Kind::complete);
      CHECK_FALSE(contains(referees.notes(i), "taken over"));
      CHECK((contains(referees.notes(i), "is back after") || !is_killed));
      check_same_records(referees.folder(i), alone);
    }
    const Ledger ledger(referees.place(), experiment);
    CHECK(ledger.faults().empty());
    CHECK(ledger.played().size() == 60);
  }
}

TEST_CASE("a database that answers nothing does not keep a referee that is told to stop") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  Experiment experiment;
  experiment.matches = {made_match("connect4", "A", "B", 10)};
  Ledger ledger(DatabasePlace(server.url(), "silent"), experiment);
  ledger.open_for_writing();
  server.freeze();
  std::thread stops([&] {
    std::this_thread::sleep_for(500ms);
    ledger.stop_waiting();
  });
  const auto begun = std::chrono::steady_clock::now();
  CHECK(error_of([&] { ledger.transact([&] { static_cast<void>(ledger.claim(0, 0)); }); }) != "");
  CHECK(std::chrono::steady_clock::now() - begun < 60s);
  stops.join();
  server.thaw();
}

TEST_CASE("a dump that was made while referees play is restored, and played to the same table") {
  if (!ScratchServer::is_possible()) return;
  if (peers::ended({"/usr/bin/env", "pg_dump", "--version"}).code != 0) {
    MESSAGE("not tested: pg_dump is not installed");
    return;
  }
  Peer peer({.lateness = 2ms});
  Experiment experiment;
  experiment.matches = {match_between(peer, peer, "connect4", 60)};
  const ScratchFolder alone;
  play_alone(experiment, alone);
  Referees referees(experiment, "dumped");
  referees.start();
  REQUIRE(eventually([&] { return has_ledger(referees.place()); }));
  REQUIRE(eventually([&] { return Ledger(referees.place(), experiment).played().size() > 3; }));
  peer.hold(true);  // until the dump is made
  const std::string url = shared_server().url();
  const std::string fresh = url_of_database(url, "fresh");
  const ScratchFolder folder;
  const std::string dump = (folder / "dump").string();
  check_run({"/usr/bin/env", "pg_dump", "--dbname=" + url, "--schema=dumped", "--format=custom",
             "--file=" + dump});
  peer.hold(false);
  check_run({"/usr/bin/env", "psql", "--dbname=" + url, "--command=CREATE DATABASE fresh"});
  check_run({"/usr/bin/env", "pg_restore", "--dbname=" + fresh, "--exit-on-error", dump});
  {
    const Ledger restored(DatabasePlace(fresh, "dumped"), experiment);
    CHECK(restored.faults().empty());
    CHECK(restored.played().size() > 3);
    CHECK(restored.played().size() < 60);
  }
  Referees others(experiment, "dumped", fresh);
  others.start(1s);
  others.join();
  referees.join();
  for (Referees* const those : {&referees, &others}) {
    CHECK(those->error(0) == "");
    CHECK(those->kind(0) == Kind::complete);
    check_same_records(those->folder(0), alone);
    const Ledger ledger(those->place(), experiment);
    CHECK(ledger.faults().empty());
    CHECK(ledger.played().size() == 60);
  }
}

TEST_CASE("a match that time bounds is refused if its players search on different machines") {
  const Peer one({.about = about("Peer 1", "node1"), .lateness = 1ms});
  const Peer two({.about = about("Peer 1", "node2"), .lateness = 1ms});
  const ScratchFolder folder;
  Experiment experiment;
  for (const char* time : {"cputime", "movetime"}) {
    CAPTURE(time);
    experiment.matches = {match_between(one, two, "connect4", 1)};
    experiment.matches[0].players[0].options.push_back({time, "5"});
    const std::string error = error_of(
        [&] { static_cast<void>(run_experiment(experiment, conduct_in(folder / "apart"))); });
    CAPTURE(error);
    CHECK(contains(error, "node1 (abacus, 1 thread) and node2 (abacus, 1 thread)"));
    CHECK(one.asked() + two.asked() == 0);
    CHECK_FALSE(contains(error, "booted"));
    CHECK_FALSE(std::filesystem::exists(folder / "apart"));
  }
  experiment.matches[0].players[1].location = one.address();
  CHECK(run_experiment(experiment, conduct_in(folder / "together")).kind == Kind::complete);

  // Two machines of one name, as two containers are.
  const auto booted = [](const std::string& boot) {
    std::string out = about("Peer 1", "node1");
    out.insert(out.size() - 1, R"(,"boot":")" + boot + "\"");
    return PeerConduct{.about = std::move(out)};
  };
  const Peer a(booted("aaa"));
  const Peer b(booted("bbb"));
  experiment.matches[0].players[0].location = a.address();
  experiment.matches[0].players[1].location = b.address();
  CHECK(
      contains(error_of([&] {
                 static_cast<void>(run_experiment(experiment, conduct_in(folder / "alike")));
               }),
               "node1 (abacus, 1 thread) and node1 (abacus, 1 thread), which were booted apart: "));
}

}  // namespace pitboss::clients
