#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/store.hpp"

// The members of Ledger that have several referees play one experiment.

namespace pitboss::clients {

using std::chrono::milliseconds;

/// What the rounds of a match are like that have a row in the ledger, from the first asked for on.
struct Ledger::RoundsSeen {
  const Request* request = nullptr;
  std::set<int> finished;            ///< but not known
  std::set<int> taken;               ///< finished, or in somebody's hands
  std::set<int> held;                ///< of these those in others' hands
  std::map<int, std::int64_t> left;  ///< the tokens of those that were given back, or left behind
};

std::vector<RefereeEntry> Ledger::referees() const {
  std::vector<RefereeEntry> out;
  if (!exists_) return out;
  store_->read("SELECT id, name, host, processor, program, joined, seen, has_left, " +
                   store_->now() + " - seen FROM referees ORDER BY joined, id",
               {}, [&](const StoredRow& row) {
                 out.push_back({.id = row.text(0),
                                .name = row.text(1),
                                .host = row.text(2),
                                .processor = row.text(3),
                                .program = row.text(4),
                                .joined = milliseconds(row.number(5)),
                                .seen = milliseconds(row.number(6)),
                                .silence = milliseconds(row.number(8)),
                                .has_left = row.number(7) != 0});
               });
  store_->read("SELECT referee, match, state, count(*) FROM rounds GROUP BY referee, match, state",
               {}, [&](const StoredRow& row) {
                 const auto found = std::ranges::find(out, row.text(0), &RefereeEntry::id);
                 const auto match = std::ranges::find(match_ids_, row.text(1));
                 if (found == out.end() || match == match_ids_.end()) return;
                 const auto rounds = static_cast<int>(row.number(3));
                 if (row.text(2) == "leased") found->held += rounds;
                 if (row.text(2) != "done") return;
                 found->rounds += rounds;
                 found->games += rounds * experiment_.matches[match - match_ids_.begin()].round();
               });
  return out;
}

bool Ledger::is_paused() const { return exists_ && value_of(*store_, "ledger", "paused") == "1"; }

void Ledger::set_paused(bool is_paused) {
  require(exists_, store_->name() + " holds no ledger");
  store_->transact([&] {
    store_->keep_checksums(ledger_tables);
    if (is_paused) {
      set_value(*store_, "ledger", "paused", "1");
    } else {
      store_->run("DELETE FROM ledger WHERE key = 'paused'");
    }
  });
}

void Ledger::enter(const RefereeEntry& referee, milliseconds patience,
                   std::function<void()> expect_same) {
  store_->take_turn();
  store_->run(
      "UPDATE rounds SET state = 'ready' WHERE state = 'leased' "
      "AND referee IN (SELECT id FROM referees WHERE name = $1)",
      {referee.name});
  store_->run("UPDATE referees SET has_left = 1 WHERE name = $1 AND has_left = 0", {referee.name});
  store_->run(
      "INSERT INTO referees (id, name, host, processor, program, joined, seen, has_left) "
      "VALUES ($1, $2, $3, $4, $5, " +
          store_->now() + ", " + store_->now() + ", 0)",
      {referee.id, referee.name, referee.host, referee.processor, referee.program});
  id_ = referee.id;
  name_ = referee.name;
  patience_ = patience;
  contact_ = SteadyClock::now();
  wary_until_ = contact_ + patience;
  expect_same_ = [this, referee, patience, also = std::move(expect_same)] {
    expect_same_build(referee, patience);
    if (also) also();
  };
  expect_same_();
}

/// Throws UserError if a referee of another build, or with daemons of another one, plays now.
void Ledger::expect_same_build(const RefereeEntry& referee, milliseconds patience) const {
  if (!std::holds_alternative<DatabasePlace>(place_)) return;  // a file has one referee at a time
  std::string other;
  store_->read(
      "SELECT name, program FROM referees WHERE has_left = 0 AND name <> $1 AND program <> $2 "
      "AND seen > " +
          store_->now() + " - $3 LIMIT 1",
      {referee.name, referee.program, std::int64_t{patience.count()}},
      [&](const StoredRow& row) { other = row.text(0) + ", which plays now, is " + row.text(1); });
  require(other.empty(), "this is another build: this referee is " + referee.program + ", and " +
                             other + "; use the same builds on all machines");
}

void Ledger::leave() {
  store_->run("UPDATE rounds SET state = 'ready' WHERE state = 'leased' AND referee = $1", {id_});
  store_->run("UPDATE referees SET has_left = 1 WHERE id = $1", {id_});
}

void Ledger::give_back(const Claim& claim) {
  store_->run(
      "UPDATE rounds SET state = 'ready' "
      "WHERE id = $1 AND state = 'leased' AND token = $2 AND referee = $3",
      {claim.id, claim.token, claim.referee});
}

void Ledger::add(const RefereeEntry& referee) {
  store_->run(
      "INSERT INTO referees (id, name, host, processor, program, joined, seen, has_left) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, 1) ON CONFLICT (id) DO NOTHING",
      {referee.id, referee.name, referee.host, referee.processor, referee.program,
       std::int64_t{referee.joined.count()}, std::int64_t{referee.seen.count()}});
}

/// The referee was away if it could not do this in time, and so may the others have been.
void Ledger::show_life(const std::string& id) {
  const auto now = SteadyClock::now();
  const auto silence = now - contact_;
  if (silence > patience_ / 3) wary_until_ = now + patience_;
  const auto changed = store_->run(
      "UPDATE referees SET seen = " + store_->now() + " WHERE id = $1 AND has_left = 0", {id});
  require(changed == 1, "another referee has taken the place of this one in " + store_->name() +
                            ": both are called " + name_ + "; give each a folder of its own");
  if (silence > patience_) expect_same_();
  contact_ = now;
}

News Ledger::ask(const std::vector<Request>& requests) {
  News news;
  news.is_paused = is_paused();
  if (requests.empty()) return news;
  const auto wants = [](const Request& request) { return request.rounds > 0; };
  // Claims come one after the other: referees that claim at once go for the same rounds.
  if (!news.is_paused && std::ranges::any_of(requests, wants)) {
    store_->run("UPDATE ledger SET value = value WHERE key = 'format'", {});
  }
  for (const auto& [id, rounds] : look_at(requests)) {
    const int match = rounds.request->match;
    for (const int round : rounds.held) news.held.emplace_back(match, round);
    if (!rounds.finished.empty()) {
      const int size = experiment_.matches[match].round();
      const int last = *rounds.finished.rbegin();
      for (PlayedRound& round :
           rounds_of(id, match, *rounds.finished.begin() * size + 1, (last + 1) * size)) {
        if (rounds.finished.contains(round.round)) news.finished.push_back(std::move(round));
      }
    }
    if (!news.is_paused) claim_rounds(rounds, news);
  }
  return news;
}

/// Whether other referees play now.
bool Ledger::has_company() const {
  bool out = false;
  store_->read("SELECT 1 FROM referees WHERE has_left = 0 AND id <> $1 AND seen > " +
                   store_->now() + " - $2 LIMIT 1",
               {id_, std::int64_t{patience_.count()}}, [&](const StoredRow&) { out = true; });
  return out;
}

/// What the rounds that are asked for are like now, by the ids of their matches. One query tells of
/// rounds and referees: one that joins between two would be taken for dead.
std::map<std::string, Ledger::RoundsSeen> Ledger::look_at(const std::vector<Request>& requests) {
  std::map<std::string, RoundsSeen> out;
  const bool is_wary = SteadyClock::now() < wary_until_;
  StoredValues values{is_wary ? 1 : 0, std::int64_t{patience_.count()}};
  std::string asked;
  for (const Request& request : requests) {
    out[match_ids_[request.match]].request = &request;
    values.emplace_back(match_ids_[request.match]);
    asked += (asked.empty() ? "(CAST($" : ", (CAST($") + std::to_string(values.size());
    values.emplace_back(std::int64_t{request.first});
    asked += " AS TEXT), CAST($" + std::to_string(values.size()) + " AS INTEGER))";
  }
  store_->read(
      "SELECT rounds.match, rounds.number, state, token, referee, "
      "CASE WHEN has_left = 0 AND ($1 = 1 OR seen > " +
          store_->now() + " - $2) THEN 1 ELSE 0 END FROM (VALUES " + asked +
          ") AS asked JOIN rounds ON rounds.match = asked.column1 "
          "AND rounds.number >= asked.column2 LEFT JOIN referees ON referees.id = rounds.referee",
      values, [&](const StoredRow& row) {
        RoundsSeen& rounds = out[row.text(0)];
        const Request& request = *rounds.request;
        const Match& match = experiment_.matches[request.match];
        const auto number = static_cast<int>(row.number(1));
        if (number >= match.games / match.round()) return;
        const std::string state = row.text(2);
        const bool is_mine = row.text(4) == id_;
        const bool is_known_as_mine = is_mine && request.mine.contains(number);
        const bool is_alive = row.number(5) != 0;
        if (state == "done") {
          rounds.taken.insert(number);
          // What it is about to write it will be told by `finish`.
          if (!is_known_as_mine && !request.known.contains(number)) rounds.finished.insert(number);
        } else if (state == "leased" && (is_mine ? is_known_as_mine : is_alive)) {
          rounds.taken.insert(number);
          if (!is_mine) rounds.held.insert(number);
        } else {
          rounds.left[number] = row.number(3);
        }
      });
  return out;
}

/// Claims as many rounds as are wanted that are still as they were seen. All referees go through
/// matches and rounds in the same order, so that none of them wait for each other in a circle.
void Ledger::claim_rounds(const RoundsSeen& seen, News& news) {
  const Request& request = *seen.request;
  const std::string& match = match_ids_[request.match];
  const Match& of = experiment_.matches[request.match];
  int wanted = request.rounds;
  for (int round = request.first; wanted > 0 && round < of.games / of.round(); ++round) {
    if (seen.taken.contains(round)) continue;
    const auto left = seen.left.find(round);
    Claim claim{request.match, round, left == seen.left.end() ? 1 : left->second + 1,
                round_id(match, round), id_};
    const auto changed = store_->run(
        "INSERT INTO rounds (id, match, number, state, token, referee) "
        "VALUES ($1, $2, $3, 'leased', 1, $4) "
        "ON CONFLICT (id) DO UPDATE SET state = 'leased', token = rounds.token + 1, "
        "referee = excluded.referee "
        "WHERE rounds.state <> 'done' AND rounds.token = CAST($5 AS BIGINT) - 1",
        {claim.id, match, round, id_, claim.token});
    if (changed == 0) continue;  // another referee was quicker
    news.claims.push_back(std::move(claim));
    --wanted;
  }
}

}  // namespace pitboss::clients
