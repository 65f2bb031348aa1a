#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/engines_table.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/open_store.hpp"
#include "clients/referee/ledger/plan_table.hpp"

// The members of Ledger that read it.

namespace pitboss::clients {

namespace {

/// Reads the columns from `column` on; the caller sets the round.
PlayedGame game_of(const StoredRow& row, int column) {
  const auto number = [&] { return static_cast<int>(row.number(column++)); };
  const auto text = [&] { return row.text(column++); };
  const auto seconds = [&] { return row.real(column++); };
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
    evaluations.remote = row.number(column++);
    evaluations.local = row.number(column++);
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
  if (!exists_) return out;
  for (int match = 0; match < static_cast<int>(match_ids_.size()); ++match) {
    std::ranges::move(rounds_of(match_ids_[match], match), std::back_inserter(out));
  }
  return out;
}

std::vector<PlayedRound> Ledger::played(
    const std::function<bool(int match, int round)>& is_known) const {
  std::vector<PlayedRound> out;
  if (!exists_) return out;
  for (int match = 0; match < static_cast<int>(match_ids_.size()); ++match) {
    std::vector<int> numbers;
    store_->read("SELECT number FROM rounds WHERE match = $1 AND state = 'done' ORDER BY number",
                 {match_ids_[match]}, [&](const StoredRow& row) {
                   const auto number = static_cast<int>(row.number(0));
                   if (!is_known(match, number)) numbers.push_back(number);
                 });
    const int size = experiment_.matches[match].round();
    for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
      for (end = begin + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
      std::ranges::move(rounds_of(match_ids_[match], match, numbers[begin] * size + 1,
                                  (numbers[end - 1] + 1) * size),
                        std::back_inserter(out));
    }
  }
  return out;
}

std::vector<PlayedRound> Ledger::played(const Match& match) const {
  return exists_ ? rounds_of(match_id(match), 0) : std::vector<PlayedRound>();
}

std::int64_t Ledger::games() const {
  std::int64_t out = 0;
  if (!exists_) return out;
  store_->read("SELECT count(*) FROM games", {},
               [&](const StoredRow& row) { out = row.number(0); });
  return out;
}

Experiment Ledger::planned() const {
  Experiment out;
  store_->freeze([&] { out = read_plan(*store_); });
  return out;
}

std::vector<PlayedRound> Ledger::rounds_of(const std::string& match, int number, int first,
                                           int last) const {
  // Games are written together with the end of their round: unfinished rounds have none.
  const std::string query =
      "SELECT rounds.number, rounds.begun, rounds.ended, rounds.referee, games.number, opening, "
      "seats, winner, result, twelfths, reason, plies, moves, seconds1, seconds2, move_values, "
      "remote1, local1, remote2, local2, effort1, effort2, clocks, latency1, latency2 "
      "FROM games JOIN rounds ON games.round = rounds.id "
      "WHERE games.match = $1 AND games.number >= $2 AND games.number <= $3 "
      "ORDER BY games.number";
  std::vector<PlayedRound> out;
  store_->read(query, {match, first, last}, [&](const StoredRow& row) {
    const auto round = static_cast<int>(row.number(0));
    if (out.empty() || out.back().round != round) {
      out.push_back({number, round, {}, row.number(1), row.number(2), row.text(3)});
    }
    out.back().games.push_back(game_of(row, 4));
    out.back().games.back().round = round + 1;
  });
  return out;
}

std::vector<std::string> Ledger::faults() const {
  std::vector<std::string> out;
  if (!exists_) return out;
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
  for (const auto& [query, sentence] : questions) {
    store_->read(query, {}, [&, what = sentence](const StoredRow& row) {
      if (row.number(0) > 0) out.push_back(row.text(0) + " " + what);
    });
  }
  return out;
}

Declarations Ledger::declarations() const {
  if (!exists_) return Declarations(match_ids_.size());
  const bool with_all = experiment_.tuning.has_value() || (!id_.empty() && has_company());
  return read_engines(*store_, match_ids_, with_all);
}

std::vector<Incident> Ledger::incidents() const {
  std::vector<Incident> out;
  if (!exists_) return out;
  store_->read(
      "SELECT match, game, player, place, reason, is_loss, excerpt, time "
      "FROM incidents ORDER BY number",
      {}, [&](const StoredRow& row) {
        const auto match = std::ranges::find(match_ids_, row.text(0));
        if (match == match_ids_.end()) return;
        out.push_back({static_cast<int>(match - match_ids_.begin()),
                       static_cast<int>(row.number(1)), row.text(2), row.text(3), row.text(4),
                       row.number(5) != 0, row.text(6), row.number(7)});
      });
  return out;
}

Experiment read_plan(const LedgerPlace& place, Outage outage) {
  const auto store = existing_ledger(place, outage);
  Experiment out;
  store->freeze([&] { out = read_plan(*store); });
  return out;
}

Experiment read_experiment(const LedgerPlace& place, Outage outage) {
  Experiment out = read_plan(place, outage);
  require(!out.tuning, text_of(place) +
                           " holds a tuning: its report.html tells of it, and while it is played "
                           "pitboss report --serve");
  return out;
}

}  // namespace pitboss::clients
