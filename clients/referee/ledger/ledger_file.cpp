#include "clients/referee/ledger/ledger_file.hpp"

#include <SQLiteCpp/Backup.h>
#include <sqlite3.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "clients/experiments/match_configuration.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/row_checksums.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using SQLite::Database;
using SQLite::Statement;

namespace {

ordered_json sprt_json(const std::optional<SprtPlan>& sprt) {
  if (!sprt) return nullptr;
  return {{"elo0", sprt->elo0},
          {"elo1", sprt->elo1},
          {"alpha", sprt->alpha},
          {"beta", sprt->beta},
          {"model", name_of(sprt->model)}};
}

std::optional<SprtPlan> parse_sprt(const ordered_json& json) {
  if (json.is_null()) return std::nullopt;
  SprtPlan plan;
  plan.elo0 = json.at("elo0");
  plan.elo1 = json.at("elo1");
  plan.alpha = json.at("alpha");
  plan.beta = json.at("beta");
  const auto model = elo_model_named(json.at("model").get<std::string>());
  if (!model) throw UserError("the ledger is damaged: a stopping rule of no known model");
  plan.model = *model;
  return plan;
}

/// The name by which SQLite opens a ledger: its path, or, for a read-only file without a log, a URI
/// that says so.
std::string ledger_name(const fs::path& path) {
  const bool has_log = fs::exists(path.string() + "-wal");
  if (has_log || !fs::exists(path) || ::access(path.c_str(), W_OK) == 0) return path.string();
  std::string name = "file:";
  constexpr std::string_view special = "%?#";
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : fs::absolute(path).string()) {
    if (special.find(c) == std::string_view::npos) {
      name += c;
    } else {
      name += '%';
      name += digits[static_cast<unsigned char>(c) >> 4U];
      name += digits[static_cast<unsigned char>(c) & 15U];
    }
  }
  return name + "?immutable=1";
}

fs::path existing_ledger(const fs::path& folder) {
  fs::path path = ledger_path(folder);
  if (!fs::exists(path)) throw UserError(folder.string() + " holds no ledger");
  return path;
}

}  // namespace

UserError ledger_failure(const std::string& what, const fs::path& path, const std::string& why) {
  return UserError(what + " " + path.string() + ": " + why);
}

std::string value_of(Database& database, const std::string& table, const std::string& key) {
  Statement row(database, "SELECT value FROM " + table + " WHERE key = ?");
  row.bind(1, key);
  return row.executeStep() ? row.getColumn(0).getString() : "";
}

