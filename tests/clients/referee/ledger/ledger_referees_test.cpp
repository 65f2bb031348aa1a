#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/open_store.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/text.hpp"
#include "tests/timing.hpp"

// Several referees at one experiment, as their ledger keeps them apart.

namespace pitboss::clients {

using namespace std::chrono_literals;

namespace {

Experiment ten_rounds() {
  Experiment experiment{.name = "two", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("connect4", "A", "B", 8));
  experiment.matches.push_back(made_match("connect4", "A", "C", 2));
  return experiment;
}

using tests::contains;

/// A referee's ledger, and what it asks there.
class Entrant {
 public:
  Entrant(const LedgerPlace& place, const Experiment& experiment, const std::string& id,
          std::chrono::milliseconds patience = 30s)
      : experiment_(experiment), ledger_(place, experiment) {
    ledger_.open_for_writing();
    ledger_.transact([&] { ledger_.enter(made_referee(id, "folder of " + id), patience); });
  }

  News ask(int rounds, int match = 0, int first = 0, const std::set<int>& known = {}) {
    News news;
    ledger_.transact([&] {
      news = ledger_.ask({{.match = match,
                           .first = first,
                           .known = known,
                           .mine = mine_[match],
                           .rounds = rounds}});
    });
    for (const Claim& claim : news.claims) mine_[match].insert(claim.round);
    return news;
  }
  bool finish(const Claim& claim) {
    bool is_written = false;
    ledger_.transact([&] {
      is_written = ledger_.finish(claim, recorded_round(experiment_, claim.match, claim.round));
    });
    if (is_written) mine_[claim.match].erase(claim.round);
    return is_written;
  }
  void forget_claims() { mine_.clear(); }
  Ledger& ledger() { return ledger_; }

 private:
  const Experiment& experiment_;
  Ledger ledger_;
  std::map<int, std::set<int>> mine_;  // rounds, by match
};

std::vector<int> rounds_in(const std::vector<Claim>& claims) {
  std::vector<int> out;
  for (const Claim& claim : claims) out.push_back(claim.round);
  return out;
}

DatabasePlace place_named(const std::string& name) {
  return DatabasePlace(shared_server().url(), name);
}

}  // namespace

TEST_CASE("a round is one referee's, and all hear when it is finished") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = ten_rounds();
  const DatabasePlace place = place_named("two referees");
  Entrant one(place, experiment, "1");
  Entrant two(place, experiment, "2");
  const News first = one.ask(3);
  CHECK(rounds_in(first.claims) == std::vector{0, 1, 2});
  CHECK(first.held.empty());
  const News second = two.ask(2);
  CHECK(rounds_in(second.claims) == std::vector{3, 4});
  CHECK(second.held == std::vector{std::pair(0, 0), std::pair(0, 1), std::pair(0, 2)});
  CHECK(one.finish(first.claims[1]));
  CHECK(two.finish(second.claims[0]));
  CHECK_FALSE(two.finish(first.claims[1]));

  // What was finished is told until it is known.
  for (int again = 0; again < 2; ++again) {
    const News news = two.ask(0);
    REQUIRE(news.finished.size() == 2);
    CHECK(news.finished[1].round == 3);  // its own, which it did not say it knew
    CHECK(news.finished[0].round == 1);
    CHECK(news.finished[0].referee == "1");
    CHECK(news.finished[0].games == recorded_round(experiment, 0, 1).games);
  }
  CHECK(two.ask(0, 0, 0, {1, 3}).finished.empty());
  CHECK(two.ask(0, 0, 4).finished.empty());
  CHECK(one.ask(0, 0, 0, {1}).finished.at(0).round == 3);
  CHECK(rounds_in(two.ask(100).claims) == std::vector{5, 6, 7});
  CHECK(two.ask(100).claims.empty());
  CHECK(rounds_in(one.ask(100, 1).claims) == std::vector{0, 1});

