#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "clients/referee/game_record.hpp"
#include "clients/referee/run_match.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/peers/peer.hpp"

// Matches at games for more than two, over sockets.

namespace pitboss::clients {

using namespace std::chrono_literals;
using games::Colour;
using peers::Manner;
using peers::Peer;

namespace {

Match match_between(const Peer& a, const Peer& b, const std::string& game, int rounds) {
  Match match;
  set_game(match, game);
  match.players[0] = parse_player("name=A", {a.address()}, 0);
  match.players[1] = parse_player("name=B", {b.address()}, 0);
  match.games = rounds * match.round();
  match.seed = 5;
  match.move_timeout = 20s;
  return match;
}

MatchConduct conduct_in(const std::filesystem::path& folder, int concurrency) {
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
  std::vector<GameRecord> out;
  while (std::getline(lines, line)) out.push_back(parse_csv_line(line, sides_of(match)));
  return out;
}

/// The colours that share the point of a finished game, as results write them.
std::string winners_of(const GameRecord& record, const Match& match) {
  const auto position = match.initial_position();
  std::istringstream moves(record.moves);
  for (std::string move; moves >> move;) position->play(move);
  REQUIRE(position->result().finished());
  ColourSet winners = 0;
  for (int c = 0; c < position->players(); ++c) {
    if (position->result().share(static_cast<Colour>(c)) > 0) winners |= 1U << c;
  }
  const Sides sides = sides_of(match);
  if (winners == sides.all()) return "0";
  return sides.letters_of(winners) + "+" + std::to_string(position->margin());
}

}  // namespace

TEST_CASE("run_match seats two players at a game for three and four in every way") {
  const Peer a;
  const Peer b({.manner = Manner::crashes, .one_in = 5, .from_ply = 20});
  for (const char* game : {"rolit players=2", "rolit players=3", "rolit players=4"}) {
    CAPTURE(game);
    const ScratchFolder folder;
    const Match match = match_between(a, b, game, 3);
    const MatchEnd end = run_match(match, conduct_in(folder.path(), 4));
    CHECK(end.kind == MatchEnd::Kind::complete);

    const auto records = records_in(folder.path(), match);
    REQUIRE(records.size() == static_cast<std::size_t>(match.games));
    int crashes = 0;
    for (int i = 0; i < match.games; ++i) {
      CAPTURE(i);
      const GameRecord& record = records[i];
      CHECK(record.round == i / match.round() + 1);
      CHECK(record.opening == records[i / match.round() * match.round()].opening);
      CHECK(std::ranges::count(record.opening, ' ') + 1 ==
            static_cast<std::ptrdiff_t>(match.colours.size()));
      CHECK(record.seats == seats_in(match, i));
      if (engine_seed(match, i, 1) % 5 != 0) {
        CHECK(record.reason == "rules");
        CHECK(record.result == winners_of(record, match));
        continue;
      }
      ++crashes;
      CHECK(record.winner == "A");
      CHECK(record.twelfths == whole_point);
      CHECK(record.reason == "connection closed");
      CHECK(record.result == sides_of(match).letters_of(seating_of(match, i).seats_of(0)) + "+F");
    }
    CHECK(end.standings.forfeits() == crashes);
    CHECK(end.standings.failures(0).empty());
  }
}

TEST_CASE("run_match tells each player what the other has played, and nothing else") {
  // A peer refuses a move that it has played itself, and a move out of turn.
  const Peer a;
  const Peer b;
  const ScratchFolder folder;
  const Match match = match_between(a, b, "rolit players=4", 1);
  CHECK(run_match(match, conduct_in(folder.path(), 1)).standings.forfeits() == 0);
  CHECK(a.asked() + b.asked() == match.games * (60 - 4));
  CHECK(a.asked() == b.asked());
  // One connection for each player, whatever its seats.
  CHECK(a.connections() == 1);
  CHECK(b.connections() == 1);
}

TEST_CASE("a game for three that is too long is half a point for each player") {
  const Peer peer;
  const ScratchFolder folder;
  Match match = match_between(peer, peer, "rolit players=3", 1);
  match.max_plies = 7;
  const MatchEnd end = run_match(match, conduct_in(folder.path(), 2));
  for (const GameRecord& record : records_in(folder.path(), match)) {
    CHECK(record.plies == 7);
    CHECK(record.winner == "draw");
    CHECK(record.result == "0");
    CHECK(record.twelfths == whole_point / 2);
    CHECK(record.reason == "length");
  }
  CHECK(end.standings.tally(0) == Tally{0, 6, 0, 36});
}

TEST_CASE("a match for three and four goes on after an interruption as if there had been none") {
  const Peer a;
  const Peer b({.manner = Manner::resigns, .one_in = 4, .from_ply = 10});
  for (const char* game : {"rolit players=3", "rolit players=4"}) {
    CAPTURE(game);
    const ScratchFolder whole;
    const ScratchFolder parts;
    const Match match = match_between(a, b, game, 4);
    run_match(match, conduct_in(whole.path(), 3));
    const std::string games = read_text(whole / "games.csv");

    MatchConduct conduct = conduct_in(parts.path(), 5);
    conduct.handles_signals = true;
    conduct.on_progress = [&](const Results& results) {
      if (results.games() == match.round()) std::raise(SIGINT);
    };
    const MatchEnd end = run_match(match, conduct);
    CHECK(end.kind == MatchEnd::Kind::interrupted);
    const std::string begun = read_text(parts / "games.csv");
    CHECK(games.starts_with(begun));
    CHECK((std::ranges::count(begun, '\n') - 1) % match.round() == 0);
    CHECK(nlohmann::json::parse(read_text(parts / "summary.json"))["complete"] == false);

    // A crash in the middle of the next round.
    write_text(parts / "games.csv", games.substr(0, begun.size() + 1000));
    CHECK(run_match(match, conduct_in(parts.path(), 2)).kind == MatchEnd::Kind::complete);
    for (const char* file : {"games.csv", "summary.json", "match.json"}) {
      CAPTURE(file);
      CHECK(read_text(whole / file) == read_text(parts / file));
    }
  }
}

}  // namespace pitboss::clients
