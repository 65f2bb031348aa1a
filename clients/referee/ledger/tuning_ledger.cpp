#include "clients/referee/ledger/tuning_ledger.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger_file.hpp"
#include "clients/referee/ledger/row_checksums.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using SQLite::Database;
using SQLite::Statement;

namespace {

const std::string schema = R"sql(
CREATE TABLE tuning (
  key   TEXT PRIMARY KEY,  -- format; configuration, engines: JSON
  value TEXT NOT NULL,
  checksum BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE games (
  proposal BIGINT NOT NULL,        -- from 0
  number   INTEGER NOT NULL,       -- in the proposal, from 0
  proposed TEXT NOT NULL,          -- the players' options, opening and seating
)sql" + game_columns + R"sql(  checksum BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (proposal, number)
);
CREATE TABLE incidents (
  number   INTEGER PRIMARY KEY,
  proposal BIGINT NOT NULL,
  game     INTEGER NOT NULL,
)sql" + incident_columns + R"sql();
)sql";
constexpr std::array tables = {"tuning", "games", "incidents"};
constexpr const char* format = "1";

fs::path path_in(const fs::path& folder) { return folder / "tuning.sqlite"; }

void set(Database& database, const std::string& key, const std::string& value) {
  Statement row(database, "INSERT INTO tuning (key, value) VALUES (?, ?)");
  row.bind(1, key);
  row.bind(2, value);
  row.exec();
}

void check(Database& database, const fs::path& path, const TuningConfiguration& configuration) {
  check_rows(database, path, tables);
  if (const std::string found = value_of(database, "tuning", "format"); found != format) {
    throw ledger_failure(
        "cannot use", path,
        "its format is " + found + ", and this version of pitboss knows format " + format);
  }
  const auto there =
      ordered_json::parse(value_of(database, "tuning", "configuration"), nullptr, false);
  if (!there.is_object()) throw ledger_failure("cannot use", path, "it is damaged");
  const auto a = there.flatten();
  const auto b = ordered_json::parse(configuration.text).flatten();
  for (const auto* one : {&b, &a}) {
    for (const auto& [key, value] : one->items()) {
      const auto text = [&](const ordered_json& in) {
        return in.contains(key) ? in[key].dump() : std::string("missing");
      };
      if (text(a) == text(b)) continue;
      const bool may_grow = key == "/" + configuration.growing && a.contains(key);
      if (may_grow && a[key].get<double>() < b[key].get<double>()) continue;
      const std::string advice = !a.contains(key) ? "take it out"
                                 : may_grow       ? "set it to " + text(a) + " or more"
                                                  : "set it to " + text(a);
      std::string label = key.substr(1);  // of "/parameters/k"
      std::ranges::replace(label, '/', ' ');
      throw UserError(path.parent_path().string() + " holds another tuning: " + label + " is " +
                      text(a) + " there and " + text(b) + " here; " + advice +
                      " to go on, or choose another --out");
    }
  }
}

std::string text_of(const Declarations& declared) {
  auto json = ordered_json::array();
  for (const DeclaredPair& pair : declared) {
    for (const auto& one : pair) {
      json.push_back(one ? ordered_json{{"program", one->program}, {"options", one->options}}
                         : ordered_json());
    }
  }
  return json.dump();
}

void check_engines(Database& database, const fs::path& path, const Experiment& experiment,
                   const Declarations& declared) {
  Declarations there(declared.size());
  try {
    const auto json = ordered_json::parse(value_of(database, "tuning", "engines"));
    for (std::size_t i = 0; i < 2 * declared.size(); ++i) {
      const auto& one = json.at(i);
      if (one.is_null()) continue;
      there[i / 2][i % 2] = Declaration{one.at("program"), one.at("options")};
    }
  } catch (const ordered_json::exception&) {
    throw ledger_failure("cannot use", path, "it is damaged: its engines");
  }
  const std::string change = change_since(experiment, there, declared);
  require(change.empty(), change + ": set the engine up as it was, or choose another --out");
}

}  // namespace

struct TuningLedger::File {
  fs::path path;
  Database database;
  Statement game, incident;

