#include "clients/referee/ledger/engines_table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

using nlohmann::ordered_json;

Declarations read_engines(Store& store, const std::vector<std::string>& match_ids,
                          bool without_games) {
  Declarations out(match_ids.size());
  const auto check = [&](bool is_sound) {
    require(is_sound, "cannot use " + store.name() + ": it is damaged: its table of engines");
  };
  const auto take = [&](const StoredRow& row) {
    const auto match = std::ranges::find(match_ids, row.text(0));
    if (match == match_ids.end()) return;
    const std::string player = row.text(1);
    Declaration declaration{row.text(2), {}};
    const auto options = ordered_json::parse(row.text(3), nullptr, false);
    check(player == "0" || player == "1");
    check(options.is_object());
    for (const auto& [name, value] : options.items()) {
      check(value.is_string());
      declaration.options[name] = value;
    }
    check(declaration.is_sound());
    out[match - match_ids.begin()][player == "0" ? 0 : 1] = std::move(declaration);
  };
  store.read(
      "SELECT match, player, program, options FROM engines "
      "WHERE $1 = 1 OR match IN (SELECT match FROM games)",
      {without_games ? 1 : 0}, take);
  return out;
}

void note_engines(Store& store, const std::vector<std::string>& match_ids,
                  const Declarations& declared) {
  for (std::size_t match = 0; match < declared.size(); ++match) {
    for (const int player : {0, 1}) {
      const auto& declaration = declared[match][player];
      if (!declaration) continue;
      // What is selected has the types of the columns only with a cast.
      store.run(
          "INSERT INTO engines SELECT $1, CAST($2 AS INTEGER), $3, $4, 0 "
          "WHERE NOT EXISTS (SELECT 1 FROM games WHERE match = $1) "
          "ON CONFLICT (match, player) DO UPDATE "
          "SET program = excluded.program, options = excluded.options",
          {match_ids[match], player, declaration->program,
           ordered_json(declaration->options).dump()});
    }
  }
}

}  // namespace pitboss::clients
