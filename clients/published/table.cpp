#include "clients/published/table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/settings.hpp"
#include "clients/experiments/statistics/holm.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/declarations.hpp"
#include "clients/published/markdown.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

constexpr double seconds_an_hour = 3600;

bool is_same_player(const ControlComparison& a, const ControlComparison& b) {
  return a.table == b.table && a.match == b.match;
}

ControlComparison comparison_of(const Table& table, std::size_t match, std::size_t control) {
  const auto difference = table.to_control(match, control);
  const bool has_same_games =
      difference && table.records[match]->sha256 == table.records[control]->sha256;
  return {.table = table.name,
          .match = match,
          .control = control,
          .difference = difference,
          .has_same_games = has_same_games};
}

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

bool Table::is_complete(std::size_t match) const {
  return records[match] && records[match]->tally.games() >= matches()[match].games;
}

bool Table::can_repeat(std::size_t match) const {
  return is_complete(match) && !is_timed(matches()[match]);
}

std::optional<Difference> Table::to_paper(std::size_t match) const {
  const auto& score = published(match).score;
  if (!score || !std::holds_alternative<double>(*score) || !records[match]) return std::nullopt;
  return difference(estimate_of(records[match]->distinct_rounds),
                    estimate_of(std::get<double>(*score), file.published->games));
}

std::optional<Difference> Table::to_control(std::size_t match, std::size_t control) const {
  if (!is_complete(match) || !is_complete(control)) return std::nullopt;
  return difference(estimate_of(records[match]->distinct_rounds),
                    estimate_of(records[control]->distinct_rounds));
}

Verdict Table::verdict(std::size_t match) const {
  if (!records[match]) return Verdict::not_run;
  if (!is_complete(match)) return Verdict::begun;
  const bool has_paper_options = file.published->has_paper_options;
  if (const auto difference = to_paper(match)) return verdict_on(*difference, has_paper_options);
  return verdict_on(records[match]->distinct_rounds.interval(),
                    std::get<Wording>(*published(match).score), has_paper_options);
}

std::optional<double> Table::hours(std::size_t match) const {
  const auto games = [&](double cost) { return cost * matches()[match].games / seconds_an_hour; };
  const auto own = costs.find(name_of(matches()[match]));
  if (own != costs.end()) return games(own->second);
  double sum = 0;
  int timed = 0;
  for (const Match& other : matches()) {
    const auto cost = costs.find(name_of(other));
    if (cost == costs.end() || !same_rules(other, matches()[match])) continue;
    sum += cost->second;
    ++timed;
  }
  if (timed == 0) return std::nullopt;
  return games(sum / timed);
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

std::string name_of(const Match& match) {
  std::string name = rules_name(match) + "." + match.players[0].name + "." + match.players[1].name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

Table read_table(const Repository& repository, const std::string& name,
                 const std::vector<ServerCapacity>& servers) {
  const fs::path path = repository.experiment(name);
  if (!fs::exists(path)) {
    throw UserError("there is no table " + name + ": " + path.string() + " is missing");
  }
  Table table{.name = name,
              .file = read_experiment_file(path, servers),
              .records = {},
              .others = read_records(repository.records(name)),
              .costs = {}};
  if (!table.file.published) throw UserError(path.string() + " has no table [published]");
  for (const Match& match : table.matches()) {
    const auto found = std::ranges::find(table.others, configuration(match), &CellRecord::match);
    auto& record = table.records.emplace_back();
    if (found == table.others.end()) continue;
    record = std::move(*found);
    table.others.erase(found);
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
  out.matches = static_cast<int>(table.matches().size());
  for (std::size_t match = 0; match < table.matches().size(); ++match) {
    if (table.published(match).score) {
      ++out.cells;
      if (std::holds_alternative<double>(*table.published(match).score)) ++out.numbers;
      ++out.verdicts[table.verdict(match)];
    }
    if (table.is_complete(match)) ++out.complete;
    const auto left = table.hours_left(match);
    out.hours += left.value_or(0);
    out.has_all_hours = out.has_all_hours && left.has_value();
  }
  return out;
}

int Family::played() const {
  return static_cast<int>(std::ranges::count_if(
      comparisons, [](const ControlComparison& one) { return one.difference.has_value(); }));
}

int Family::higher() const {
  return static_cast<int>(std::ranges::count_if(comparisons, [](const ControlComparison& one) {
    return one.difference && one.difference->value > 0;
  }));
}

int Family::alike() const {
  return static_cast<int>(std::ranges::count_if(
      comparisons, [](const ControlComparison& one) { return one.has_same_games; }));
}

int Family::better() const {
  return static_cast<int>(std::ranges::count_if(
      comparisons, [](const ControlComparison& one) { return one.is_better(); }));
}

int Family::worse() const {
  return static_cast<int>(std::ranges::count_if(
      comparisons, [](const ControlComparison& one) { return one.is_worse(); }));
}

bool Family::has_several_controls() const {
  // The comparisons of a player stand together.
  return std::ranges::adjacent_find(comparisons, is_same_player) != comparisons.end();
}

int Family::better_than_all() const {
  int players = 0;
  for (auto begin = comparisons.begin(); begin != comparisons.end();) {
    const auto end = std::find_if_not(begin, comparisons.end(),
                                      [&](const auto& one) { return is_same_player(one, *begin); });
    players += std::all_of(begin, end, [](const auto& one) { return one.is_better(); }) ? 1 : 0;
    begin = end;
  }
  return players;
}

std::vector<Family> families_of(const std::vector<Table>& tables) {
  std::vector<Family> out;
  for (const Table& table : tables) {
    for (std::size_t match = 0; match < table.matches().size(); ++match) {
      for (const std::size_t control : table.published(match).controls) {
        const std::string& question = table.file.published->question;
        auto family = std::ranges::find(out, question, &Family::question);
        if (family == out.end()) family = out.insert(out.end(), {question, {}});
        family->comparisons.push_back(comparison_of(table, match, control));
      }
    }
  }
  for (Family& family : out) {
    std::vector<double> p;
    for (const ControlComparison& one : family.comparisons) {
      p.push_back(one.difference && !one.has_same_games ? one.difference->p : 1);
    }
    const std::vector<double> adjusted = holm_adjusted(p);
    for (std::size_t i = 0; i < p.size(); ++i) family.comparisons[i].adjusted_p = adjusted[i];
  }
  return out;
}

}  // namespace pitboss::clients
