#include "clients/referee/ledger/ledger_file.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "clients/experiments/match_configuration.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using SQLite::Database;
using SQLite::Statement;

namespace {

std::string text_of(Database& database, const std::string& query, const std::string& key) {
  Statement statement(database, query);
  statement.bind(1, key);
  return statement.executeStep() ? statement.getColumn(0).getString() : "";
}

constexpr const char* meta_query = "SELECT value FROM ledger WHERE key = ?";

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

}  // namespace

UserError ledger_failure(const std::string& what, const fs::path& path, const std::string& why) {
  return UserError(what + " " + path.string() + ": " + why);
}

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

bool is_empty_ledger(Database& database) {
  Statement tables(database, "SELECT count(*) FROM sqlite_master");
  tables.executeStep();
  return tables.getColumn(0).getInt() == 0;
}

int check_ledger(Database& database, const fs::path& path) {
  if (!database.tableExists("ledger"))
    throw ledger_failure("cannot use", path, "it is not a ledger");
  const std::string format = text_of(database, meta_query, "format");
  int known = ledger_format;
  while (known > 0 && format != std::to_string(known)) --known;
  if (known == 0) {
    throw ledger_failure("cannot use", path,
                         "its format is " + format +
                             ", and this version of pitboss knows formats 1 to " +
                             std::to_string(ledger_format));
  }
  Statement check(database, "PRAGMA integrity_check(1)");
  check.executeStep();
  if (const std::string answer = check.getColumn(0).getString(); answer != "ok") {
    throw ledger_failure("cannot use", path, "it is damaged: " + answer);
  }
  return known;
}

std::string ledger_plan(const Experiment& experiment) {
  ordered_json plan{{"name", experiment.name},
                    {"games", ordered_json::array()},
                    {"sprt", sprt_json(experiment.sprt)}};
  for (const Match& match : experiment.matches) plan["games"].push_back(match.games);
  return plan.dump();
}

void check_stopping_rule(Database& database, const fs::path& folder, const Experiment& experiment) {
  const auto plan = ordered_json::parse(text_of(database, meta_query, "plan"), nullptr, false);
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
               "?, ?, ?, ?, ?, ?, ?, ?, ?)");
  note.emplace(database,
               "INSERT INTO incidents (match, game, player, place, reason, is_loss, excerpt, "
               "time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
}

Experiment read_experiment(const fs::path& folder) {
  const fs::path path = ledger_path(folder);
  if (!fs::exists(path)) throw UserError(folder.string() + " holds no ledger");
  return with_ledger("cannot read", path, [&] {
    Database database(ledger_name(path), to_read_ledger(), 20'000);
    check_ledger(database, path);
    Experiment experiment;
    Statement row(database, "SELECT configuration FROM matches ORDER BY number");
    while (row.executeStep()) {
      experiment.matches.push_back(parse_configuration(row.getColumn(0).getString()));
    }
    try {
      const auto plan = ordered_json::parse(text_of(database, meta_query, "plan"));
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

}  // namespace pitboss::clients
