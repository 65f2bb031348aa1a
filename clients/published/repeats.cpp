#include "clients/published/repeats.hpp"

#include <algorithm>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/published/markdown.hpp"
#include "clients/results/document/formatting.hpp"
#include "games/random.hpp"

namespace pitboss::clients {

namespace {

/// Of a normal distribution, of two sides: of tables of ten cells, one in twenty has an interval
/// that misses what is true.
constexpr double normal_995 = 2.807033768343811;

std::optional<CellRecord> record_of(const std::vector<CellRecord>& records, const Match& match) {
  const auto found = std::ranges::find(records, configuration(match), &CellRecord::match);
  if (found == records.end() || found->tally.games() != match.games) return std::nullopt;
  return *found;
}

/// What the same seed came to.
std::string sameness(const CellRecord& first, const std::optional<CellRecord>& again) {
  constexpr std::size_t shown = 12;
  if (!again) return "not played";
  if (again->sha256 == first.sha256) return "the same: " + first.sha256.substr(0, shown);
  return "**other games**: " + again->sha256.substr(0, shown) + ", not " +
         first.sha256.substr(0, shown);
}

/// The score with another seed, its difference, and whether the interval holds 0.
Row other_score(const CellRecord& first, const std::optional<CellRecord>& other) {
  if (!other) return {"", "not played", ""};
  const Difference apart = difference(estimate_of(other->distinct_rounds),
                                      estimate_of(first.distinct_rounds), normal_995);
  const bool holds = apart.interval.low <= 0 && apart.interval.high >= 0;
  return {format("%.1f", 100 * other->distinct_rounds.mean()), points_text(apart),
          holds ? "yes" : "**no**"};
}

}  // namespace

std::vector<RecordedCell> draw_cells(const std::vector<Table>& tables, int count,
                                     std::uint64_t seed) {
  std::vector<RecordedCell> left;
  for (std::size_t table = 0; table < tables.size(); ++table) {
    for (std::size_t match = 0; match < tables[table].matches().size(); ++match) {
      if (tables[table].can_repeat(match)) left.push_back({table, match});
    }
  }
  games::Random random(seed);
  std::vector<RecordedCell> drawn;
  while (static_cast<int>(drawn.size()) < count && !left.empty()) {
    const auto place = left.begin() + random.below(static_cast<int>(left.size()));
    drawn.push_back(*place);
    left.erase(place);
  }
  return drawn;
}

std::vector<RecordedCell> cells_named(const std::vector<Table>& tables,
                                      const std::vector<std::string>& names) {
  std::vector<RecordedCell> cells;
  for (const std::string& name : names) {
    const std::size_t before = cells.size();
    for (std::size_t table = 0; table < tables.size(); ++table) {
      const std::vector<Match>& matches = tables[table].matches();
      const auto match =
          std::ranges::find(matches, name, [](const Match& one) { return name_of(one); });
      if (match == matches.end()) continue;
      const RecordedCell cell{table, static_cast<std::size_t>(match - matches.begin())};
      require(tables[table].can_repeat(cell.match),
              name + " of " + tables[table].name +
                  " cannot be repeated: time bounds it, or not all its games are recorded");
      cells.push_back(cell);
    }
    require(cells.size() > before,
            "no match is " + name + "; expected GAME.PLAYER.OPPONENT, as in the table's page");
  }
  return cells;
}

Match with_other_seed(Match match) {
  ++match.seed;
  return match;
}

std::vector<Repeat> repeats_of(const std::vector<Table>& tables,
                               const std::vector<CellRecord>& records) {
  std::vector<Repeat> out;
  for (std::size_t table = 0; table < tables.size(); ++table) {
    for (std::size_t number = 0; number < tables[table].matches().size(); ++number) {
      if (!tables[table].is_complete(number)) continue;
      const Match& match = tables[table].matches()[number];
      Repeat repeat{
          {table, number}, record_of(records, match), record_of(records, with_other_seed(match))};
      if (repeat.same_seed || repeat.other_seed) out.push_back(std::move(repeat));
    }
  }
  return out;
}

bool has_same_games(const std::vector<Table>& tables, const Repeat& repeat) {
  const auto& record = tables[repeat.cell.table].records[repeat.cell.match];
  return repeat.same_seed && repeat.same_seed->sha256 == record->sha256;
}

std::string repeats_table(const std::vector<Table>& tables, const std::vector<Repeat>& repeats) {
  std::vector<Row> rows;
  for (const Repeat& repeat : repeats) {
    const Table& table = tables[repeat.cell.table];
    const Match& match = table.matches()[repeat.cell.match];
    const CellRecord& first = *table.records[repeat.cell.match];
    Row row{table.name, rules_name(match), match.players[0].name, sameness(first, repeat.same_seed),
            format("%.1f", 100 * first.distinct_rounds.mean())};
    const Row other = other_score(first, repeat.other_seed);
    row.insert(row.end(), other.begin(), other.end());
    rows.push_back(std::move(row));
  }
  return markdown_table({"table", "game", "player", "SHA-256 with the same seed", "score",
                         "with the next seed", "difference", "holds 0"},
                        rows);
}

std::string repeats_section(const std::vector<Table>& tables, const std::vector<Repeat>& repeats) {
  if (repeats.empty()) return {};
  int same = 0;
  int within = 0;
  for (const Repeat& repeat : repeats) {
    const CellRecord& first = *tables[repeat.cell.table].records[repeat.cell.match];
    if (has_same_games(tables, repeat)) ++same;
    if (other_score(first, repeat.other_seed).back() == "yes") ++within;
  }
  std::string out =
      "## Cells played again\n\nCells drawn at random and played once more, all their games, by "
      "`pitboss results repeat`: with their seed, which must give the same moves and results, and "
      "with the next seed, which gives other openings and other games. Scores are of distinct "
      "rounds; the interval of their difference, which should hold 0, is one of 99.5 %: of ten "
      "such intervals one or more miss what is true once in twenty times. ";
  out += format("Of %zu cells %d gave the same games, and the interval of %d holds 0.\n\n",
                repeats.size(), same, within);
  return out + repeats_table(tables, repeats) + "\n";
}

}  // namespace pitboss::clients
