#pragma once

#include <string>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "games/random.hpp"
#include "tests/clients/referee/made_games.hpp"

/// Sound records, made without engines.
namespace pitboss::clients {

/// Game number `game` (from 0), played at random from its number.
inline PlayedGame recorded_game(const Match& match, int game) {
  const auto opening = opening_of(match, round_of(match, game));
  auto position = match.initial_position();
  for (const std::string& move : opening) position->play(move);
  std::vector<std::string> moves = opening;
  games::Random random(static_cast<std::uint64_t>(game) + 1);
  while (!position->result().finished()) {
    const auto legal = position->legal_moves();
    moves.push_back(legal[random.below(static_cast<int>(legal.size()))]);
    position->play(moves.back());
  }
  PlayedGame record;
  record.game = game + 1;
  record.round = round_of(match, game) + 1;
  record.opening = join(opening);
  record.seats = seats_in(match, game);
  record.result = games::score_text(*position);
  record.reason = "rules";
  record.moves = join(moves);
  record.plies = static_cast<int>(moves.size());
  record.seconds = {0.25 * game, 0.5};
  std::vector<std::optional<double>> values(moves.size());
  for (std::size_t i = opening.size(); i < moves.size(); i += 2) {
    values[i] = static_cast<double>(random.below(1001)) / 1000;
  }
  record.values = values_text(values);
  record.evaluations = {Evaluations{100, game}, Evaluations{}};
  record.efforts[0] = efforts_text({{100 + game, 7, 250, 260}, {90, {}, {}, {}}});
  std::vector<std::optional<protocol::TimeLeft>> clocks(moves.size());
  clocks.back() = {std::chrono::milliseconds(1234), 0};
  record.clocks = clocks_text(clocks);
  record.latency = {0.125, 0.5};
  settle(record, sides_of(match));
  return record;
}

/// The games of a round, from 0.
inline PlayedRound recorded_round(const Experiment& experiment, int match, int round) {
  const Match& m = experiment.matches[match];
  constexpr std::int64_t new_year = 1767225600;  // 2026-01-01 00:00:00
  PlayedRound out{match, round, {}, new_year + 10 * round, new_year + 10 * round + 15};
  for (int i = 0; i < m.round(); ++i) {
    out.games.push_back(recorded_game(m, round * m.round() + i));
  }
  return out;
}

/// A referee of this id in a folder of this name.
inline RefereeEntry made_referee(const std::string& id, const std::string& folder) {
  RefereeEntry out;
  out.id = id;
  out.name = "here:" + folder;
  out.host = "here";
  out.processor = "abacus, 1 thread";
  out.program = "pitboss 0";
  return out;
}

/// Writes a round into a ledger that is open for writing.
inline void record(Ledger& ledger, const PlayedRound& round) {
  ledger.transact([&] {
    const auto lease = ledger.claim(round.match, round.round);
    if (lease) ledger.finish(*lease, round);
  });
}

}  // namespace pitboss::clients
