#include "clients/referee/run_match.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "clients/referee/game_record.hpp"
#include "clients/user_error.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/peers/peer.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;
using games::Colour;
using peers::Manner;
using peers::Peer;

namespace {

Match match_between(const Peer& a, const Peer& b, int games, const std::string& game = "connect4") {
  Match match;
  set_game(match, game);
  match.players[0] = parse_player("name=A k=0.5", {a.address()}, 0);
  match.players[1] = parse_player("name=B", {b.address()}, 0);
  match.games = games;
  match.seed = 7;
  match.move_timeout = 20s;
  return match;
}

MatchConduct conduct_in(const std::filesystem::path& folder, int concurrency = 8) {
  MatchConduct conduct;
  conduct.folder = folder;
  conduct.concurrency = concurrency;
  conduct.reconnect = 100ms;
  return conduct;
}

std::vector<GameRecord> records_in(const std::filesystem::path& folder, const Match& match) {
  std::istringstream lines(read_text(folder / "games.csv"));
  std::string line;
  std::getline(lines, line);
  CHECK(line == csv_header);
  std::vector<GameRecord> out;
  while (std::getline(lines, line)) out.push_back(parse_csv_line(line, sides_of(match)));
  return out;
}

/// Plays a recorded game again: everything but the result of a forfeit follows from the moves.
void check_record(const GameRecord& record, const Match& match) {
  const auto position = match.initial_position();
  std::istringstream moves(record.moves);
  for (std::string move; moves >> move;) {
    REQUIRE_FALSE(position->result().finished());
    CHECK(position->canonical(move) == move);
    position->play(move);
  }
  CHECK(record.moves.starts_with(record.opening));
  CHECK(position->result().finished() == (record.reason == "rules"));
  if (record.reason != "rules") return;
  double points = 0;
  for (std::size_t c = 0; c < record.seats.size(); ++c) {
    if (record.seats[c] == "A") points += position->result().share(static_cast<Colour>(c));
  }
  CHECK(record.twelfths / 12.0 == doctest::Approx(points));
  CHECK(record.winner == (points == 1 ? "A" : points == 0 ? "B" : "draw"));
}

}  // namespace

TEST_CASE("run_match between good engines") {
  const Peer a;
  const Peer b({.manner = Manner::writes_windows});
  for (const std::string_view game : games::game_names()) {
    CAPTURE(game);
    const ScratchFolder folder;
    Match match = match_between(a, b, 10, std::string(game));
    const int round = match.round();
    if (match.games % round != 0) match.games = round;
    const MatchEnd end = run_match(match, conduct_in(folder.path()));
    CHECK(end.kind == MatchEnd::Kind::complete);
    CHECK(end.standings.games() == match.games);
    CHECK(end.standings.forfeits() == 0);

    const auto records = records_in(folder.path(), match);
    REQUIRE(records.size() == static_cast<std::size_t>(match.games));
    for (int i = 0; i < match.games; ++i) {
      check_record(records[i], match);
      CHECK(records[i].game == i + 1);
      CHECK(records[i].opening == records[i / round * round].opening);
      CHECK(records[i].seats == seats_in(match, i));
    }
  }
}

TEST_CASE("run_match writes the same bytes whatever the concurrency") {
  const Peer a({.manner = Manner::crashes, .one_in = 5, .from_ply = 6});
  const Peer b({.manner = Manner::plays_illegal, .one_in = 7});
  const ScratchFolder one;
  const ScratchFolder eight;
  const Match match = match_between(a, b, 100);
  run_match(match, conduct_in(one.path(), 1));
  run_match(match, conduct_in(eight.path(), 8));
  for (const char* file : {"games.csv", "summary.json", "match.json"}) {
    CAPTURE(file);
    CHECK(read_text(one / file) == read_text(eight / file));
  }
}

