#include <algorithm>

#include "clients/published/markdown.hpp"
#include "clients/published/pages.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/summary.hpp"

namespace pitboss::clients {

namespace {

using Options = std::vector<engine::Assignment>;

bool has(const Options& options, const engine::Assignment& option) {
  return std::ranges::any_of(options, [&](const engine::Assignment& other) {
    return other.name == option.name && other.value == option.value;
  });
}

/// The options that all players of the table have alike.
Options common_options(const Table& table) {
  Options common = table.matches().front().players[0].options;
  for (const Match& match : table.matches()) {
    for (const Player& player : match.players) {
      std::erase_if(common, [&](const auto& option) { return !has(player.options, option); });
    }
  }
  return common;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string own_options(const Player& player, const Options& common) {
  Player own = player;
  std::erase_if(own.options, [&](const auto& option) { return has(common, option); });
  return own.options.empty() ? "" : code(options_text(own));
}

std::string scored(double score, const Interval& interval) {
  return format("%.1f ", 100 * score) + percent_text(interval);
}

std::string points_text(const Difference& difference) {
  return format("%+.1f [%+.1f, %+.1f]", 100 * difference.value, 100 * difference.interval.low,
                100 * difference.interval.high);
}

/// A line for a match: who plays, what was played, and the paper's figure.
Row row_of(const Table& table, std::size_t number, const Options& common) {
  const Match& match = table.matches()[number];
  const std::string own = own_options(match.players[1], common);
  Row row{rules_name(match), match.players[0].name, own_options(match.players[0], common),
          match.players[1].name + (own.empty() ? "" : " " + own)};
  const auto& record = table.records[number];
  const auto& score = table.published(number).score;
  const std::string paper = score ? format("%.1f", 100 * *score) : "";
  if (!record) {
    const auto hours = table.hours(number);
    row.insert(row.end(), {"", "", "", "", "", paper, "",
                           "not run" + (hours ? ": " + hours_text(*hours) : "")});
    return row;
  }
  const Tally& tally = record->tally;
  const std::string games = std::to_string(tally.games());
  row.push_back(tally.games() < match.games ? games + " of " + std::to_string(match.games) : games);
  row.push_back(std::to_string(record->distinct_games));
  row.push_back(format("%d-%d-%d", tally.wins, tally.draws, tally.losses));
  row.push_back(scored(tally.score(), score_interval(tally.points(), tally.games())));
  row.push_back(scored(record->distinct_rounds.mean(), record->distinct_rounds.interval()) +
                format(" of %lld", static_cast<long long>(record->distinct_rounds.rounds())));
  row.push_back(paper);
  const auto difference = table.to_paper(number);
  row.push_back(difference ? points_text(*difference) : "");
  row.push_back(difference ? std::string(name_of(table.verdict(number))) : "control");
  return row;
}

/// How a player stands beside its control.
std::string standing(const Control& control) {
  if (control.adjusted_p <= significance) return "better";
  return control.difference.interval.high < 0 ? "worse (one interval of 95 %)" : "";
}

std::string controls_section(const std::vector<Control>& controls) {
  if (controls.empty()) return {};
  std::vector<Row> rows;
  double highest = -1;
  for (const Control& control : controls) {
    const Table& table = *control.table;
    const Match& match = table.matches()[control.match];
    const std::size_t other = *table.published(control.match).control;
    rows.push_back({rules_name(match), match.players[0].name,
                    table.matches()[other].players[0].name, points_text(control.difference),
                    format("%.3f", control.difference.p), format("%.3f", control.adjusted_p),
                    standing(control)});
    highest = std::max(highest, control.difference.interval.high);
  }
  return "## Players and their controls\n\n"
         "Score less that of the control against the same opponent, in points; p of a gain by "
         "chance, and by Holm over these comparisons.\n\n" +
         table_text({"game", "player", "control", "difference", "p", "p, Holm", ""}, rows) +
         format("\nNo interval allows a gain beyond the control of more than %.1f points.\n",
                100 * highest);
}

std::string summary(const Table& table, const std::vector<Control>& controls) {
  const auto better = std::ranges::count_if(
      controls, [](const Control& control) { return control.adjusted_p <= significance; });
  std::string out = "**" + verdicts_text(count(table)) + "**";
  if (!controls.empty()) {
    out += format(" Of %zu players beside their controls %td are better (Holm, 5 %%).",
                  controls.size(), better);
  }
  return out + " [README.md](README.md) has the rules of the verdicts.\n";
}

}  // namespace

std::string table_page(const Table& table) {
  const PublishedTable& published = *table.file.published;
  const Match& first = table.matches().front();
  const Options common = common_options(table);
  const std::vector<Control> controls = controls_in({&table});
  std::vector<Row> rows;
  for (std::size_t i = 0; i < table.matches().size(); ++i) {
    rows.push_back(row_of(table, i, common));
  }
  Player all;
  all.options = common;
  std::string out =
      made_by("data/experiments/" + table.name + ".toml and data/results/" + table.name + ".jsonl");
  out += "# " + published.title + "\n\n";
  if (!published.about.empty()) out += published.about + "\n\n";
  out += summary(table, controls);
  out += "\n## Cells\n\nScores are those of the player in per cent, with 95 % intervals";
  out += format("; the paper's are from %d games each", published.games);
  out += ". A line's second score counts each round of games once, however often it was played.";
  if (!published.has_paper_options) out += " **The options are not those of the paper.**";
  out += " Openings `" + first.openings.text() + "`, seed " + std::to_string(first.seed);
  if (!common.empty()) out += "; all players have " + code(options_text(all));
  out += ".\n\n";
  out += table_text({"game", "player", "options", "against", "games", "distinct", "won-drawn-lost",
                     "score", "of distinct rounds", "paper", "difference", "verdict"},
                    rows);
  if (!controls.empty()) out += "\n" + controls_section(controls);
  out += "\n## Command\n\n```\n./dev results " + table.name +
         "\n```\n\nplays what is missing, and continues what was interrupted; the games repeat "
         "with the seed. A cell's line in the records has the build's signature of the game, and "
         "the SHA-256 of all moves and results.\n";
  return out;
}

}  // namespace pitboss::clients
