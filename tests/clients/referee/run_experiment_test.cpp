#include "clients/referee/run_experiment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/time_control.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/verify_games.hpp"
#include "tests/clients/referee/made_games.hpp"
#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/running_server.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Manner;
using peers::Peer;
using Kind = RunEnd::Kind;

namespace {

constexpr const char* made_files[] = {"games.csv", "summary.json"};

}  // namespace

TEST_CASE("a match between good engines, in every game") {
  const Peer a;
  const Peer b({.manner = Manner::writes_windows});
  for (const std::string_view game : games::game_names()) {
    CAPTURE(game);
    const ScratchFolder folder;
    Match match = match_between(a, b, std::string(game), 1);
    if (match.round() == 2) match.games = 10;
    const PlayedMatch played(match, conduct_in(folder.path()));
    CHECK(played.kind() == Kind::complete);
    CHECK(played.standings().games() == match.games);
    CHECK(played.standings().forfeits() == 0);

    const auto records = records_in(folder.path(), match);
    REQUIRE(records.size() == static_cast<std::size_t>(match.games));
    for (int i = 0; i < match.games; ++i) {
      CHECK(records[i].game == i + 1);
      CHECK(fault_in(match, records[i]) == "");
    }
  }
}

TEST_CASE("a match leaves the same bytes whatever the concurrency") {
  const Peer a({.manner = Manner::crashes, .one_in = 5, .from_ply = 6});
  const Peer b({.manner = Manner::plays_illegal, .one_in = 7});
  const ScratchFolder one;
  const ScratchFolder eight;
  const Match match = match_between(a, b, "connect4", 50);
  const PlayedMatch first(match, conduct_in(one.path(), 1));
  const PlayedMatch second(match, conduct_in(eight.path(), 8));
  for (const char* file : made_files) {
    CAPTURE(file);
    CHECK_FALSE(read_text(one / file).empty());
    CHECK(text_without_seconds(one / file) == text_without_seconds(eight / file));
  }
}

