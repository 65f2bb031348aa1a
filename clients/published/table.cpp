#include "clients/published/table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/settings.hpp"
#include "clients/experiments/statistics/holm.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

constexpr double seconds_an_hour = 3600;

}  // namespace

Costs read_costs(const fs::path& path) {
  if (!fs::exists(path)) return {};
  try {
    return nlohmann::json::parse(read_text_file(path)).get<Costs>();
  } catch (const nlohmann::json::exception& e) {
    throw UserError(path.string() + ": not the costs of games: " + e.what());
  }
}

std::string text_of(const Costs& costs) { return nlohmann::json(costs).dump(2) + "\n"; }

std::optional<Difference> Table::to_paper(std::size_t match) const {
  const auto& score = published(match).score;
  if (!score || !records[match]) return std::nullopt;
  return difference(estimate_of(records[match]->rounds),
                    estimate_of(*score, file.published->games));
}

std::optional<Difference> Table::to_control(std::size_t match) const {
  const auto& control = published(match).control;
  if (!control || !records[match] || !records[*control]) return std::nullopt;
  return difference(estimate_of(records[match]->rounds), estimate_of(records[*control]->rounds));
}

Verdict Table::verdict(std::size_t match) const {
  const auto difference = to_paper(match);
  return difference ? verdict_on(*difference, file.published->has_paper_options) : Verdict::not_run;
}

std::optional<double> Table::hours(std::size_t match) const {
  const auto cost = costs.find(matches()[match].game);
  if (cost == costs.end()) return std::nullopt;
  return cost->second * matches()[match].games / seconds_an_hour;
}

std::optional<double> Table::hours_left(std::size_t match) const {
  const auto& record = records[match];
  const int played = record ? record->tally.games() : 0;
  const int planned = matches()[match].games;
  if (played >= planned) return 0;
  const auto all = hours(match);
  if (!all) return std::nullopt;
  return *all * (planned - played) / planned;
}

Table read_table(const Repository& repository, const std::string& name,
                 const std::vector<ServerCapacity>& servers) {
  const fs::path path = repository.experiment(name);
  if (!fs::exists(path)) {
    throw UserError("there is no table " + name + ": " + path.string() + " is missing");
  }
  Table table{
      .name = name, .file = read_experiment_file(path, servers), .records = {}, .costs = {}};
  if (!table.file.published) throw UserError(path.string() + " has no table [published]");
  const std::vector<CellRecord> records = read_records(repository.records(name));
  for (const Match& match : table.matches()) {
    const auto found = std::ranges::find(records, configuration(match), &CellRecord::match);
    table.records.push_back(found != records.end() ? std::optional(*found) : std::nullopt);
  }
  Costs costs = read_costs(repository.costs());
  table.costs = std::move(costs[name]);
  return table;
}

std::vector<std::string> table_names(const Repository& repository) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(repository.root / "data/experiments")) {
    if (entry.path().extension() != ".toml") continue;
    if (read_settings(entry.path()).find("published") == nullptr) continue;
    names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

Count count(const Table& table) {
  Count out;
  for (std::size_t match = 0; match < table.matches().size(); ++match) {
    if (table.published(match).score) {
      ++out.cells;
      const auto& record = table.records[match];
      if (record && record->tally.games() < table.matches()[match].games) ++out.begun;
      ++out.verdicts[table.verdict(match)];
    }
    const auto left = table.hours_left(match);
    out.hours += left.value_or(0);
    out.has_all_hours = out.has_all_hours && left.has_value();
  }
  return out;
}

std::vector<Control> controls_in(const std::vector<const Table*>& tables) {
  std::vector<Control> out;
  std::vector<double> p;
  for (const Table* const table : tables) {
    for (std::size_t match = 0; match < table->matches().size(); ++match) {
      const auto difference = table->to_control(match);
      if (!difference) continue;
      out.push_back({table, match, *difference, 1});
      p.push_back(difference->p);
    }
  }
  const std::vector<double> adjusted = holm_adjusted(p);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].adjusted_p = adjusted[i];
  return out;
}

}  // namespace pitboss::clients
