#include "clients/referee/ledger/ledger.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/engines_table.hpp"
#include "clients/referee/ledger/ledger_file.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/row_checksums.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using SQLite::Database;
using SQLite::Statement;

namespace {

/// "/players/0/options/k" becomes "player 1 k".
std::string label_of(std::string pointer) {
  for (const auto& [from, to] :
       {std::pair<std::string_view, std::string_view>{"/players/0/", "player 1 "},
        {"/players/1/", "player 2 "},
        {"/parameters/", ""},
        {"options/", ""}}) {
    if (const std::size_t at = pointer.find(from); at != std::string::npos) {
      pointer.replace(at, from.size(), to);
    }
  }
  std::ranges::replace(pointer, '/', ' ');
  return pointer.substr(pointer.find_first_not_of(' '));
}

std::string cell_of(const ordered_json& flat, const std::string& key) {
  constexpr std::size_t widest = 30;
  const auto found = flat.find(key);
  if (found == flat.end()) return "-";
  const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
  return text.size() <= widest ? text : text.substr(0, widest - 3) + "...";
}

/// A table of the differences between two configurations.
std::string differences(const ordered_json& there, const ordered_json& here) {
  const ordered_json a = there.flatten();
  const ordered_json b = here.flatten();
  std::ostringstream out;
  const auto row = [&](const std::string& label, const std::string& left,
                       const std::string& right) {
    out << "\n  " << std::left << std::setw(24) << label << std::setw(32) << left << right;
  };
  row("", "there", "here");
  for (const auto& [key, value] : b.items()) {
    // `flatten` makes null of an object without entries.
    if (!value.is_null() && a.value(key, ordered_json()) != value)
      row(label_of(key), cell_of(a, key), cell_of(b, key));
  }
  for (const auto& [key, value] : a.items()) {
    if (!value.is_null() && !b.contains(key)) row(label_of(key), cell_of(a, key), "-");
  }
  return out.str();
}

/// Compares with the match of the experiment that is most like the missing one.
std::string differences(const ordered_json& there, const Experiment& experiment) {
  const ordered_json flat = there.flatten();
  const auto count = [&](const Match& match) {
    const ordered_json here = ordered_json::parse(configuration(match)).flatten();
    return std::ranges::count_if(here.items(), [&](const auto& entry) {
      return flat.value(entry.key(), ordered_json()) != entry.value();
    });
  };
  const auto nearest = std::ranges::min_element(experiment.matches, {}, count);
  return differences(there, ordered_json::parse(configuration(*nearest)));
}

}  // namespace

std::int64_t now_in_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

fs::path ledger_path(const fs::path& folder) { return folder / "ledger.sqlite"; }

Ledger::Ledger(const fs::path& folder, const Experiment& experiment)
    : folder_(folder), experiment_(experiment) {
  std::set<std::string> seen;
  for (const Match& match : experiment.matches) {
    match_ids_.push_back(match_id(match));
    if (!seen.insert(match_ids_.back()).second) {
      throw UserError("two matches of the experiment are the same: " + match.players[0].name +
                      " against " + match.players[1].name + " at " + match.game);
    }
  }
  const fs::path path = ledger_path(folder);
  const fs::path log = path.string() + "-wal";
  const bool has_log = fs::exists(log);  // asked first: it is made after the ledger
  if (!fs::exists(path)) {
    for (const auto& [there, file] :
         {std::pair(has_log, log), {fs::exists(folder / "games.csv"), "games.csv"}}) {
      if (!there) continue;
      throw UserError(folder.string() + " holds " + file.filename().string() +
                      " without a ledger; choose another --out");
    }
    return;
  }
  with_ledger("cannot read", path, [&] {
    file_ = std::make_unique<File>(path);
    check_stopping_rule(file_->database, folder, experiment);
    Statement matches(file_->database, "SELECT id, configuration FROM matches ORDER BY number");
    while (matches.executeStep()) {
      if (std::ranges::count(match_ids_, matches.getColumn(0).getString()) != 0) continue;
      const auto there = ordered_json::parse(matches.getColumn(1).getString(), nullptr, false);
      if (!there.is_object()) throw ledger_failure("cannot use", path, "it is damaged");
      throw UserError(folder.string() +
                      " holds another experiment; choose another --out. What differs:" +
                      differences(there, experiment));
    }
  });
}

Ledger::~Ledger() = default;

