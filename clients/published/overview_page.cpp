#include <algorithm>
#include <filesystem>
#include <iostream>

#include "clients/experiments/settings.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/published/markdown.hpp"
#include "clients/published/pages.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/record_files.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view rules =
    R"(# The papers' tables and figures, and what was found here

Every published table and figure of the five papers, for readers who ask what holds. A page that `./dev results` makes follows from
the records in `data/results` alone; a page written by hand tells how it was measured.

| verdict | means |
|---|---|
| reproduced | the 95 % interval of the difference between our score and the paper's holds 0 |
| contradicted | it does not, with the paper's options; of twenty figures that are right, one gets this verdict by chance |
| open | it does not, but our players have other options than the paper's, which are not known |
| not run | no game of it was played here; with the time that it takes, from games that were timed |
| by hand | the page says which of the paper's statements hold; `./dev results` does not make it |

The difference has the variance of our score, from the rounds (the games of a round share an opening), and the paper's, p (1 - p) / n
for its n games. Our own intervals are those of the papers: Wilson with continuity correction.

)";

const Table& table_named(const std::string& name, const Setting& setting,
                         const std::vector<Table>& tables) {
  const auto found = std::ranges::find(tables, name, &Table::name);
  if (found == tables.end()) setting.refuse("there is no table " + name);
  return *found;
}

/// What was found in a table, and what the rest of it costs.
std::string found_in(const Table& table) {
  const Count counted = count(table);
  std::string verdicts = verdicts_text(counted);
  if (!counted.has_all_hours) return verdicts + " Not all that is left was timed.";
  if (counted.hours == 0) return verdicts;
  return verdicts + " What is left takes " + hours_text(counted.hours) + ".";
}

/// The time for so many times all games of the tables that `names` lists; nothing if not all were
/// timed.
std::string cost_like(const Setting& names, double times, const std::vector<Table>& tables) {
  double hours = 0;
  for (const std::string& name : names.texts()) {
    const Table& table = table_named(name, names, tables);
    for (std::size_t match = 0; match < table.matches().size(); ++match) {
      const auto cost = table.hours(match);
      if (!cost) return {};
      hours += *cost;
    }
  }
  return ": " + hours_text(times * hours);
}

/// A published table or figure as the list has it.
Row row_of(const Repository& repository, const Setting& item, const std::vector<Table>& tables) {
  item.expect_keys({"name", "table", "page", "like", "times", "why"});
  std::string found = "not run";
  std::string page;
  if (const Setting* const table = item.find("table")) {
    found = found_in(table_named(table->text(), *table, tables));
    page = table->text();
  } else if (const Setting* const by_hand = item.find("page")) {
    if (!fs::exists(repository.page(by_hand->text()))) by_hand->refuse("there is no such page");
    found = "by hand";
    page = by_hand->text();
  } else if (const Setting* const like = item.find("like")) {
    const Setting* const times = item.find("times");
    found += cost_like(*like, times != nullptr ? times->number(0, 1e6) : 1, tables);
  }
  if (const Setting* const why = item.find("why")) {
    found += (found.ends_with('.') ? " " : "; ") + why->text();
  }
  return {item.at("name").text(), found, page.empty() ? "" : "[" + page + "](" + page + ".md)"};
}

std::string family_text(const std::vector<Table>& tables) {
  std::vector<const Table*> all;
  for (const Table& table : tables) all.push_back(&table);
  const std::vector<Control> controls = controls_in(all);
  if (controls.empty()) return {};
  std::vector<Row> better;
  int worse = 0;
  for (const Control& control : controls) {
    if (control.difference.interval.high < 0) ++worse;
    if (control.adjusted_p > significance) continue;
    const Match& match = control.table->matches()[control.match];
    better.push_back({control.table->name, rules_name(match), match.players[0].name,
                      format("%.4f", control.adjusted_p)});
  }
  std::string out = format(
      "## Novelty beside its control\n\nOf %zu novelty players whose control (alpha = 0, all else "
      "alike) was played against the same opponent, %zu are better than it (Holm over all of them, "
      "5 %%), and of %d the 95 %% interval of the difference lies below 0.\n",
      controls.size(), better.size(), worse);
  if (!better.empty()) out += "\n" + table_text({"table", "game", "player", "p, Holm"}, better);
  return out;
}

/// Replaces a page that has changed.
void write_page(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_text_file(path) == text) return;
  fs::create_directories(path.parent_path());
  replace_file(path, text);
  std::cout << path.string() << "\n";
}

}  // namespace

std::string overview_page(const Repository& repository, const std::vector<Table>& tables) {
  std::string out = made_by("data/results/papers.toml and the records beside it");
  out += rules;
  const Setting list = read_settings(repository.papers());
  list.expect_keys({"paper"});
  for (const Setting& paper : list.list_at("paper")) {
    paper.expect_keys({"title", "source", "findings", "item"});
    out += "## " + paper.at("title").text() + "\n\n" + paper.at("source").text() + "\n\n";
    if (const Setting* const findings = paper.find("findings")) out += findings->text() + "\n\n";
    std::vector<Row> rows;
    for (const Setting& item : paper.list_at("item")) {
      rows.push_back(row_of(repository, item, tables));
    }
    out += table_text({"published", "here", "page"}, rows) + "\n";
  }
  return out + family_text(tables);
}

void write_pages(const Repository& repository) {
  std::vector<Table> tables;
  for (const std::string& name : table_names(repository)) {
    tables.push_back(read_table(repository, name));
    write_page(repository.page(name), table_page(tables.back()));
  }
  if (fs::exists(repository.papers())) {
    write_page(repository.page("README"), overview_page(repository, tables));
  }
}

}  // namespace pitboss::clients