  // Who leaves gives its rounds back, and is known for what it has played.
  two.ledger().transact([&] { two.ledger().leave(); });
  CHECK(rounds_in(one.ask(100).claims) == std::vector{4, 5, 6, 7});
  const auto referees = Ledger(place, experiment).referees();
  REQUIRE(referees.size() == 2);
  CHECK(referees[0].id == "1");
  CHECK(referees[0].name == "here:folder of 1");
  CHECK(referees[0].processor == "abacus, 1 thread");
  CHECK(referees[0].rounds == 1);
  CHECK(referees[0].games == 2);
  CHECK(referees[0].held == 8);
  CHECK_FALSE(referees[0].has_left);
  CHECK(referees[0].seen >= referees[0].joined);
  CHECK(referees[0].silence >= 0ms);
  CHECK(referees[0].silence < 1min);
  CHECK(referees[1].has_left);
  CHECK(referees[1].held == 0);
}

TEST_CASE("the rounds of a silent referee are others' by the database's clock, and it is refused") {
  if (!ScratchServer::is_possible()) return;
  constexpr auto patience = 1s;
  const Experiment experiment = ten_rounds();
  const DatabasePlace place = place_named("silence");
  Entrant one(place, experiment, "1", patience);
  Entrant two(place, experiment, "2", patience);
  const auto silent_since = std::chrono::steady_clock::now();
  const News before = one.ask(2);
  News after;
  while (after.claims.empty()) {
    std::this_thread::sleep_for(10ms);
    after = two.ask(1);
    if (after.claims.at(0).round > 1) {  // another round: given back
      two.ledger().transact([&] { two.ledger().give_back(after.claims[0]); });
      after.claims.clear();
    }
  }
  CHECK(std::chrono::steady_clock::now() - silent_since >= patience);
  CHECK(after.claims[0].round == 0);
  CHECK(after.claims[0].token > before.claims[0].token);
  CHECK_FALSE(one.finish(before.claims[0]));
  Claim forged = after.claims[0];
  forged.referee = before.claims[0].referee;
  CHECK_FALSE(one.finish(forged));
  one.ledger().transact([&] { one.ledger().give_back(forged); });
  CHECK(one.finish(before.claims[1]));  // nobody has taken this one
  CHECK(two.finish(after.claims[0]));
  const News news = one.ask(0, 0, 0, {1});
  REQUIRE(news.finished.size() == 1);
  CHECK(news.finished[0].referee == "2");
  CHECK(Ledger(place, experiment).played().size() == 2);
}

TEST_CASE("a referee that comes back is compared with those that may have entered meanwhile") {
  if (!ScratchServer::is_possible()) return;
  constexpr auto patience = 100ms;
  const Experiment experiment = ten_rounds();
  const DatabasePlace place = place_named("back again");
  Ledger ledger(place, experiment);
  int compared = 0;
  bool is_same = true;
  const auto expect_same = [&] {
    ++compared;
    if (!is_same) throw UserError("another engine");
  };
  ledger.open_for_writing(
      [&] { ledger.enter(made_referee("1", "folder of 1"), patience, expect_same); });
  CHECK(compared == 1);
  std::this_thread::sleep_for(2 * patience);
  ledger.transact([] {});
  CHECK(compared == 2);
  std::this_thread::sleep_for(2 * patience);
  is_same = false;
  CHECK(error_of([&] { ledger.transact([] {}); }) == "another engine");
}

TEST_CASE("nobody is taken for dead by one that was away itself, or has just come") {
  if (!ScratchServer::is_possible()) return;
  constexpr auto patience = 2s;  // longer than all below takes
  const Experiment experiment = ten_rounds();
  const DatabasePlace place = place_named("outage");
  Entrant one(place, experiment, "1", patience);
  Entrant two(place, experiment, "2", patience);
  CHECK(one.ask(3).claims.size() == 3);
  std::this_thread::sleep_for(patience + 50ms);  // as if the database was away
  CHECK(rounds_in(two.ask(1).claims) == std::vector{3});
  CHECK(rounds_in(Entrant(place, experiment, "3", patience).ask(1).claims) == std::vector{4});
  static_cast<void>(one.ask(0));  // it is there again
  CHECK(rounds_in(two.ask(1).claims) == std::vector{5});
}