TEST_CASE("every way to fail is a loss, and the match goes on") {
  struct Row {
    Manner manner;
    const char* reason;  ///< how the record begins
    const char* kind;    ///< how it is counted
    int tries = 1;
  };
  constexpr Row rows[] = {
      {Manner::falls_silent, "no answer in 2 s", "no answer in 2 s"},
      {Manner::crashes, "connection closed", "connection closed", max_crashes},
      {Manner::half_answers, "connection closed", "connection closed", max_crashes},
      {Manner::plays_illegal, "illegal move: e9", "illegal move"},
      {Manner::plays_nothing, "illegal move: (nothing)", "illegal move"},
      {Manner::talks_garbage, "garbage: Segmentation \"fault\", sorry?", "garbage"},
      {Manner::never_ends, "garbage: an answer without end", "garbage"},
      {Manner::forgets_id, "garbage: = ", "garbage"},
      {Manner::answers_twice, "garbage: =", "garbage"},
      {Manner::refuses, "refused: genmove ", "refused"},
      {Manner::refuses_play, "refused: play ", "refused"},
      {Manner::resigns, "resigned", "", 0},
  };
  const Peer good;
  for (const Row& row : rows) {
    CAPTURE(row.reason);
    constexpr int games = 12;
    const Peer bad({.manner = row.manner, .one_in = 2});
    const ScratchFolder folder;
    Match match = match_between(good, bad, "connect4", games / 2);
    if (row.manner == Manner::falls_silent) match.move_timeout = 2s;
    const PlayedMatch played(match, conduct_in(folder.path()));
    CHECK(played.kind() == Kind::complete);
    CHECK(played.standings().games() == games);

    int expected = 0;
    const auto records = records_in(folder.path(), match);
    REQUIRE(records.size() == games);
    for (int game = 0; game < games; ++game) {
      CAPTURE(game);
      const PlayedGame& record = records[game];
      CHECK(fault_in(match, record) == "");
      if (engine_seed(match, game, 1) % 2 != 0) {
        CHECK(record.reason == "rules");
        continue;
      }
      ++expected;
      CHECK(record.winner == "A");
      CHECK(record.reason.starts_with(row.reason));
      CHECK(record.result == std::string(record.seats[0] == "B" ? "W+" : "B+") +
                                 (row.manner == Manner::resigns ? "R" : "F"));
    }
    CHECK(expected > 2);
    CHECK(expected < games - 2);
    CHECK(played.standings().failures(0).empty());
    if (row.manner == Manner::resigns) {
      CHECK(played.standings().forfeits() == 0);
      CHECK(played.standings().resignations(1) == expected);
    } else {
      CHECK(played.standings().forfeits() == expected);
      CHECK(played.standings().failures(1).at(row.kind) == expected);
    }

    // Each failure is written down with what was said before, also where the game was played again.
    const auto incidents = incidents_in(folder.path(), match);
    CHECK(incidents.size() == static_cast<std::size_t>(expected * row.tries));
    CHECK(std::ranges::count(incidents, true, &Incident::is_loss) ==
          (row.tries > 0 ? expected : 0));
    for (const Incident& incident : incidents) {
      CHECK(incident.player == "B");
      CHECK(incident.location == bad.address().text());
      CHECK(incident.reason.starts_with(row.reason));
      CHECK(incident.excerpt.find("genmove") != std::string::npos);
      CHECK(incident.when > 1'700'000'000);
    }
  }
}

TEST_CASE("a game that is too long is a draw") {
  const Peer peer;
  const ScratchFolder folder;
  Match match = match_between(peer, peer, "connect4", 2);
  match.max_plies = 5;
  const PlayedMatch played(match, conduct_in(folder.path()));
  const auto records = records_in(folder.path(), match);
  REQUIRE(records.size() == 4);
  for (const PlayedGame& record : records) {
    CHECK(record.plies == 5);
    CHECK(record.winner == "draw");
    CHECK(record.reason == "length");
    CHECK(fault_in(match, record) == "");
  }
}

TEST_CASE("a match is continued, and made longer") {
  const Peer a;
  const Peer b({.manner = Manner::crashes, .one_in = 4, .from_ply = 8});
  const ScratchFolder whole;
  const ScratchFolder parts;
  const Match match = match_between(a, b, "connect4", 15);
  const PlayedMatch at_once(match, conduct_in(whole.path()));
  for (const int games : {2, 10, 10, 30}) {
    Match part = match;
    part.games = games;
    const PlayedMatch played(part, conduct_in(parts.path(), games % 7 + 1));
  }
  for (const char* file : made_files)
    CHECK(text_without_seconds(whole / file) == text_without_seconds(parts / file));

  // What is complete needs no server.
  std::filesystem::remove(parts / "summary.json");
  Match later = match;
  for (Player& player : later.players) player.location = Address{"127.0.0.1", 1};
  CHECK(PlayedMatch(later, conduct_in(parts.path())).kind() == Kind::complete);
  for (const char* file : made_files)
    CHECK(text_without_seconds(whole / file) == text_without_seconds(parts / file));

  // Nor is less than what was played an experiment's rest.
  Match less = match;
  less.games = 28;
  CHECK_THROWS_AS(PlayedMatch(less, conduct_in(parts.path())), UserError);
}

TEST_CASE("a server's faults are found before the first game, and nothing is written") {
  const Peer good;
  const ScratchFolder folder;
  const auto check_refused = [&](const Match& match, const char* words) {
    std::string message;
    try {
      const PlayedMatch played(match, conduct_in(folder / "match"));
    } catch (const UserError& e) {
      message = e.what();
    }
    CAPTURE(message);
    CHECK(message.find(words) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "match"));
  };
  {
    Match match = match_between(good, good, "connect4", 10);
    match.players[1].location = Address{"127.0.0.1", 1};
    check_refused(match, "no daemon at 127.0.0.1:1 (Connection refused); start one: pitbossd");
  }
  {
    const Peer other({.has_game = false});
    check_refused(match_between(good, other, "connect4", 10), "does not have the game connect4");
  }
  {
    const Peer stubborn({.manner = Manner::refuses_options});
    check_refused(match_between(stubborn, good, "connect4", 10),
                  "refused: setoption name k value 0.5: not here");
  }
}