TEST_CASE("run_match counts every way to fail as a loss, and goes on") {
  struct Row {
    Manner manner;
    const char* reason;  ///< how the record begins
    const char* kind;    ///< how it is counted
  };
  constexpr Row rows[] = {
      {Manner::falls_silent, "no answer in 0.2 s", "no answer in 0.2 s"},
      {Manner::crashes, "connection closed", "connection closed"},
      {Manner::half_answers, "connection closed", "connection closed"},
      {Manner::plays_illegal, "illegal move: e9", "illegal move"},
      {Manner::plays_nothing, "illegal move: (nothing)", "illegal move"},
      {Manner::talks_garbage, "garbage: Segmentation \"fault\", sorry?", "garbage"},
      {Manner::never_ends, "garbage: an answer without end", "garbage"},
      {Manner::forgets_id, "garbage: = ", "garbage"},
      {Manner::answers_twice, "garbage: =", "garbage"},
      {Manner::refuses, "refused: genmove ", "refused"},
      {Manner::refuses_play, "refused: play ", "refused"},
      {Manner::resigns, "resigned", ""},
  };
  const Peer good;
  for (const Row& row : rows) {
    CAPTURE(row.reason);
    constexpr int games = 12;
    const Peer bad({.manner = row.manner, .one_in = 2});
    const ScratchFolder folder;
    Match match = match_between(good, bad, games);
    if (row.manner == Manner::falls_silent) match.move_timeout = 200ms;
    const MatchEnd end = run_match(match, conduct_in(folder.path()));
    CHECK(end.kind == MatchEnd::Kind::complete);
    CHECK(end.standings.games() == games);

    int expected = 0;
    const auto records = records_in(folder.path(), match);
    REQUIRE(records.size() == games);
    for (int game = 0; game < games; ++game) {
      CAPTURE(game);
      const GameRecord& record = records[game];
      check_record(record, match);
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
    CHECK(end.standings.failures(0).empty());
    if (row.manner == Manner::resigns) {
      CHECK(end.standings.forfeits() == 0);
      CHECK(end.standings.resignations(1) == expected);
    } else {
      CHECK(end.standings.forfeits() == expected);
      CHECK(end.standings.failures(1).at(row.kind) == expected);
    }
  }
}

TEST_CASE("run_match ends a game that is too long as a draw") {
  const Peer peer;
  const ScratchFolder folder;
  Match match = match_between(peer, peer, 4);
  match.max_plies = 5;
  run_match(match, conduct_in(folder.path()));
  for (const GameRecord& record : records_in(folder.path(), match)) {
    CHECK(record.plies == 5);
    CHECK(record.winner == "draw");
    CHECK(record.reason == "length");
  }
}

TEST_CASE("run_match summarises") {
  const Peer a;
  const Peer b({.manner = Manner::crashes, .one_in = 3});
  const ScratchFolder folder;
  const Match match = match_between(a, b, 40);
  const MatchEnd end = run_match(match, conduct_in(folder.path()));
  const auto summary = nlohmann::json::parse(read_text(folder / "summary.json"));
  CHECK(summary["complete"] == true);
  CHECK(summary["games"] == 40);
  CHECK(summary["wins"].get<int>() + summary["draws"].get<int>() + summary["losses"].get<int>() ==
        40);
  CHECK(summary["score"].get<double>() == end.standings.tally(0).score());
  CHECK(summary["interval"][0].get<double>() < summary["score"].get<double>());
  CHECK(summary["distinct_games"] == end.standings.distinct());
  CHECK(summary["failures"] == end.standings.forfeits());
  REQUIRE(summary["players"].size() == 2);
  const auto& [first, second] = std::pair(summary["players"][0], summary["players"][1]);
  CHECK(first["name"] == "A");
  CHECK(first["options"]["k"] == "0.5");
  CHECK(first["wins"] == second["losses"]);
  CHECK(first["black"]["games"] == 20);
  CHECK(first["black"]["wins"] == second["white"]["losses"]);
  CHECK(first["failures"].empty());
  CHECK(second["failures"]["connection closed"] == summary["failures"]);
}

TEST_CASE("run_match continues a match, and a longer one") {
  const Peer a;
  const Peer b({.manner = Manner::crashes, .one_in = 4, .from_ply = 8});
  const ScratchFolder whole;
  const ScratchFolder parts;
  const Match match = match_between(a, b, 30);
  run_match(match, conduct_in(whole.path()));
  for (const int games : {2, 10, 10, 30}) {
    Match part = match;
    part.games = games;
    run_match(part, conduct_in(parts.path(), games % 7 + 1));
  }
  CHECK(read_text(whole / "games.csv") == read_text(parts / "games.csv"));
  CHECK(read_text(whole / "summary.json") == read_text(parts / "summary.json"));

  // What is complete needs no server.
  std::filesystem::remove(parts / "summary.json");
  Match later = match;
  later.players[0].place = Address{"127.0.0.1", 1};
  later.players[1].place = Address{"127.0.0.1", 1};
  CHECK(run_match(later, conduct_in(parts.path())).kind == MatchEnd::Kind::complete);
  CHECK(read_text(whole / "summary.json") == read_text(parts / "summary.json"));
}

TEST_CASE("run_match finds a server's faults before the first game, and writes nothing") {
  const Peer good;
  const ScratchFolder folder;
  const auto check_refused = [&](const Match& match, const char* words) {
    std::string message;
    try {
      run_match(match, conduct_in(folder / "match"));
    } catch (const UserError& e) {
      message = e.what();
    }
    CAPTURE(message);
    CHECK(message.find(words) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "match"));
  };
  {
    Match match = match_between(good, good, 20);
    match.players[1].place = Address{"127.0.0.1", 1};
    check_refused(match, "127.0.0.1:1 cannot be used by B: ");
  }
  {
    const Peer other({.has_game = false});
    check_refused(match_between(good, other, 20), "(Peer) does not have the game connect4");
  }
  {
    const Peer stubborn({.manner = Manner::refuses_options});
    check_refused(match_between(stubborn, good, 20),
                  "refused: setoption name k value 0.5: not here");
  }
  {
    const Peer small({.max_connections = 5});
    check_refused(match_between(good, small, 20), "lower --concurrency");
    CHECK(run_match(match_between(good, small, 4), conduct_in(folder / "match")).kind ==
          MatchEnd::Kind::complete);
  }
}