TEST_CASE("a referee that is started again need not wait for the rounds of the one before") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = ten_rounds();
  const DatabasePlace place = place_named("again");
  Entrant one(place, experiment, "1");
  const News before = one.ask(2);
  Ledger next(place, experiment);
  next.open_for_writing();
  next.transact([&] { next.enter(made_referee("2", "folder of 1"), 30s); });
  next.transact([&] {
    const News news = next.ask({{.match = 0, .first = 0, .known = {}, .mine = {}, .rounds = 2}});
    CHECK(rounds_in(news.claims) == std::vector{0, 1});
  });
  // The one before, if it lives in a clone of the machine, hears it.
  const std::string error = error_of([&] { static_cast<void>(one.finish(before.claims[0])); });
  CHECK(contains(error, "another referee has taken the place of this one in "));
  CHECK(contains(error, "both are called here:folder of 1"));
  CHECK(next.referees()[0].has_left);
  CHECK(next.played().empty());
}

TEST_CASE("a round that a referee has without knowing it is granted again") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = ten_rounds();
  Entrant one(place_named("unknown"), experiment, "1");
  const News before = one.ask(2);
  CHECK(rounds_in(one.ask(1).claims) == std::vector{2});
  one.forget_claims();
  const News after = one.ask(2);
  CHECK(rounds_in(after.claims) == std::vector{0, 1});
  CHECK_FALSE(one.finish(before.claims[0]));
  CHECK(one.finish(after.claims[0]));
}

TEST_CASE("a referee hears nothing of the rounds that others have made the experiment longer by") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = ten_rounds();
  Experiment longer = experiment;
  longer.matches[0].games = 40;
  const DatabasePlace place = place_named("longer");
  Entrant one(place, experiment, "1");
  Entrant other(place, longer, "2");
  CHECK(rounds_in(other.ask(1, 0, 10).claims) == std::vector{10});
  CHECK(other.finish(other.ask(1, 0, 10, {10}).claims.at(0)));
  const News news = one.ask(100);
  CHECK(news.finished.empty());
  CHECK(news.held.empty());
  CHECK(rounds_in(news.claims) == std::vector{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(one.finish(news.claims[0]));
  const LedgerContents contents = reread_contents(one.ledger(), experiment);
  CHECK(contents.played.size() == 1);
  CHECK(contents.results.games() == 2);
  CHECK(contains(error_of([&] { static_cast<void>(read_contents(one.ledger(), experiment)); }),
                 "games is 16 here"));

  // The plan is the longest.
  Ledger again(place, experiment);
  again.open_for_writing();
  CHECK(again.planned().matches[0].games == 40);
  CHECK(again.planned().matches[1].games == experiment.matches[1].games);
}

TEST_CASE("what engines are is compared with those of the referees that play, not of the dead") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = ten_rounds();
  const DatabasePlace place = place_named("engines");
  Entrant one(place, experiment, "1");
  const Declaration motor{"motor", {{"k", "1"}}};
  one.ledger().transact([&] { one.ledger().note({{motor, motor}, {motor, motor}}); });
  CHECK_FALSE(one.ledger().declarations()[0][0].has_value());  // there are no games
  Entrant two(place, experiment, "2");
  CHECK(two.ledger().declarations()[0][0]->program == "motor");
  CHECK_FALSE(Ledger(place, experiment).declarations()[0][0].has_value());
  one.ledger().transact([&] { one.ledger().leave(); });
  CHECK_FALSE(two.ledger().declarations()[0][0].has_value());

  // One that was killed is dead at once for this, though its rounds are not free yet.
  constexpr auto patience = 2s;
  CHECK(Entrant(place, experiment, "3", patience).ask(1).claims.size() == 1);
  two.ledger().transact([&] { two.ledger().leave(); });
  std::this_thread::sleep_for(patience + 50ms);
  Entrant four(place, experiment, "4", patience);
  CHECK_FALSE(four.ledger().declarations()[0][0].has_value());
  CHECK(rounds_in(four.ask(1).claims) == std::vector{1});
}