TEST_CASE("a server that takes fewer games than asked for gets fewer") {
  const Peer good;
  const Peer small({.max_connections = 3});
  const ScratchFolder folder;
  const Match match = match_between(good, small, "connect4", 20);
  Conduct conduct = conduct_in(folder.path(), 8);
  std::string notes;
  conduct.on_note = [&](const std::string& text) { notes += text + "\n"; };
  const PlayedMatch played(match, conduct);
  CHECK(played.kind() == Kind::complete);
  CHECK(played.standings().games() == 40);
  CHECK(played.standings().forfeits() == 0);
  CAPTURE(notes);
  CHECK(notes.find(small.address().text() + " takes no more than") != std::string::npos);
}

TEST_CASE("where time bounds searches, a server has no more of them than workers") {
  const tests::RunningServer server;
  for (const bool has_adjudication : {false, true}) {  // duels, or move by move
    for (const std::string bound : {"movetime", "clock", "cputime", "simulations"}) {
      CAPTURE(has_adjudication);
      CAPTURE(bound);
      const bool is_timed = bound == "movetime" || bound == "clock";
      const bool is_counted = bound == "simulations";
      Match match = made_match("connect4", "A", "B", tests::sanitized ? 4 : 12);
      for (Player& player : match.players) {
        player.location = Address{"127.0.0.1", server.port()};
        const char* const simulations = tests::sanitized ? "2000" : "20000";
        player.options = {{"simulations", is_counted ? simulations : "0"},
                          {"movetime", bound == "movetime" ? "3" : "0"},
                          {"cputime", bound == "cputime" ? "3" : "0"}};
        if (bound == "clock") player.clock = parse_time_control("0.2+0.005");
      }
      match.time_margin = 5min;  // nobody loses by what else the machine does
      if (has_adjudication) match.adjudication.resign_moves = 100;
      const ScratchFolder folder;
      Conduct conduct = conduct_in(folder.path(), 8);
      std::string notes;
      conduct.on_note = [&](const std::string& text) { notes += text + "\n"; };
      int most = 0;
      std::jthread counter([&](const std::stop_token& stop) {
        for (; !stop.stop_requested(); std::this_thread::sleep_for(200us)) {
          most = std::max(most, server.counts().searching);
        }
      });
      const PlayedMatch played(match, conduct);
      counter.request_stop();
      counter.join();
      CHECK(played.kind() == Kind::complete);
      CHECK(played.standings().forfeits() == 0);
      CHECK(played.standings().simulations(0).value_or(0) > 0);
      CHECK(played.standings().processors(1).value_or(0) > 0);
      const std::string location = text_of(match.players[0].location);
      if (is_timed) {
        CHECK(most <= 2);
        CHECK(notes == location +
                           " plays 2 games at once, not 8: time bounds searches there, and "
                           "it has 2 workers\n");
      } else {
        CHECK(most > 2);
        CHECK(notes.empty());
      }
    }
  }
}

TEST_CASE("a server that does not tell its workers may starve searches, and the user is told") {
  const Peer peer({.params = R"({"movetime": 25})"});
  const ScratchFolder folder;
  Conduct conduct = conduct_in(folder.path(), 3);
  std::string notes;
  conduct.on_note = [&](const std::string& text) { notes += text + "\n"; };
  const PlayedMatch played(match_between(peer, peer, "connect4", 1), conduct);
  CHECK(played.kind() == Kind::complete);
  CHECK(notes == peer.address().text() +
                     " does not tell how many searches it runs at once: if these are fewer than 3, "
                     "searches bounded by time get less than a processor each\n");
}

