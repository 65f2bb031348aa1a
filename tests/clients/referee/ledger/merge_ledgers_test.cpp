#include "clients/referee/ledger/merge_ledgers.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

Experiment two_matches() {
  Experiment experiment{.name = "two", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("connect4", "A", "B", 3));
  experiment.matches.push_back(made_match("hex size=5", "A", "C", 3));
  return experiment;
}

/// Writes rounds, each with an incident in its first game that names the ledger.
void write(const LedgerPlace& place, const std::string& name, const Experiment& experiment,
           const std::vector<PlayedRound>& rounds) {
  Ledger ledger(place, experiment);
  ledger.open_for_writing();
  for (const PlayedRound& round : rounds) {
    record(ledger, round);
    ledger.transact([&] {
      ledger.note({round.match, round.games[0].game, "A", "host:1", name, false, "", 1700000000});
    });
  }
}

/// What is in a ledger: of each round "match/round", then of each incident "match:game reason".
std::vector<std::string> contents_of(const LedgerPlace& place) {
  const Experiment experiment = read_experiment(place);
  const Ledger ledger(place, experiment);
  std::vector<std::string> out;
  for (const PlayedRound& round : ledger.played()) {
    out.push_back(std::to_string(round.match) + "/" + std::to_string(round.round));
  }
  for (const Incident& incident : ledger.incidents()) {
    out.push_back(std::to_string(incident.match) + ":" + std::to_string(incident.game) + " " +
                  incident.reason);
  }
  return out;
}

bool is(const Merged& merged, int added, int known, int differing) {
  return merged.added == added && merged.known == known && merged.differing == differing;
}

}  // namespace

TEST_CASE("merging takes each round from the first that has it, with its incidents") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = two_matches();
    const ScratchFolder folder;  // has one of them in any case
    const auto round = [&](int match, int number) {
      return recorded_round(experiment, match, number);
    };
    write(home / "one", "one", experiment, {round(0, 0), round(0, 1)});
    write(folder / "two", "two", experiment, {round(0, 1), round(1, 0)});
    PlayedRound other = round(1, 0);
    other.games[1].reason = "length";
    write(home / "three", "three", experiment, {other, round(0, 2)});
    const std::vector<LedgerPlace> all{home / "one", folder / "two", home / "three"};

    const std::vector<std::string> expected{"0/0",     "0/1",     "0/2",     "1/0",
                                            "0:1 one", "0:3 one", "1:1 two", "0:5 three"};
    CHECK(is(merge_ledgers(home / "all", all), 4, 1, 1));
    CHECK(contents_of(home / "all") == expected);
    // Again, and one by one, nothing comes twice.
    CHECK(is(merge_ledgers(home / "all", all), 0, 5, 1));
    CHECK(is(merge_ledgers(home / "all", {home / "all"}), 0, 4, 0));
    CHECK(contents_of(home / "all") == expected);
    int added = 0;
    for (const LedgerPlace& source : all) added += merge_ledgers(home / "parts", {source}).added;
    CHECK(added == 4);
    CHECK(contents_of(home / "parts") == expected);
    // A folder that was played in already keeps what it has.
    CHECK(is(merge_ledgers(home / "three", {folder / "two", home / "one"}), 2, 1, 1));
    CHECK(contents_of(home / "three") == std::vector<std::string>{"0/0", "0/1", "0/2", "1/0",
                                                                  "1:1 three", "0:5 three",
                                                                  "0:3 two", "0:1 one"});
  });
}

