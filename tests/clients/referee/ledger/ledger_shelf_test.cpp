#include "clients/referee/ledger/ledger_shelf.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <set>
#include <string>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/postgresql_store.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/referee/recorded_games.hpp"

namespace pitboss::clients {

namespace {

Experiment matches_of(int rounds) {
  Experiment experiment;
  experiment.name = "two";
  experiment.matches = {made_match("connect4", "A", "B", rounds),
                        made_match("connect4", "A", "C", rounds)};
  return experiment;
}

}  // namespace

TEST_CASE("LedgerShelf: a ledger that was open between two looks has changed") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = matches_of(5);
  const DatabasePlace place(shared_server().url(), "open for a moment");
  LedgerShelf shelf(place);
  std::set<std::string> versions;
  for (int round = 0; round < 4; ++round) {
    {
      Ledger ledger(place, experiment);
      ledger.open_for_writing();
      record(ledger, recorded_round(experiment, 0, round));
    }
    versions.insert(shelf.ledgers().at(0).version);
    CHECK(versions.contains(shelf.ledgers().at(0).version));
  }
  CHECK(versions.size() == 4);
}

TEST_CASE("LedgerShelf: the ledgers of a database, and which have changed") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  LedgerShelf shelf{DatabasePlace(server.url())};
  CHECK(shelf.ledgers().empty());
  const Experiment experiment = matches_of(5);
  const DatabasePlace one(server.url(), "it's \"one\"");
  Ledger first(one, experiment);
  first.open_for_writing();
  Ledger second(DatabasePlace(server.url(), "two"), experiment);
  second.open_for_writing();
  const auto before = shelf.ledgers();
  REQUIRE(before.size() == 2);
  CHECK(before[0].place.name() == one.name());
  record(first, recorded_round(experiment, 0, 0));
  const auto after = shelf.ledgers();
  CHECK(after[0].version != before[0].version);
  CHECK(after[1].version == before[1].version);
  CHECK(LedgerShelf(one).ledgers().size() == 1);

  // A schema that cannot be read is listed, and hides no other.
  CHECK(PostgresqlStore(DatabasePlace(server.url(), "odd"))
            .create("CREATE TABLE marks (key TEXT PRIMARY KEY, value TEXT, checksum BIGINT); "
                    "CREATE TABLE ledger (a INT); CREATE TABLE matches (a INT); "
                    "CREATE TABLE rounds (a INT); CREATE TABLE games (a INT)",
                    std::array{"marks"}, [] {}));
  const auto partly = shelf.ledgers();
  REQUIRE(partly.size() == 3);
  CHECK(partly[0].version == after[0].version);
  CHECK(partly[1].place.name() == "odd");
  CHECK(partly[2].version == after[1].version);

  server.kill();
  CHECK_THROWS_AS(static_cast<void>(shelf.ledgers()), UserError);
  server.rise();
  CHECK(shelf.ledgers().size() == 3);
}

TEST_CASE("LedgerShelf: a database that is frozen counts as away long before a ledger's does") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  LedgerShelf shelf{DatabasePlace(server.url() + "&connect_timeout=2")};
  CHECK(shelf.ledgers().empty());
  server.freeze();
  const auto begun = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(static_cast<void>(shelf.ledgers()), UserError);
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(60));
  server.thaw();
  CHECK(shelf.ledgers().empty());
}

TEST_CASE("Ledger::played: only the rounds that are not known") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = matches_of(9);
    const LedgerPlace place = home / "ledger";
    Ledger ledger(place, experiment);
    ledger.open_for_writing();
    std::set<std::pair<int, int>> known;
    const auto is_known = [&](int match, int round) { return known.contains({match, round}); };
    CHECK(ledger.played(is_known).empty());
    for (const int round : {0, 1, 2, 4, 5, 7}) record(ledger, recorded_round(experiment, 0, round));
    record(ledger, recorded_round(experiment, 1, 3));
    const auto all = ledger.played();
    REQUIRE(all.size() == 7);
    for (const std::set<std::pair<int, int>>& each :
         {std::set<std::pair<int, int>>{}, {{0, 1}}, {{0, 0}, {0, 4}, {1, 3}}, {{0, 2}, {0, 7}}}) {
      known = each;
      const auto found = ledger.played(is_known);
      REQUIRE(found.size() == all.size() - known.size());
      std::size_t next = 0;
      for (const PlayedRound& round : all) {
        if (is_known(round.match, round.round)) continue;
        CHECK(found[next].match == round.match);
        CHECK(found[next].round == round.round);
        CHECK(found[next].games == round.games);
        CHECK(found[next].ended == round.ended);
        ++next;
      }
    }
    CHECK(ledger.planned().matches.size() == 2);
    CHECK(ledger.planned().matches[0].games == 18);
  });
}

}  // namespace pitboss::clients
