#include "clients/players/declarations.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>

#include "clients/referee/ledger/ledger.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/made_games.hpp"
#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

using peers::Peer;

namespace {

Experiment connect4_and_hex() {
  Experiment experiment{.name = "", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("connect4", "A", "B", 2));
  experiment.matches.push_back(made_match("hex", "A", "B", 2));
  return experiment;
}

const Declaration plain{"engine 1", {{"k", "1"}, {"alpha", "0.5"}}};

/// Makes of a folder's ledger one whose engines nobody has asked.
void forget_engines(const std::filesystem::path& folder) {
  SQLite::Database(ledger_path(folder), SQLite::OPEN_READWRITE).exec("DELETE FROM engines");
}

}  // namespace

TEST_CASE("a ledger keeps what engines said of themselves first") {
  const Experiment experiment = connect4_and_hex();
  const ScratchFolder folder;
  {
    Ledger ledger(folder.path(), experiment);
    CHECK(ledger.declarations() == Declarations(2));
    ledger.open_for_writing();
    const Declaration other{"engine '2'", {}};
    ledger.transact([&] { ledger.note(Declarations{{other, other}, {plain, plain}}); });
    CHECK(ledger.declarations() == Declarations(2));  // no game was played by them
    ledger.transact([&] { ledger.note(Declarations{{plain, std::nullopt}, {}}); });
    record(ledger, recorded_round(experiment, 0, 0));
    CHECK(ledger.declarations() == Declarations{{plain, other}, {}});
    ledger.transact([&] { ledger.note(Declarations{{other, plain}, {}}); });
    CHECK(ledger.declarations() == Declarations{{plain, other}, {}});
  }
  {  // One whose engines nobody has asked is continued.
    forget_engines(folder.path());
    Ledger ledger(folder.path(), experiment);
    CHECK(ledger.declarations() == Declarations(2));
    ledger.open_for_writing();
    ledger.transact([&] { ledger.note(Declarations{{plain, plain}, {plain, plain}}); });
    record(ledger, recorded_round(experiment, 1, 0));
    // Who has played the first match before is not known.
    CHECK(ledger.declarations() == Declarations{{}, {plain, plain}});
  }
}

TEST_CASE("a ledger with engines that nobody can have declared is damaged") {
  const Experiment experiment = connect4_and_hex();
  const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
  for (const std::string& change :
       {std::string("options = '[]'"), std::string("options = '{\"k\":1}'"),
        "options = '{\"k\":" + deep + "}'", std::string("program = cast(x'FF' as text)"),
        std::string("player = 'first'")}) {
    CAPTURE(change.substr(0, 40));
    const ScratchFolder folder;
    Ledger ledger(folder.path(), experiment);
    ledger.open_for_writing();
    ledger.transact([&] { ledger.note(Declarations{{plain, std::nullopt}, {}}); });
    record(ledger, recorded_round(experiment, 0, 0));
    CHECK(ledger.declarations() == Declarations{{plain, std::nullopt}, {}});
    SQLite::Database(ledger_path(folder.path()), SQLite::OPEN_READWRITE)
        .exec("UPDATE engines SET " + change);
    CHECK(
        error_of([&] { static_cast<void>(ledger.declarations()); }).ends_with("table of engines"));
  }
}

TEST_CASE("change_since: what an engine says now and did not say") {
  const Experiment experiment = connect4_and_hex();
  const Declarations recorded{{plain, plain}, {plain, std::nullopt}};
  CHECK(change_since(experiment, recorded, recorded) == "");
  CHECK(change_since(experiment, Declarations(2), recorded) == "");
  CHECK(change_since(experiment, recorded, Declarations(2)) == "");
  {  // A player is the same in all matches of a game.
    Experiment more = experiment;
    more.matches.push_back(made_match("connect4", "C", "B", 2));
    const Declaration other{"engine 2", {}};
    CHECK(change_since(more, {{plain, plain}, {}, {}}, {{}, {other, other}, {other, plain}}) == "");
    CHECK(change_since(more, {{plain, plain}, {}, {}}, {{}, {}, {plain, other}}) != "");
  }
  {  // A value may be called missing.
    const Declaration without{"", {{"k", "1"}}};
    const Declaration missing{"", {{"k", "1"}, {"x", "missing"}}};
    CHECK(change_since(experiment, {{without, {}}, {}}, {{missing, {}}, {}}) != "");
    // Who tells nothing, says nothing else.
    CHECK(change_since(experiment, {{Declaration{}, {}}, {}}, {{missing, {}}, {}}) == "");
    CHECK(change_since(experiment, {{missing, {}}, {}}, {{Declaration{}, {}}, {}}) == "");
  }
  const auto changed = [&](const Declaration& now) {
    Declarations declared = recorded;
    declared[0][1] = now;
    return change_since(experiment, recorded, declared);
  };
  CHECK(
      changed({"engine 2", plain.options}) ==
      "the engine of B at connect4 is \"engine 2\", and was \"engine 1\" in the experiment so far");
  CHECK(changed({"engine 1", {{"k", "2"}, {"alpha", "0.5"}}}) ==
        "the engine of B at connect4 has k 2, and had 1 in the experiment so far");
  CHECK(changed({"engine 1", {{"k", "1"}, {"beta", "3"}}}) ==
        "the engine of B at connect4 has alpha missing, and had 0.5 (and 1 more) in the experiment "
        "so far");
}