TEST_CASE("run_match stops when no server can be reached any more, and loses nothing") {
  const ScratchFolder whole;
  const ScratchFolder folder;
  const Peer good;
  Match match = match_between(good, good, 40);
  run_match(match, conduct_in(whole.path()));

  // The match is played in pieces: each time the server breaks down for good.
  int stops = 0;
  for (bool is_complete = false; !is_complete && stops < 20; ++stops) {
    const Peer frail({.manner = stops < 3 ? Manner::stops_listening : Manner::plays, .one_in = 6});
    match.players[1].place = frail.address();
    const MatchEnd end = run_match(match, conduct_in(folder.path(), 1));
    is_complete = end.kind == MatchEnd::Kind::complete;
    if (is_complete) continue;
    CHECK(end.kind == MatchEnd::Kind::stopped);
    CHECK(end.why.find("found no server") != std::string::npos);
    CHECK(end.standings.games() < 40);
    const auto summary = nlohmann::json::parse(read_text(folder / "summary.json"));
    CHECK(summary["complete"] == false);
    CHECK(summary["games"] == end.standings.games());
  }
  CHECK(stops == 4);

  const auto expected = records_in(whole.path(), match);
  const auto records = records_in(folder.path(), match);
  REQUIRE(records.size() == expected.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    CHECK(records[i].reason != "unreachable");
    if (records[i].reason == "rules") CHECK(records[i] == expected[i]);
  }
}

TEST_CASE("a game without a server is lost if the match goes on without it") {
  const Peer good;
  const Peer frail({.manner = Manner::stops_listening});
  const ScratchFolder folder;
  const MatchEnd end = run_match(match_between(good, frail, 6), conduct_in(folder.path(), 1));
  CHECK(end.kind == MatchEnd::Kind::complete);
  CHECK(end.standings.tally(0) == Tally{6, 0, 0});
  CHECK(end.standings.failures(1).at("connection closed") == 1);
  CHECK(end.standings.failures(1).at("unreachable") == 5);
}

}  // namespace pitboss::clients