TEST_CASE("a referee that waits for a ledger that is locked says so") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = ten_rounds();
  const DatabasePlace place = place_named("locked");
  Ledger ledger(place, experiment);
  ledger.open_for_writing();
  std::atomic<bool> has_told = false;
  std::string told;
  ledger.on_outage([&](const std::string& sentence) {
    told = sentence;
    has_told = true;
  });
  const auto other = existing_ledger(place);
  std::jthread referee;
  other->transact([&] {
    other->take_turn();
    referee = std::jthread(
        [&] { ledger.transact([&] { ledger.enter(made_referee("1", "folder"), 30s); }); });
    CHECK(tests::eventually([&] { return has_told.load(); }));
  });
  referee.join();
  CHECK(contains(told, "#locked is locked by another program"));
  CHECK(ledger.referees().size() == 1);
}

TEST_CASE("a paused ledger grants no rounds until it goes on") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = ten_rounds();
    const LedgerPlace place = home / "paused";
    {
      Ledger none(place, experiment);
      CHECK_FALSE(none.is_paused());
      CHECK(contains(error_of([&] { none.set_paused(true); }), "holds no ledger"));
    }
    Entrant one(place, experiment, "1");
    const News before = one.ask(1);
    CHECK_FALSE(before.is_paused);
    Ledger other(place, experiment);  // of a process that is no referee
    other.set_paused(true);
    CHECK(one.ledger().is_paused());
    const News paused = one.ask(1);
    CHECK(paused.is_paused);
    CHECK(paused.claims.empty());
    CHECK(one.finish(before.claims[0]));
    other.set_paused(false);
    CHECK_FALSE(Ledger(place, experiment).is_paused());
    CHECK(rounds_in(one.ask(1).claims) == std::vector{1});
  });
}

TEST_CASE("of several that make a ledger at once one does, and the others enter or are refused") {
  if (!ScratchServer::is_possible()) return;
  Experiment other = ten_rounds();
  other.matches[0].seed = 99;
  const Experiment experiment = ten_rounds();
  for (int again = 0; again < 5; ++again) {
    const DatabasePlace place = place_named("made at once " + std::to_string(again));
    constexpr std::size_t count = 4;  // two of each experiment
    std::vector<std::string> errors(count);
    std::vector<std::jthread> threads;
    std::atomic<int> waiting = count;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        errors[i] = error_of([&] {
          Ledger ledger(place, i % 2 == 0 ? experiment : other);
          --waiting;
          while (waiting > 0) std::this_thread::yield();
          ledger.open_for_writing();
        });
      });
    }
    threads.clear();
    const std::size_t winner = errors[0].empty() ? 0 : 1;
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(errors[i]);
      CHECK(
          (i % 2 == winner ? errors[i].empty() : contains(errors[i], "holds another experiment")));
    }
  }
}

TEST_CASE("what many write at once is there once, and no marks are left") {
  if (!ScratchServer::is_possible()) return;
  constexpr int writers = 4;
  const Experiment experiment = ten_rounds();
  const DatabasePlace place = place_named("many");
  Entrant first(place, experiment, "0");
  std::vector<std::jthread> threads;
  std::vector<std::vector<int>> rounds(writers);
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      Entrant entrant(place, experiment, "writer " + std::to_string(writer));
      for (int i = 0; i < 20; ++i) {
        entrant.ledger().transact([&] {
          entrant.ledger().note({0, i + 1, "A", "host:1", "closed", true, "", 17});
        });
        for (const Claim& claim : entrant.ask(1).claims) {
          if (entrant.finish(claim)) rounds[writer].push_back(claim.round);
        }
      }
    });
  }
  threads.clear();
  CHECK(first.ledger().incidents().size() == 20 * writers);
  std::multiset<int> all;
  for (const auto& of_one : rounds) all.insert(of_one.begin(), of_one.end());
  CHECK(all == std::multiset{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(first.ledger().played().size() == 8);
  CHECK(first.ledger().faults().empty());

  const auto store = existing_ledger(place);
  std::vector<std::string> marks;
  store->read("SELECT key FROM ledger WHERE key LIKE 'commit%'", {},
              [&](const StoredRow& row) { marks.push_back(row.text(0)); });
  CHECK(marks.size() == 2);  // of the one that is still there, and of the last that closed
}

}  // namespace pitboss::clients
