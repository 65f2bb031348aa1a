#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "clients/referee/ledger/engines_table.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/ledger_file.hpp"

// The members of Ledger that read it.

namespace pitboss::clients {

using SQLite::Statement;

namespace {

/// Reads the columns from `column` on; the caller sets the round, which follows from the number.
PlayedGame game_of(Statement& row, int column) {
  const auto number = [&] { return row.getColumn(column++).getInt(); };
  const auto text = [&] { return row.getColumn(column++).getString(); };
  const auto seconds = [&] { return row.getColumn(column++).getDouble(); };
  PlayedGame game;
  game.game = number();
  game.opening = text();
  game.seats = split(text());
  game.winner = text();
  game.result = text();
  game.twelfths = number();
  game.reason = text();
  game.plies = number();
  game.moves = text();
  game.seconds[0] = seconds();
  game.seconds[1] = seconds();
  game.values = text();
  for (Evaluations& evaluations : game.evaluations) {
    evaluations.remote = row.getColumn(column++).getInt64();
    evaluations.local = row.getColumn(column++).getInt64();
  }
  for (std::string& efforts : game.efforts) efforts = text();
  game.clocks = text();
  game.latency[0] = seconds();
  game.latency[1] = seconds();
  return game;
}

}  // namespace

std::vector<PlayedRound> Ledger::played() const {
  std::vector<PlayedRound> out;
  if (!file_) return out;
  with_ledger("cannot read", file_->path, [&] {
    // Games are written together with the end of their round: unfinished rounds have none.
    const bool is_older = file_->format < 2;
    const bool has_evaluations = file_->format >= 3;
    const bool has_efforts = file_->format >= 4;
    Statement row(
        file_->database,
        std::string(is_older ? "SELECT 0, 0, " : "SELECT rounds.begun, rounds.ended, ") +
            "games.number, opening, seats, winner, result, twelfths, reason, plies, moves, "
            "seconds1, seconds2, " +
            (is_older ? "''" : "move_values") +
            (has_evaluations ? ", remote1, local1, remote2, local2" : ", 0, 0, 0, 0") +
            (has_efforts ? ", effort1, effort2, clocks, latency1, latency2"
                         : ", '', '', '', 0, 0") +
            " FROM games LEFT JOIN rounds ON games.round = rounds.id "
            "WHERE games.match = ? ORDER BY games.number");
    for (std::size_t match = 0; match < match_ids_.size(); ++match) {
      row.bind(1, match_ids_[match]);
      const auto number = static_cast<int>(match);
      while (row.executeStep()) {
        PlayedGame game = game_of(row, 2);
        game.round = round_of(experiment_.matches[match], game.game - 1) + 1;
        if (out.empty() || out.back().match != number || out.back().round != game.round - 1) {
          out.push_back({number,
                         game.round - 1,
                         {},
                         row.getColumn(0).getInt64(),
                         row.getColumn(1).getInt64()});
        }
        out.back().games.push_back(std::move(game));
      }
      row.reset();
    }
  });
  return out;
}

std::vector<std::string> Ledger::faults() const {
  std::vector<std::string> out;
  if (!file_) return out;
  struct Question {
    const char* query;
    const char* sentence;
  };
  constexpr Question questions[] = {
      {"SELECT count(*) FROM rounds WHERE state = 'done' AND id NOT IN (SELECT round FROM games)",
       "finished rounds have no games"},
      {"SELECT count(*) FROM games WHERE round NOT IN (SELECT id FROM rounds WHERE state = 'done')",
       "games are not of a finished round"},
      {"SELECT count(*) FROM rounds WHERE match NOT IN (SELECT id FROM matches)",
       "rounds are not of a match of the ledger"},
      {"SELECT count(*) FROM games JOIN rounds ON games.round = rounds.id "
       "WHERE games.match <> rounds.match",
       "games are of another match than their rounds"}};
  with_ledger("cannot read", file_->path, [&] {
    for (const auto& [query, sentence] : questions) {
      Statement row(file_->database, query);
      row.executeStep();
      const int count = row.getColumn(0).getInt();
      if (count > 0) out.push_back(std::to_string(count) + " " + sentence);
    }
  });
  return out;
}

Declarations Ledger::declarations() const {
  if (!file_) return Declarations(match_ids_.size());
  return with_ledger("cannot read", file_->path,
                     [&] { return read_engines(file_->database, match_ids_, file_->path); });
}

std::vector<Incident> Ledger::incidents() const {
  std::vector<Incident> out;
  if (!file_) return out;
  with_ledger("cannot read", file_->path, [&] {
    Statement row(file_->database,
                  "SELECT match, game, player, place, reason, is_loss, excerpt, time "
                  "FROM incidents ORDER BY number");
    while (row.executeStep()) {
      const auto match = std::ranges::find(match_ids_, row.getColumn(0).getString());
      if (match == match_ids_.end()) continue;
      out.push_back({static_cast<int>(match - match_ids_.begin()), row.getColumn(1).getInt(),
                     row.getColumn(2).getString(), row.getColumn(3).getString(),
                     row.getColumn(4).getString(), row.getColumn(5).getInt() != 0,
                     row.getColumn(6).getString(), row.getColumn(7).getInt64()});
    }
  });
  return out;
}

}  // namespace pitboss::clients