TEST_CASE("change: a signature counts where both tell it, after what a user can set") {
  const auto with = [](std::map<std::string, std::string> options) {
    return Declaration{"engine 1", std::move(options)};
  };
  const Declaration without = with({{"simulations", "1"}});
  const Declaration one = with({{"simulations", "1"}, {"signature", "aaaa"}});
  CHECK(change(one, without) == "");
  CHECK(change(without, one) == "");
  CHECK(change(one, with({{"simulations", "1"}, {"signature", "bbbb"}})) ==
        "has signature bbbb, and had aaaa");
  CHECK(change(one, with({{"simulations", "2"}, {"signature", "bbbb"}})) ==
        "has simulations 2, and had 1 (and 1 more)");
}

TEST_CASE("change: how a program writes moves is found out, not set") {
  const Declaration open{"engine 1", {{"k", "1"}, {"dialect", "plain or hexgui"}}};
  const Declaration known{"engine 1", {{"k", "1"}, {"dialect", "hexgui"}}};
  const Declaration plain_one{"engine 1", {{"k", "1"}}};
  CHECK(change(open, known) == "");
  CHECK(change(open, plain_one) == "");
  CHECK(change(plain_one, known) == "");
  CHECK(change(open, {"engine 1", {{"k", "2"}}}) == "has k 2, and had 1");
}

TEST_CASE("unequal_defaults: what neither player sets and is not the same") {
  Experiment experiment = connect4_and_hex();
  auto& [a, b] = experiment.matches[1].players;
  a.options = {{"alpha", "0.5"}};
  const Declaration other{"engine 2", {{"k", "2"}, {"alpha", "0.7"}}};
  const Declarations declared{{plain, plain}, {plain, other}};
  const auto sentences = unequal_defaults(experiment, declared);
  REQUIRE(sentences.size() == 1);
  CHECK(sentences[0] == "A and B at hex differ in what neither sets: k: 1 and 2");
  b.options = {{"k", "2"}};
  CHECK(unequal_defaults(experiment, declared).empty());
  b.options = {{"preset", "reference"}};  // sets k as well
  CHECK(unequal_defaults(experiment, declared).empty());
  b.options.clear();
  CHECK(unequal_defaults(experiment, {{}, {plain, Declaration{"engine", {}}}}).empty());
  b.language = Language::gtp;
  CHECK(unequal_defaults(experiment, declared).empty());
}

TEST_CASE("a match is not continued by other engines") {
  const Peer a({.version = "1", .params = R"({"k":0.5,"alpha":1})"});
  const Peer b({.version = "1", .params = R"({"k":1,"alpha":1})"});
  const Peer other({.version = "1", .params = R"({"k":1,"alpha":2})"});
  const ScratchFolder folder;
  std::vector<std::string> notes;
  Conduct conduct = conduct_in(folder / "match");
  conduct.on_note = [&](const std::string& note) { notes.push_back(note); };
  const Match match = match_between(a, b, "connect4", 2);
  CHECK(PlayedMatch(match, conduct).kind() == RunEnd::Kind::complete);
  CHECK(notes.empty());  // A sets its k
  const std::string summary = read_text(folder / "match/summary.json");
  CHECK(summary.find(R"("program": "Peer 1")") != std::string::npos);
  CHECK(read_text(folder / "match/report.html").find("alpha=1 k=1") != std::string::npos);

  Match more = match_between(a, other, "connect4", 4);
  CHECK(error_of([&] { PlayedMatch(more, conduct); }) ==
        "the engine of B at connect4 has alpha 2, and had 1 in the experiment so far: set the "
        "engine "
        "up as it was, or choose another --out");
  CHECK(read_text(folder / "match/summary.json") == summary);
  more.players[1] = match.players[1];
  CHECK(PlayedMatch(more, conduct).kind() == RunEnd::Kind::complete);
}

}  // namespace pitboss::clients
