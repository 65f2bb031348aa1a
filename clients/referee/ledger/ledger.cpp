#include "clients/referee/ledger/ledger.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/engines_table.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/open_store.hpp"
#include "clients/referee/ledger/plan_table.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> ids_of(const Experiment& experiment) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const Match& match : experiment.matches) {
    out.push_back(match_id(match));
    require(seen.insert(out.back()).second,
            "two matches of the experiment are the same: " + match.players[0].name + " against " +
                match.players[1].name + " at " + match.game);
  }
  return out;
}

/// What to do about records of something else.
std::string elsewhere(const LedgerPlace& place) {
  return std::holds_alternative<fs::path>(place) ? "choose another --out"
                                                 : "choose another name, --ledger URL#NAME";
}

/// Records that a folder holds and that a ledger must have made, if it has none; empty if there are
/// none.
std::string remains_in(const fs::path& folder) {
  const fs::path path = ledger_path(folder);
  const fs::path log = path.string() + "-wal";
  const bool has_log = fs::exists(log);  // asked first: it is made after the ledger
  if (fs::exists(path)) return {};
  if (has_log) return log.filename().string();
  return fs::exists(folder / "games.csv") ? "games.csv" : "";
}

}  // namespace

std::int64_t now_in_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

fs::path ledger_path(const fs::path& folder) { return folder / "ledger.sqlite"; }

fs::path tuning_path(const fs::path& folder) { return folder / "tuning.sqlite"; }

Ledger::Ledger(const LedgerPlace& place, const Experiment& experiment, Outage outage)
    : place_(place),
      experiment_(experiment),
      match_ids_(ids_of(experiment)),
      store_(store_at(place, outage, experiment.tuning.has_value())) {
  if (const auto* folder = std::get_if<fs::path>(&place)) {
    const std::string remains = remains_in(*folder);
    require(remains.empty(),
            text_of(place) + " holds " + remains + " without a ledger; " + elsewhere(place));
  }
  if (store_->exists()) open();
}

Ledger::~Ledger() = default;

void Ledger::open() {
  open_ledger(*store_);
  exists_ = true;
  compare();
}

void Ledger::compare() {
  const std::string where = text_of(place_);
  const std::string tuning = difference_in_tuning(*store_, experiment_);
  require(tuning.empty(), where + " holds " + tuning + elsewhere(place_));
  if (experiment_.tuning) return;
  const std::string rule = difference_in_rule(*store_, experiment_);
  require(rule.empty(), where + " holds an experiment with " + rule + "; " + elsewhere(place_));
  const std::string difference = difference_to_plan(*store_, match_ids_, experiment_);
  require(difference.empty(), where + " holds another experiment; " + elsewhere(place_) +
                                  ". What differs:" + difference);
}

void Ledger::on_outage(std::function<void(const std::string&)> tell) {
  store_->on_outage = std::move(tell);
}

void Ledger::stop_waiting() { store_->stop_waiting(std::chrono::seconds(5)); }

void Ledger::open_for_writing(const std::function<void()>& writes) {
  store_->lock();
  if (!exists_) {
    require(store_->is_shared() || !store_->exists(),
            "another referee has just written to " + text_of(place_));
    const bool is_mine =
        create_ledger(*store_, [&] { write_plan(*store_, match_ids_, experiment_); });
    if (is_mine) {
      exists_ = true;
    } else {
      open();
    }
  }
  store_->transact([&] {
    store_->take_turn();
    compare();  // others may have added matches
    store_->keep_checksums(ledger_tables);
    write_plan(*store_, match_ids_, experiment_);
    if (!store_->is_shared()) {
      store_->run("UPDATE rounds SET state = 'ready' WHERE state = 'leased'");
      store_->run("UPDATE referees SET has_left = 1 WHERE has_left = 0");
    }
    if (writes) writes();
  });
}

void Ledger::transact(const std::function<void()>& writes) {
  const std::string entered = id_;  // before `writes`, which may enter, and run again
  store_->transact([&] {
    if (!entered.empty()) show_life(entered);
    writes();
  });
}

void Ledger::add(int number, const Match& match) {
  const auto place = static_cast<std::size_t>(number);
  match_ids_.resize(std::max(match_ids_.size(), place + 1));
  match_ids_[place] = match_id(match);
  write_match(*store_, match_ids_[place], number, match);
}

std::optional<Claim> Ledger::claim(int match, int round, const std::string& referee) {
  Claim claim{match, round, 0, round_id(match_ids_[match], round), referee};
  const auto changed = store_->run(
      "INSERT INTO rounds (id, match, number, state, token, referee) "
      "VALUES ($1, $2, $3, 'leased', 1, $4) "
      "ON CONFLICT (id) DO UPDATE SET state = 'leased', token = rounds.token + 1, "
      "referee = excluded.referee WHERE rounds.state <> 'done'",
      {claim.id, match_ids_[match], round, referee});
  if (changed == 0) return std::nullopt;
  // With RETURNING, SQLite would build a table.
  store_->read("SELECT token FROM rounds WHERE id = $1", {claim.id},
               [&](const StoredRow& row) { claim.token = row.number(0); });
  return claim;
}

bool Ledger::finish(const Claim& claim, const PlayedRound& played) {
  const auto changed = store_->run(
      "UPDATE rounds SET state = 'done', begun = $1, ended = $2 "
      "WHERE id = $3 AND state = 'leased' AND token = $4 AND referee = $5",
      {played.begun, played.ended, claim.id, claim.token, claim.referee});
  if (changed != 1) return false;
  for (const PlayedGame& record : played.games) {
    StoredValues row{match_ids_[claim.match], record.game, claim.id, record.opening,
                     clients::join(record.seats)};
    const auto add = [&](const auto& value) { row.emplace_back(value); };
    add(record.winner);
    add(record.result);
    add(record.twelfths);
    add(record.reason);
    add(record.plies);
    add(record.moves);
    add(record.seconds[0]);
    add(record.seconds[1]);
    add(record.values);
    for (const Evaluations& evaluations : record.evaluations) {
      add(evaluations.remote);
      add(evaluations.local);
    }
    for (const std::string& efforts : record.efforts) add(efforts);
    add(record.clocks);
    add(record.latency[0]);
    add(record.latency[1]);
    store_->run(
        "INSERT INTO games VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, "
        "$15, $16, $17, $18, $19, $20, $21, $22, $23, 0)",
        row);
  }
  return true;
}

void Ledger::note(const Incident& incident) {
  store_->run(
      "INSERT INTO incidents VALUES ((SELECT coalesce(max(number), 0) + 1 FROM incidents), "
      "$1, $2, $3, $4, $5, $6, $7, $8, 0)",
      {match_ids_[incident.match], incident.game, incident.player, incident.location,
       incident.reason, incident.is_loss ? 1 : 0, incident.excerpt, incident.when});
}

void Ledger::note(const Declarations& declared) { note_engines(*store_, match_ids_, declared); }

}  // namespace pitboss::clients
