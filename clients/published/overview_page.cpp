#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <ranges>

#include "clients/experiments/settings.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/published/figure.hpp"
#include "clients/published/markdown.hpp"
#include "clients/published/pages.hpp"
#include "clients/published/repeats.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/record_files.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view rules =
    R"(# The papers' tables and figures, and what was found here

Every published table and figure of the five papers, for readers who ask what holds. A page that `./dev results` makes follows from
the records in `data/results` alone; a page written by hand tells how it was measured.

| verdict | means |
|---|---|
| reproduced | the players have the paper's options, and our score is what the paper says |
| in agreement | our score is what the paper says, but the players have other options: the paper's are not known |
| contradicted | the players have the paper's options, and our score is not what the paper says |
| open | our score is not what the paper says, and the players have other options; or, of times, what the paper says is not known here |
| undecided | the interval of our score, or of its difference from the paper's, is too wide to tell |
| begun | not all games planned were played |
| not run | no game of it was played here, or nothing measured; with the time that it takes, from games that were timed |
| by hand | `./dev results` does not make the page, which says how it was measured and judged |

| the paper has | our score is what the paper says if the 95 % interval | and it is not if the interval |
|---|---|---|
| a number | of the difference holds 0 and has at most 5 points on either side | of the difference does not hold 0; of twenty numbers that are right, one is missed by chance |
| "better" | of our score lies above 50 % | lies below 50 % |
| "worse" | of our score lies below 50 % | lies above 50 % |
| "even" | of our score lies within 45 and 55 % | lies neither there nor holds 50 % |
| "not better" | of our score lies below 55 % | reaches 55 % and lies above 50 % |

All these intervals, and those of differences from controls, count each of our distinct rounds once: a round's games share an opening,
and a round that repeats another one shows nothing new. The paper's games count as independent. Intervals of differences are those of
Agresti and Caffo (2000), each side with one more round, or game of the paper's, that was won and one more that was lost, so that a few
games, or games that are all alike, are not taken for certain. A
player and its control play the same openings, several players share a control, and a player with two controls has one score: the
intervals take all for independent. Scores of all
games have the papers' intervals: Wilson with continuity correction.

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
  if (!counted.has_all_hours) {
    if (counted.hours == 0) return verdicts + " What is left was not timed.";
    return verdicts + " What is left takes " + hours_text(counted.hours) +
           ", and more that was not timed.";
  }
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
Row row_of(const Repository& repository, const Setting& item, const std::vector<Table>& tables,
           const std::optional<Times>& times) {
  item.expect_keys({"name", "table", "slowdown_by", "page", "found", "like", "times", "why"});
  std::string found = "not run";
  std::string page;
  if (const Setting* const table = item.find("table")) {
    found = found_in(table_named(table->text(), *table, tables));
    page = table->text();
  } else if (const Setting* const part = item.find("slowdown_by")) {
    if (part->text() != "novelty") part->refuse("expected novelty");
    if (times) found = "open: " + findings_of(*times);
    page = times_name;
  } else if (const Setting* const by_hand = item.find("page")) {
    if (!fs::exists(repository.page(by_hand->text()))) by_hand->refuse("there is no such page");
    found = "by hand: " + item.at("found").text();
    page = by_hand->text();
  } else if (const Setting* const like = item.find("like")) {
    const Setting* const factor = item.find("times");
    found += cost_like(*like, factor != nullptr ? factor->number(0, 1e6) : 1, tables);
  }
  if (const Setting* const why = item.find("why")) {
    if (found.ends_with('.')) found.pop_back();
    found += "; " + why->text();
  }
  return {item.at("name").text(), found, page.empty() ? "" : "[" + page + "](" + page + ".md)"};
}

/// What a paper's tables say together: the text of the list, in which the name of a table in braces
/// stands for what was found in it.
std::string findings_text(const Setting& findings, const std::vector<Table>& tables,
                          const std::vector<Family>& families) {
  std::string out;
  const std::string& text = findings.text();
  std::size_t done = 0;
  for (;;) {
    const std::size_t open = text.find('{', done);
    out += text.substr(done, open - done);
    if (open == std::string::npos) return out;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) findings.refuse("a brace is not closed");
    const std::string name = text.substr(open + 1, close - open - 1);
    out += findings_of(table_named(name, findings, tables), families);
    done = close + 1;
  }
}

/// The difference of a comparison that was played, and what it shows.
std::string difference_text(const ControlComparison& one) {
  if (!one.difference) return "";
  if (one.has_same_games) return "the same games";
  const std::string standing(standing_of(one));
  return points_text(*one.difference) + (standing.empty() ? "" : " **" + standing + "**");
}