TEST_CASE("merging leaves out the incidents of games that were not finished") {
  const Experiment experiment = two_matches();
  const ScratchFolder folder;
  write(folder / "one", "one", experiment, {recorded_round(experiment, 0, 0)});
  {
    Ledger ledger(folder / "one", experiment);
    ledger.open_for_writing();
    ledger.transact([&] {
      ledger.note({0, 2, "A", "host:1", "last of the round", false, "", 5});
      ledger.note({0, 3, "A", "host:1", "unfinished", false, "", 5});
      ledger.note({1, 2, "A", "host:1", "of the other match", false, "", 5});
    });
  }
  const std::vector<std::string> expected{"0/0", "0:1 one", "0:2 last of the round"};
  for (const bool is_there : {false, true}) {
    CHECK(
        is(merge_ledgers(folder / "all", {folder / "one"}), is_there ? 0 : 1, is_there ? 1 : 0, 0));
    CHECK(contents_of(folder / "all") == expected);
  }
}

TEST_CASE("merging unites matches, and refuses a folder that has none in common") {
  const Experiment experiment = two_matches();
  Experiment longer = experiment;
  longer.matches.erase(longer.matches.begin());
  longer.matches[0].games += 4;
  longer.matches.push_back(made_match("othello", "A", "C", 1));
  Experiment foreign = experiment;
  for (Match& match : foreign.matches) match.seed = 9;
  const ScratchFolder folder;
  write(folder / "one", "one", experiment, {recorded_round(experiment, 1, 2)});
  write(folder / "two", "two", longer,
        {recorded_round(longer, 0, 4), recorded_round(longer, 1, 0)});
  write(folder / "foreign", "foreign", foreign, {recorded_round(foreign, 0, 0)});
  CHECK(is(merge_ledgers(folder / "all", {folder / "one", folder / "two"}), 3, 0, 0));
  CHECK(contents_of(folder / "all") ==
        std::vector<std::string>{"1/2", "1/4", "2/0", "1:5 one", "1:9 two", "2:1 two"});
  const Experiment united = read_experiment(folder / "all");
  REQUIRE(united.matches.size() == 3);
  CHECK(united.matches[1].games == longer.matches[0].games);
  CHECK_THROWS_WITH_AS(merge_ledgers(folder / "all", {folder / "foreign"}),
                       doctest::Contains("has no match in common with the others"), UserError);
  CHECK(contents_of(folder / "all").size() == 6);
}

TEST_CASE("merging keeps who has played a round") {
  const Experiment experiment = two_matches();
  const ScratchFolder folder;
  {
    Ledger ledger(folder / "one", experiment);
    ledger.open_for_writing();
    ledger.transact([&] {
      ledger.enter(made_referee("1", "one"), std::chrono::seconds(30));
      const News news =
          ledger.ask({{.match = 0, .first = 0, .known = {}, .mine = {}, .rounds = 1}});
      CHECK(ledger.finish(news.claims.at(0), recorded_round(experiment, 0, 0)));
    });
  }
  merge_ledgers(folder / "all", {folder / "one"});
  const Ledger all(folder / "all", experiment);
  CHECK(all.played().at(0).referee == "1");
  REQUIRE(all.referees().size() == 1);
  CHECK(all.referees()[0].name == "here:one");
  CHECK(all.referees()[0].rounds == 1);
  CHECK(all.referees()[0].joined > std::chrono::milliseconds(0));
}

TEST_CASE("nothing is merged into an experiment that a referee plays") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = two_matches();
  const LedgerHome files(false);
  const LedgerPlace source = files / "source";
  write(source, "source", experiment, {recorded_round(experiment, 0, 0)});
  const LedgerPlace target = LedgerHome(true) / "target";
  Ledger ledger(target, experiment);
  ledger.open_for_writing(
      [&] { ledger.enter(made_referee("1", "folder"), std::chrono::seconds(30)); });
  CHECK(error_of([&] { static_cast<void>(merge_ledgers(target, {source})); }) ==
        "the referee here:folder plays the experiment in " + text_of(target) +
            ": end it before anything is added");
  CHECK(contents_of(target).empty());
  ledger.transact([&] { ledger.leave(); });
  CHECK(is(merge_ledgers(target, {source}), 1, 0, 0));
}

}  // namespace pitboss::clients