TEST_CASE("a run stops when a server is gone for good, and loses nothing") {
  const ScratchFolder whole;
  const ScratchFolder folder;
  const Peer good;
  Match match = match_between(good, good, "connect4", 20);
  const PlayedMatch at_once(match, conduct_in(whole.path()));

  // The match is played in pieces: each time the server breaks down for good.
  int stops = 0;
  for (bool is_complete = false; !is_complete && stops < 20; ++stops) {
    const Peer frail({.manner = stops < 3 ? Manner::stops_listening : Manner::plays, .one_in = 6});
    match.players[1].location = frail.address();
    const PlayedMatch played(match, conduct_in(folder.path(), 1));
    is_complete = played.kind() == Kind::complete;
    if (is_complete) continue;
    CHECK(played.kind() == Kind::stopped);
    CHECK(played.why().find(frail.address().text() + " is gone") != std::string::npos);
    CHECK(played.standings().games() < 40);
    const auto summary = nlohmann::json::parse(read_text(folder / "summary.json"));
    CHECK(summary["complete"] == false);
    CHECK(summary["games"] == played.standings().games());
  }
  CHECK(stops == 4);
  for (const char* file : made_files)
    CHECK(text_without_seconds(whole / file) == text_without_seconds(folder / file));
}

TEST_CASE("the other matches go on when a server is gone") {
  const Peer good;
  const Peer frail({.manner = Manner::stops_listening, .one_in = 3});
  Experiment experiment;
  experiment.matches = {match_between(good, frail, "connect4", 10),
                        match_between(good, good, "connect4", 10)};
  experiment.matches[1].players[1].name = "C";
  const ScratchFolder folder;
  const RunEnd end = run_experiment(experiment, conduct_in(folder.path(), 4));
  CHECK(end.kind == Kind::stopped);
  CHECK_FALSE(end.contents.results.matches()[0].is_over());
  CHECK(end.contents.results.matches()[1].is_over());
  CHECK(end.contents.results.forfeits() == 0);
}

TEST_CASE("a run whose games nobody wants in the end has its results") {
  const Peer peer;
  Experiment experiment;
  experiment.matches = {match_between(peer, peer, "connect4", 5)};
  for (const bool wants_games : {false, true}) {
    const ScratchFolder folder;
    Conduct conduct = conduct_in(folder.path());
    conduct.wants_games = wants_games;
    for (int run = 0; run < 2; ++run) {  // the second one plays nothing
      const RunEnd end = run_experiment(experiment, conduct);
      CHECK(end.kind == Kind::complete);
      CHECK(end.contents.results.games() == 10);
      CHECK(end.contents.played.size() == (wants_games ? 5 : 0));
    }
  }
}

TEST_CASE("a player that only breaks down ends its match after a few games") {
  const Peer good;
  const Peer bad({.manner = Manner::plays_illegal});
  Experiment experiment;
  experiment.matches = {match_between(good, bad, "connect4", 500)};
  const ScratchFolder folder;
  const RunEnd end = run_experiment(experiment, conduct_in(folder.path(), 1));
  CHECK(end.kind == Kind::complete);
  CHECK(end.contents.results.games() == 4);
  CHECK(end.contents.results.matches()[0].is_given_up());
}

TEST_CASE("a match ends with its test's decision, at any concurrency after the same game") {
  const Peer good;
  const Peer bad({.manner = Manner::resigns});
  Experiment experiment;
  experiment.matches = {match_between(good, bad, "connect4", 500)};
  experiment.sprt = SprtPlan{.elo0 = 0, .elo1 = 50};
  int games = 0;
  for (const int concurrency : {1, 8}) {
    const ScratchFolder folder;
    const RunEnd end = run_experiment(experiment, conduct_in(folder.path(), concurrency));
    CHECK(end.kind == Kind::complete);
    const MatchResults& match = end.contents.results.matches()[0];
    CHECK(match.verdict() == SprtVerdict::accept_elo1);
    CHECK(match.standings().games() < 500);
    if (games == 0) games = match.standings().games();
    CHECK(match.standings().games() == games);
    // Asked again, nothing is played.
    const int asked = good.asked();
    CHECK(run_experiment(experiment, conduct_in(folder.path())).kind == Kind::complete);
    CHECK(good.asked() == asked);
  }
}

}  // namespace pitboss::clients