Database open_ledger(const fs::path& path) {
  std::error_code error;
  if (fs::file_size(path, error) == 0 && !error) {
    throw ledger_failure("cannot use", path,
                         "it has 0 bytes, and what it held is lost; restore a backup, or remove "
                         "the file to begin anew");
  }
  // For writing: only a writer can clean up the log that a killed referee has left.
  Database database(ledger_name(path), SQLite::OPEN_READWRITE | SQLite::OPEN_URI, 20'000);
  define_row_checksum(database);
  return database;
}

void make_ledger(const fs::path& path, const std::function<void(Database&)>& fill) {
  const std::string unfinished = path.string() + ".new";
  std::error_code error;
  const auto remove = [&] {  // or SQLite would read what a killed process has left
    for (const char* part : {"", "-journal", "-wal", "-shm"}) fs::remove(unfinished + part, error);
  };
  remove();
  try {
    {
      Database database(unfinished, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      define_row_checksum(database);
      fill(database);
      // The first writer could not change the mode beside a reader.
      database.exec("PRAGMA journal_mode = WAL");
    }
    fs::rename(unfinished, path, error);
    if (error) throw ledger_failure("cannot create", path, error.message());
  } catch (...) {
    remove();
    throw;
  }
}

FileLock lock_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw ledger_failure("cannot create", folder, error.message());
  auto lock = try_lock(folder / "referee.lock");
  if (!lock) throw UserError("another referee is writing to " + folder.string());
  return std::move(*lock);
}

void check_rows(Database& database, const fs::path& path, Tables tables) {
  if (!database.tableExists(tables.front()))
    throw ledger_failure("cannot use", path, "it is not a ledger");
  if (const std::string fault = checksum_fault(database, tables); !fault.empty()) {
    throw ledger_failure("cannot use", path, "it is damaged: " + fault);
  }
  Statement check(database, "PRAGMA integrity_check(1)");
  check.executeStep();
  if (const std::string answer = check.getColumn(0).getString(); answer != "ok") {
    throw ledger_failure("cannot use", path, "it is damaged: " + answer);
  }
}

int check_ledger(Database& database, const fs::path& path) {
  check_rows(database, path, ledger_tables);
  const std::string format = value_of(database, "ledger", "format");
  int known = ledger_format;
  while (known > 0 && format != std::to_string(known)) --known;
  if (known == 0) {
    throw ledger_failure("cannot use", path,
                         "its format is " + format +
                             ", and this version of pitboss knows formats 1 to " +
                             std::to_string(ledger_format));
  }
  return known;
}

void write_plan(Database& database, const std::vector<std::string>& match_ids,
                const Experiment& experiment) {
  Statement row(database,
                "INSERT INTO matches (id, number, configuration) VALUES (?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET number = excluded.number");
  ordered_json games = ordered_json::array();
  for (std::size_t i = 0; i < match_ids.size(); ++i) {
    const Match& match = experiment.matches[i];
    games.push_back(match.games);
    row.bind(1, match_ids[i]);
    row.bind(2, static_cast<int>(i));
    row.bind(3, configuration(match));
    row.exec();
    row.reset();
  }
  Statement plan(database,
                 "INSERT INTO ledger (key, value) VALUES ('plan', ?) "
                 "ON CONFLICT (key) DO UPDATE SET value = excluded.value");
  plan.bind(1,
            ordered_json{
                {"name", experiment.name}, {"games", games}, {"sprt", sprt_json(experiment.sprt)}}
                .dump());
  plan.exec();
}

void check_stopping_rule(Database& database, const fs::path& folder, const Experiment& experiment) {
  const auto plan = ordered_json::parse(value_of(database, "ledger", "plan"), nullptr, false);
  if (!plan.is_object() || !plan.contains("sprt")) {
    throw ledger_failure("cannot use", ledger_path(folder),
                         "it is damaged: it has no plan of games");
  }
  if (plan["sprt"] != sprt_json(experiment.sprt)) {
    throw UserError(folder.string() + " holds an experiment with " +
                    (plan["sprt"].is_null() ? "no stopping rule" : "another stopping rule") +
                    "; choose another --out");
  }
}

void Ledger::File::prepare() {
  claim.emplace(database,
                "INSERT INTO rounds (id, match, number, state, token) "
                "VALUES (?, ?, ?, 'leased', 1) "
                "ON CONFLICT (id) DO UPDATE SET state = 'leased', token = rounds.token + 1 "
                "WHERE rounds.state <> 'done'");
  // With RETURNING, SQLite would build a table.
  token.emplace(database, "SELECT token FROM rounds WHERE id = ?");
  finish.emplace(database,
                 "UPDATE rounds SET state = 'done', begun = ?, ended = ? "
                 "WHERE id = ? AND state = 'leased' AND token = ?");
  game.emplace(database,
               "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
               "?, ?, ?, ?, ?, ?, ?, ?, ?, 0)");
  note.emplace(database,
               "INSERT INTO incidents (match, game, player, place, reason, is_loss, excerpt, "
               "time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
}

Experiment read_experiment(const fs::path& folder) {
  const fs::path path = existing_ledger(folder);
  return with_ledger("cannot read", path, [&] {
    Database database = open_ledger(path);
    check_ledger(database, path);
    Experiment experiment;
    Statement row(database, "SELECT configuration FROM matches ORDER BY number");
    while (row.executeStep()) {
      experiment.matches.push_back(parse_configuration(row.getColumn(0).getString()));
    }
    try {
      const auto plan = ordered_json::parse(value_of(database, "ledger", "plan"));
      experiment.name = plan.at("name");
      experiment.sprt = parse_sprt(plan.at("sprt"));
      for (std::size_t i = 0; i < experiment.matches.size(); ++i) {
        experiment.matches[i].games = plan.at("games").at(i);
      }
    } catch (const ordered_json::exception&) {
      throw ledger_failure("cannot use", path, "it is damaged: it has no plan of games");
    }
    return experiment;
  });
}

void back_up_ledger(const fs::path& folder, const fs::path& target) {
  const fs::path path = existing_ledger(folder);
  with_ledger("cannot back up", path, [&] {
    Database database = open_ledger(path);
    check_ledger(database, path);
    const FileLock lock = lock_folder(target);
    const fs::path copy = ledger_path(target);
    if (fs::exists(copy)) {
      throw UserError(target.string() + " holds a ledger; choose another folder for the backup");
    }
    make_ledger(copy, [&](Database& unfinished) {
      const int all_pages = -1;
      if (SQLite::Backup(unfinished, database).executeStep(all_pages) != SQLITE_DONE) {
        throw ledger_failure("cannot back up", path, "another program keeps it locked");
      }
    });
  });
}

}  // namespace pitboss::clients