void Ledger::open_for_writing() {
  const fs::path path = ledger_path(folder_);
  lock_ = lock_folder(folder_);
  with_ledger("cannot write", path, [&] {
    if (!file_) {
      if (fs::exists(path)) {
        throw UserError("another referee has just written to " + folder_.string());
      }
      make_ledger(path, [&](Database& database) {
        SQLite::Transaction transaction(database);
        database.exec(ledger_schema);
        keep_checksums(database);
        database.exec("INSERT INTO ledger (key, value) VALUES ('format', '" +
                      std::to_string(ledger_format) + "')");
        write_plan(database, match_ids_, experiment_);
        transaction.commit();
      });
      file_ = std::make_unique<File>(path);
    }
    Database& database = file_->database;
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    upgrade(*file_);
    keep_checksums(database);
    write_plan(database, match_ids_, experiment_);
    database.exec("UPDATE rounds SET state = 'ready' WHERE state = 'leased'");
    transaction.commit();
    file_->prepare();
  });
}

void Ledger::upgrade(File& file) {
  if (file.format == ledger_format) return;
  for (; file.format < ledger_format; ++file.format) {
    file.database.exec(ledger_upgrades[static_cast<std::size_t>(file.format) - 1]);
  }
  renew_checksums(file.database);
}

void Ledger::transact(const std::function<void()>& writes) {
  with_ledger("cannot write", file_->path, [&] {
    SQLite::Transaction transaction(file_->database, SQLite::TransactionBehavior::IMMEDIATE);
    writes();
    transaction.commit();
  });
}

std::optional<Claim> Ledger::claim(int match, int round) {
  Claim claim{match, round, 0, round_id(match_ids_[match], round)};
  Statement& insert = *file_->claim;
  insert.reset();
  insert.bind(1, claim.id);
  insert.bind(2, match_ids_[match]);
  insert.bind(3, round);
  if (insert.exec() == 0) return std::nullopt;
  Statement& token = *file_->token;
  token.reset();
  token.bind(1, claim.id);
  token.executeStep();
  claim.token = token.getColumn(0).getInt64();
  token.reset();  // an open statement would keep its transaction open
  return claim;
}

bool Ledger::finish(const Claim& claim, const PlayedRound& played) {
  const std::string& match = match_ids_[claim.match];
  Statement& finish = *file_->finish;
  finish.reset();
  finish.bind(1, played.begun);
  finish.bind(2, played.ended);
  finish.bind(3, claim.id);
  finish.bind(4, claim.token);
  if (finish.exec() != 1) return false;
  for (const PlayedGame& record : played.games) {
    Statement& game = *file_->game;
    game.reset();
    int column = 0;
    const std::string seats = join(record.seats);
    const auto bind = [&](const auto& value) {
      if constexpr (std::is_same_v<decltype(value), const std::string&>) {
        game.bindNoCopy(++column, value);  // `value` lives until the statement has been executed
      } else {
        game.bind(++column, value);
      }
    };
    bind(match);
    bind(record.game);
    bind(claim.id);
    bind(record.opening);
    bind(seats);
    bind(record.winner);
    bind(record.result);
    bind(record.twelfths);
    bind(record.reason);
    bind(record.plies);
    bind(record.moves);
    bind(record.seconds[0]);
    bind(record.seconds[1]);
    bind(record.values);
    for (const Evaluations& evaluations : record.evaluations) {
      bind(evaluations.remote);
      bind(evaluations.local);
    }
    for (const std::string& efforts : record.efforts) bind(efforts);
    bind(record.clocks);
    bind(record.latency[0]);
    bind(record.latency[1]);
    game.exec();
  }
  return true;
}

void Ledger::note(const Incident& incident) {
  Statement& note = *file_->note;
  note.reset();
  int column = 0;
  const auto bind = [&](const auto& value) { note.bind(++column, value); };
  bind(match_ids_[incident.match]);
  bind(incident.game);
  bind(incident.player);
  bind(incident.location);
  bind(incident.reason);
  bind(incident.is_loss ? 1 : 0);
  bind(incident.excerpt);
  bind(incident.when);
  note.exec();
}

void Ledger::note(const Declarations& declared) {
  note_engines(file_->database, match_ids_, declared);
}

void Ledger::replace(const Declarations& declared) {
  replace_engines(file_->database, match_ids_, declared);
}

}  // namespace pitboss::clients
