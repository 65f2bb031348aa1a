#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/sanitized.hpp"

// Matches at games for more than two, over sockets.

namespace pitboss::clients {

using peers::Manner;
using peers::Peer;
using Kind = RunEnd::Kind;

namespace {

/// The result of a finished game, as our rules have it.
std::string result_of(const PlayedGame& record, const Match& match) {
  const auto position = match.initial_position();
  for (const std::string& move : split(record.moves)) position->play(move);
  REQUIRE(position->result().finished());
  return games::score_text(*position);
}

}  // namespace

TEST_CASE("two players sit at a game for three and four in every way") {
  const Peer a;
  const Peer b({.manner = Manner::crashes, .one_in = 5, .from_ply = 20});
  for (const char* game : {"rolit players=2", "rolit players=3", "rolit players=4"}) {
    CAPTURE(game);
    const ScratchFolder folder;
    const Match match = match_between(a, b, game, 3);
    const PlayedMatch played(match, conduct_in(folder.path(), 4));
    CHECK(played.kind() == Kind::complete);

    const auto records = records_in(folder.path(), match);
    REQUIRE(records.size() == static_cast<std::size_t>(match.games));
    int crashes = 0;
    for (int i = 0; i < match.games; ++i) {
      CAPTURE(i);
      const PlayedGame& record = records[i];
      CHECK(record.round == i / match.round() + 1);
      CHECK(record.opening == records[i / match.round() * match.round()].opening);
      CHECK(std::ranges::count(record.opening, ' ') + 1 ==
            static_cast<std::ptrdiff_t>(match.colours.size()));
      CHECK(record.seats == seats_in(match, i));
      if (engine_seed(match, i, 1) % 5 != 0) {
        CHECK(record.reason == "rules");
        CHECK(record.result == result_of(record, match));
        continue;
      }
      ++crashes;
      CHECK(record.winner == "A");
      CHECK(record.twelfths == whole_point);
      CHECK(record.reason == "connection closed");
      CHECK(record.result == sides_of(match).letters_of(seating_of(match, i).seats_of(0)) + "+F");
    }
    CHECK(played.standings().forfeits() == crashes);
    CHECK(played.standings().failures(0).empty());
  }
}

TEST_CASE("the referee tells each player what the other has played, and nothing else") {
  // A peer refuses a move that it has played itself, and a move out of turn.
  const Peer a;
  const Peer b;
  const ScratchFolder folder;
  const Match match = match_between(a, b, "rolit players=4", 1);
  CHECK(PlayedMatch(match, conduct_in(folder.path(), 1)).standings().forfeits() == 0);
  CHECK(a.asked() + b.asked() == match.games * (60 - 4));
  CHECK(a.asked() == b.asked());
  // One connection for each player, whatever its seats, and one to see whether the server lives.
  CHECK(a.connections() == 2);
  CHECK(b.connections() == 2);
}

TEST_CASE("a game for three that is too long is half a point for each player") {
  const Peer peer;
  const ScratchFolder folder;
  Match match = match_between(peer, peer, "rolit players=3", 1);
  match.max_plies = 7;
  const PlayedMatch played(match, conduct_in(folder.path(), 2));
  for (const PlayedGame& record : records_in(folder.path(), match)) {
    CHECK(record.plies == 7);
    CHECK(record.winner == "draw");
    CHECK(record.result == "0");
    CHECK(record.twelfths == whole_point / 2);
    CHECK(record.reason == "length");
  }
  CHECK(played.standings().tally(0) == Tally{0, 6, 0, 36});
}

TEST_CASE("a match for three and four goes on after an interruption as if there had been none" *
          doctest::skip(tests::sanitized)) {
  const Peer a;
  const Peer b({.manner = Manner::resigns, .one_in = 4, .from_ply = 10});
  for (const char* game : {"rolit players=3", "rolit players=4"}) {
    CAPTURE(game);
    const ScratchFolder whole;
    const ScratchFolder parts;
    // Takes longer than what is to be written is gathered.
    const Match match = match_between(a, b, game, 80);
    const PlayedMatch at_once(match, conduct_in(whole.path(), 3));

    Conduct conduct = conduct_in(parts.path(), 5);
    conduct.handles_signals = true;
    conduct.on_progress = [&](const Results& results) {
      if (results.games() > 0) std::raise(SIGTERM);
    };
    CHECK(PlayedMatch(match, conduct).kind() == Kind::interrupted);
    const auto begun = records_in(parts.path(), match);
    CHECK(begun.size() % static_cast<std::size_t>(match.round()) == 0);
    CHECK(begun.size() < static_cast<std::size_t>(match.games));
    CHECK(nlohmann::json::parse(read_text(parts / "summary.json"))["complete"] == false);

    CHECK(PlayedMatch(match, conduct_in(parts.path(), 2)).kind() == Kind::complete);
    for (const char* file : {"games.csv", "summary.json"}) {
      CAPTURE(file);
      CHECK(text_without_seconds(whole / file) == text_without_seconds(parts / file));
    }
  }
}

TEST_CASE("an interrupted run finishes the rounds in play") {
  const Peer peer;
  const ScratchFolder folder;
  const Match match = match_between(peer, peer, "rolit players=3", 120);
  Conduct conduct = conduct_in(folder.path(), 3);
  conduct.handles_signals = true;
  std::string notes;
  conduct.on_note = [&](const std::string& text) { notes += text; };
  bool is_first = true;
  conduct.on_progress = [&](const Results& results) {
    if (results.games() > 0 && std::exchange(is_first, false)) std::raise(SIGINT);
  };
  const PlayedMatch played(match, conduct);
  CHECK(played.kind() == Kind::interrupted);
  CHECK(notes.find("finishing the rounds in play") != std::string::npos);
  const int moves = peer.asked();
  // Every game that was begun is recorded: no move was asked for in vain.
  int recorded = 0;
  for (const PlayedGame& record : records_in(folder.path(), match)) recorded += record.plies - 3;
  CHECK(recorded == moves);
  CHECK(recorded < match.games * 60);
}

}  // namespace pitboss::clients