/// The differences between players and controls: a line for each table and player, or for each of
/// the player's controls, that has some, a column for each game.
std::string differences_table(const Family& family, const std::vector<Table>& tables) {
  Row heads{"table", "player"};
  if (family.has_several_controls()) heads.emplace_back("control");
  const auto names = static_cast<std::ptrdiff_t>(heads.size());
  std::vector<Row> rows;
  for (const ControlComparison& one : family.comparisons) {
    if (!one.difference) continue;
    const auto& matches = std::ranges::find(tables, one.table, &Table::name)->matches();
    const Match& match = matches[one.match];
    Row line{"[" + one.table + "](" + one.table + ".md)", match.players[0].name};
    if (names > 2) line.push_back(matches[one.control].players[0].name);
    auto row = std::ranges::find_if(rows, [&](const Row& known) {
      return std::ranges::equal(line, known | std::views::take(names));
    });
    if (row == rows.end()) row = rows.insert(row, line);
    const auto head = std::ranges::find(heads, rules_name(match));
    const auto column = static_cast<std::size_t>(head - heads.begin());
    if (head == heads.end()) heads.push_back(rules_name(match));
    if (row->size() <= column) row->resize(column + 1);
    row->at(column) = difference_text(one);
  }
  for (Row& row : rows) row.resize(heads.size());
  return rows.empty() ? "" : "\n" + markdown_table(heads, rows);
}

std::string family_text(const Family& family, const std::vector<Table>& tables) {
  std::string out = "## " + family.question + "\n\n";
  out += format(
      "**In %d of %d comparisons that were played to the end the player is better than its "
      "control, and in %d worse** (Holm over the whole family, 5 %%); in %d it scores higher. ",
      family.better(), family.played(), family.worse(), family.higher());
  if (family.has_several_controls()) {
    const int players = family.better_than_all();
    out += players == 0 ? "No player is better than all its controls. "
                        : format("%d of the players are better than all their controls. ", players);
  }
  out += "Players beside controls: " + played_text(family) + " ";
  out += highest_text(family, tables);
  return out + differences_table(family, tables) + "\n";
}

/// Replaces a page that has changed.
void write_page(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_text_file(path) == text) return;
  fs::create_directories(path.parent_path());
  replace_file(path, text);
  std::cout << path.string() << "\n";
}

/// Writes a figure, or removes it if there is none.
void write_figure(const fs::path& path, const std::optional<std::string>& figure) {
  if (figure) {
    write_page(path, *figure);
  } else if (fs::remove(path)) {
    std::cout << path.string() << " removed\n";
  }
}

}  // namespace

std::string overview_page(const Repository& repository, const std::vector<Table>& tables) {
  const std::vector<Family> families = families_of(tables);
  std::string out = made_by("data/results/papers.toml, and the records and costs beside it");
  out += rules;
  const std::optional<Times> times = read_times(repository.times());
  const Setting list = read_settings(repository.papers());
  list.expect_keys({"paper"});
  for (const Setting& paper : list.list_at("paper")) {
    paper.expect_keys({"title", "source", "findings", "item"});
    out += "## " + paper.at("title").text() + "\n\n" + paper.at("source").text() + "\n\n";
    if (const Setting* const findings = paper.find("findings")) {
      out += findings_text(*findings, tables, families) + "\n\n";
    }
    std::vector<Row> rows;
    for (const Setting& item : paper.list_at("item")) {
      rows.push_back(row_of(repository, item, tables, times));
    }
    out += markdown_table({"published", "here", "page"}, rows) + "\n";
  }
  for (const Family& family : families) out += family_text(family, tables);
  return out + repeats_section(tables, repeats_of(tables, read_records(repository.repeats())));
}

void write_pages(const Repository& repository) {
  std::vector<Table> tables;
  for (const std::string& name : table_names(repository)) {
    tables.push_back(read_table(repository, name));
  }
  const std::optional<Times> times = read_times(repository.times());
  const std::vector<Family> families = families_of(tables);
  for (const Table& table : tables) {
    write_page(repository.page(table.name), table_page(table, families));
    write_figure(repository.figure(table.name),
                 has_figure(table) ? std::optional(figure_of(table)) : std::nullopt);
  }
  if (fs::exists(repository.papers())) {
    const std::string name(times_name);
    write_page(repository.page(name), times_page(times));
    write_figure(repository.figure(name), times ? std::optional(figure_of(*times)) : std::nullopt);
    write_page(repository.page("README"), overview_page(repository, tables));
  }
}

}  // namespace pitboss::clients
