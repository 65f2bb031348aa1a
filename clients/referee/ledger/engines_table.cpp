#include "clients/referee/ledger/engines_table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "clients/referee/ledger/ledger_file.hpp"
#include "clients/referee/ledger/row_checksums.hpp"

namespace pitboss::clients {

using nlohmann::ordered_json;
using SQLite::Database;
using SQLite::Statement;

namespace {

void insert(Statement& engine, const std::vector<std::string>& match_ids,
            const Declarations& declared) {
  for (std::size_t match = 0; match < declared.size(); ++match) {
    for (const int player : {0, 1}) {
      const auto& declaration = declared[match][player];
      if (!declaration) continue;
      engine.reset();
      engine.bind(1, match_ids[match]);
      engine.bind(2, player);
      engine.bind(3, declaration->program);
      engine.bind(4, ordered_json(declaration->options).dump());
      engine.exec();
    }
  }
}

}  // namespace

Declarations read_engines(Database& database, const std::vector<std::string>& match_ids,
                          const std::filesystem::path& path) {
  Declarations out(match_ids.size());
  if (columns_of(database, "engines").empty()) return out;
  const auto check = [&](bool is_sound) {
    if (!is_sound) throw ledger_failure("cannot use", path, "it is damaged: its table of engines");
  };
  Statement row(database,
                "SELECT match, player, program, options FROM engines "
                "WHERE match IN (SELECT match FROM games)");
  while (row.executeStep()) {
    const auto match = std::ranges::find(match_ids, row.getColumn(0).getString());
    if (match == match_ids.end()) continue;
    const int player = row.getColumn(1).getInt();
    Declaration declaration{row.getColumn(2).getString(), {}};
    const auto options = ordered_json::parse(row.getColumn(3).getString(), nullptr, false);
    check(row.getColumn(1).isInteger() && (player == 0 || player == 1));
    check(options.is_object());
    for (const auto& [name, value] : options.items()) {
      check(value.is_string());
      declaration.options[name] = value;
    }
    check(declaration.is_sound());
    out[match - match_ids.begin()][player] = std::move(declaration);
  }
  return out;
}

void note_engines(Database& database, const std::vector<std::string>& match_ids,
                  const Declarations& declared) {
  Statement engine(database,
                   "INSERT INTO engines SELECT ?1, ?2, ?3, ?4, 0 "
                   "WHERE NOT EXISTS (SELECT 1 FROM games WHERE match = ?1) "
                   "ON CONFLICT (match, player) DO UPDATE "
                   "SET program = excluded.program, options = excluded.options");
  insert(engine, match_ids, declared);
}

void replace_engines(Database& database, const std::vector<std::string>& match_ids,
                     const Declarations& declared) {
  database.exec("DELETE FROM engines");
  Statement engine(database, "INSERT INTO engines VALUES (?1, ?2, ?3, ?4, 0)");
  insert(engine, match_ids, declared);
}

}  // namespace pitboss::clients
