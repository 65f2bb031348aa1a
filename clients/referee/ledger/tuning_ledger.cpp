#include "clients/referee/ledger/tuning_ledger.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/sqlite_store.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

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

void check(Store& store, const fs::path& folder, const TuningConfiguration& configuration) {
  const std::string found = value_of(store, "tuning", "format");
  require(found == format, "cannot use " + store.name() + ": its format is " + found +
                               ", and this version of pitboss knows format " + format);
  const auto there =
      ordered_json::parse(value_of(store, "tuning", "configuration"), nullptr, false);
  require(there.is_object(), "cannot use " + store.name() + ": it is damaged");
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
      throw UserError(folder.string() + " holds another tuning: " + label + " is " + text(a) +
                      " there and " + text(b) + " here; " + advice +
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

void check_engines(Store& store, const Experiment& experiment, const Declarations& declared) {
  Declarations there(declared.size());
  try {
    const auto json = ordered_json::parse(value_of(store, "tuning", "engines"));
    for (std::size_t i = 0; i < 2 * declared.size(); ++i) {
      const auto& one = json.at(i);
      if (one.is_null()) continue;
      there[i / 2][i % 2] = Declaration{one.at("program"), one.at("options")};
    }
  } catch (const ordered_json::exception&) {
    throw UserError("cannot use " + store.name() + ": it is damaged: its engines");
  }
  const std::string change = change_since(experiment, there, declared);
  require(change.empty(), change + ": set the engine up as it was, or choose another --out");
}

}  // namespace

fs::path tuning_path(const fs::path& folder) { return folder / "tuning.sqlite"; }

TuningLedger::TuningLedger(const fs::path& folder, const TuningConfiguration& configuration,
                           const Experiment& experiment, const Declarations& declared)
    : store_(std::make_unique<SqliteStore>(tuning_path(folder))) {
  Store& store = *store_;
  store.lock();
  const auto fill = [&] {
    set_value(store, "tuning", "format", format);
    set_value(store, "tuning", "configuration", configuration.text);
    set_value(store, "tuning", "engines", text_of(declared));
  };
  if (store.exists() || !store.create(schema, tables, fill)) {
    store.open(tables);
    store.check(tables);
  }
  check(store, folder, configuration);
  check_engines(store, experiment, declared);
  store.keep_checksums(tables);
  if (value_of(store, "tuning", "configuration") != configuration.text) {  // it has grown
    store.transact([&] { set_value(store, "tuning", "configuration", configuration.text); });
  }
}

TuningLedger::~TuningLedger() = default;

std::map<ProposedNumber, TunedGame> TuningLedger::games() const {
  std::map<ProposedNumber, TunedGame> games;
  store_->read("SELECT * FROM games", {}, [&](const StoredRow& row) {
    int column = 0;
    const auto number = [&] { return row.number(column++); };
    const auto text = [&] { return row.text(column++); };
    const std::int64_t proposal = number();
    const auto place = static_cast<int>(number());
    TunedGame game{text(), {}};
    game.record.opening = text();
    game.record.seats = split(text());
    game.record.winner = text();
    game.record.result = text();
    game.record.twelfths = static_cast<int>(number());
    game.record.reason = text();
    game.record.plies = static_cast<int>(number());
    game.record.moves = text();
    for (double& seconds : game.record.seconds) seconds = row.real(column++);
    games.emplace(ProposedNumber(proposal, place), std::move(game));
  });
  return games;
}

void TuningLedger::transact(const std::function<void()>& writes) { store_->transact(writes); }

void TuningLedger::add(ProposedNumber number, const TunedGame& game) {
  const PlayedGame& record = game.record;
  store_->run(
      "INSERT INTO games VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0)",
      {number.first, number.second, game.options, record.opening, join(record.seats), record.winner,
       record.result, record.twelfths, record.reason, record.plies, record.moves, record.seconds[0],
       record.seconds[1]});
}

void TuningLedger::note(const Incident& incident) {
  store_->run(
      "INSERT INTO incidents (proposal, game, player, place, reason, is_loss, excerpt, time) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
      {incident.match, incident.game, incident.player, incident.location, incident.reason,
       incident.is_loss ? 1 : 0, incident.excerpt, incident.when});
}

TuningReader::TuningReader(const fs::path& folder) {
  auto store = std::make_unique<SqliteStore>(tuning_path(folder));
  store->open(tables);
  store->check(tables);
  store->leave_log();
  store_ = std::move(store);
}

TuningReader::~TuningReader() = default;

std::string TuningReader::configuration() { return value_of(*store_, "tuning", "configuration"); }

std::vector<TuningReader::Game> TuningReader::games() {
  std::vector<Game> out;
  store_->read(
      "SELECT proposal, number, proposed, twelfths, result FROM games ORDER BY proposal, number",
      {}, [&](const StoredRow& row) {
        PlayedGame played;
        played.result = row.text(4);
        out.push_back({{row.number(0), static_cast<int>(row.number(1))},
                       row.text(2),
                       static_cast<int>(row.number(3)),
                       played.is_forfeit()});
      });
  return out;
}

std::vector<Incident> TuningReader::incidents() {
  std::vector<Incident> out;
  store_->read(
      "SELECT proposal, game, player, place, reason, is_loss, excerpt, time FROM incidents "
      "ORDER BY number",
      {}, [&](const StoredRow& row) {
        out.push_back({static_cast<int>(row.number(0)), static_cast<int>(row.number(1)),
                       row.text(2), row.text(3), row.text(4), row.number(5) != 0, row.text(6),
                       row.number(7)});
      });
  return out;
}

void check_tuning(const fs::path& folder, const TuningConfiguration& configuration) {
  SqliteStore store(tuning_path(folder));
  if (!store.exists()) return;
  store.open(tables);
  store.check(tables);
  check(store, folder, configuration);
}

}  // namespace pitboss::clients