  File(fs::path p, const TuningConfiguration& configuration, const Experiment& experiment,
       const Declarations& declared)
      : path(std::move(p)),
        database(opened(path, configuration, experiment, declared)),
        game(database, "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"),
        incident(database,
                 "INSERT INTO incidents (proposal, game, player, place, reason, is_loss, excerpt, "
                 "time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)") {}

  static Database opened(const fs::path& path, const TuningConfiguration& configuration,
                         const Experiment& experiment, const Declarations& declared) {
    if (!fs::exists(path)) {
      make_ledger(path, [&](Database& database) {
        SQLite::Transaction transaction(database);
        database.exec(schema);
        keep_checksums(database, tables);
        set(database, "format", format);
        set(database, "configuration", configuration.text);
        set(database, "engines", text_of(declared));
        transaction.commit();
      });
    }
    Database database = open_ledger(path);
    check(database, path, configuration);
    check_engines(database, path, experiment, declared);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    keep_checksums(database, tables);
    if (value_of(database, "tuning", "configuration") != configuration.text) {  // it has grown
      Statement row(database, "UPDATE tuning SET value = ? WHERE key = 'configuration'");
      row.bind(1, configuration.text);
      row.exec();
    }
    return database;
  }
};

TuningLedger::TuningLedger(const fs::path& folder, const TuningConfiguration& configuration,
                           const Experiment& experiment, const Declarations& declared)
    : lock_(lock_folder(folder)) {
  const fs::path path = path_in(folder);
  with_ledger("cannot write", path,
              [&] { file_ = std::make_unique<File>(path, configuration, experiment, declared); });
}

TuningLedger::~TuningLedger() = default;

std::map<ProposedNumber, TunedGame> TuningLedger::games() const {
  return with_ledger("cannot read", file_->path, [&] {
    std::map<ProposedNumber, TunedGame> games;
    Statement row(file_->database, "SELECT * FROM games");
    while (row.executeStep()) {
      int column = 0;
      const auto next = [&] { return row.getColumn(column++); };
      const std::int64_t proposal = next().getInt64();
      const int number = next().getInt();
      TunedGame game{next().getString(), {}};
      game.record.opening = next().getString();
      game.record.seats = split(next().getString());
      game.record.winner = next().getString();
      game.record.result = next().getString();
      game.record.twelfths = next().getInt();
      game.record.reason = next().getString();
      game.record.plies = next().getInt();
      game.record.moves = next().getString();
      game.record.seconds = {next().getDouble(), next().getDouble()};
      games.emplace(ProposedNumber(proposal, number), std::move(game));
    }
    return games;
  });
}

void TuningLedger::transact(const std::function<void()>& writes) {
  with_ledger("cannot write", file_->path, [&] {
    SQLite::Transaction transaction(file_->database, SQLite::TransactionBehavior::IMMEDIATE);
    writes();
    transaction.commit();
  });
}

void TuningLedger::add(ProposedNumber number, const TunedGame& game) {
  const PlayedGame& record = game.record;
  int column = 0;
  file_->game.reset();
  const auto bind = [&](const auto& value) { file_->game.bind(++column, value); };
  bind(number.first);
  bind(number.second);
  bind(game.options);
  bind(record.opening);
  bind(join(record.seats));
  bind(record.winner);
  bind(record.result);
  bind(record.twelfths);
  bind(record.reason);
  bind(record.plies);
  bind(record.moves);
  bind(record.seconds[0]);
  bind(record.seconds[1]);
  file_->game.exec();
}

void TuningLedger::note(const Incident& incident) {
  int column = 0;
  file_->incident.reset();
  const auto bind = [&](const auto& value) { file_->incident.bind(++column, value); };
  bind(incident.match);
  bind(incident.game);
  bind(incident.player);
  bind(incident.location);
  bind(incident.reason);
  bind(incident.is_loss ? 1 : 0);
  bind(incident.excerpt);
  bind(incident.when);
  file_->incident.exec();
}

void check_tuning(const fs::path& folder, const TuningConfiguration& configuration) {
  const fs::path path = path_in(folder);
  if (!fs::exists(path)) return;
  with_ledger("cannot read", path, [&] {
    Database database = open_ledger(path);
    check(database, path, configuration);
  });
}

}  // namespace pitboss::clients
