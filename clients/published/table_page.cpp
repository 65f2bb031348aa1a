#include <algorithm>
#include <map>
#include <set>

#include "clients/experiments/match_configuration.hpp"
#include "clients/published/figure.hpp"
#include "clients/published/markdown.hpp"
#include "clients/published/pages.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/summary.hpp"

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

/// "800-458-742", and how many of these games a failure decided.
std::string results_text(const CellRecord& record) {
  const Tally& tally = record.tally;
  std::string out = format("%d-%d-%d", tally.wins, tally.draws, tally.losses);
  if (record.failures > 0) out += format(" (%d by a failure)", record.failures);
  return out;
}

/// "5000, 73211": the players' simulations a move.
std::string simulations_text(const CellRecord& record) {
  if (!record.simulations) return "";
  const auto [first, second] = *record.simulations;
  return std::to_string(first) + ", " + std::to_string(second);
}

std::string published_text(const PublishedScore& score) {
  const auto* const number = std::get_if<double>(&score);
  return number != nullptr ? format("%.1f", 100 * *number)
                           : std::string(name_of(std::get<Wording>(score)));
}

/// The parts of a table's page that depend on what bounds its searches and on what the paper has.
struct Shape {
  bool is_timed = false;
  bool has_numbers = false;
};

Shape shape_of(const Table& table) {
  return {std::ranges::any_of(table.matches(), [](const Match& one) { return is_timed(one); }),
          count(table).numbers > 0};
}

/// The heads of the lines for matches.
Row heads_of(const Shape& shape) {
  Row heads{"game",     "player",         "options", "against",           "games",
            "distinct", "won-drawn-lost", "score",   "of distinct rounds"};
  if (shape.is_timed) heads.emplace_back("simulations a move");
  heads.emplace_back("paper");
  if (shape.has_numbers) heads.emplace_back("difference");
  heads.emplace_back("verdict");
  return heads;
}

/// What was played of a match, and its scores; empty if it has no record.
Row played_cells(const Table& table, std::size_t number, const Shape& shape) {
  constexpr std::size_t cells = 5;
  const auto& record = table.records[number];
  const int planned = table.matches()[number].games;
  if (!record) {
    Row row(cells + (shape.is_timed ? 1 : 0));
    row.front() = "0 of " + std::to_string(planned);
    return row;
  }
  const Tally& tally = record->tally;
  const std::string games = std::to_string(tally.games());
  Row row{tally.games() < planned ? games + " of " + std::to_string(planned) : games,
          std::to_string(record->distinct_games), results_text(*record),
          scored(tally.score(), score_interval(tally.points(), tally.games())),
          scored(record->distinct_rounds.mean(), record->distinct_rounds.interval()) +
              format(" of %lld", static_cast<long long>(record->distinct_rounds.rounds()))};
  if (shape.is_timed) row.push_back(simulations_text(*record));
  return row;
}

/// The verdict on a match, or what stands in its place.
std::string verdict_text(const Table& table, std::size_t number) {
  if (!table.records[number]) {
    const auto hours = table.hours(number);
    return "not run" + (hours ? ": " + hours_text(*hours) : "");
  }
  const PublishedTable::Cell& published = table.published(number);
  if (published.score) return std::string(name_of(table.verdict(number)));
  const auto is_control = [&](const PublishedTable::Cell& cell) {
    return std::ranges::find(cell.controls, number) != cell.controls.end();
  };
  return std::ranges::any_of(table.file.published->cells, is_control) ? "control" : "";
}

/// A line for a match: who plays, what was played, and the paper's figure.
Row row_of(const Table& table, std::size_t number, const Options& common, const Shape& shape) {
  const Match& match = table.matches()[number];
  const std::string own = own_options(match.players[1], common);
  Row row{rules_name(match), match.players[0].name, own_options(match.players[0], common),
          match.players[1].name + (own.empty() ? "" : " " + own)};
  const Row played = played_cells(table, number, shape);
  row.insert(row.end(), played.begin(), played.end());
  const auto& score = table.published(number).score;
  row.push_back(score ? published_text(*score) : "");
  const auto difference = table.to_paper(number);
  if (shape.has_numbers) row.push_back(difference ? points_text(*difference) : "");
  row.push_back(verdict_text(table, number));
  return row;
}

std::string p_text(double p) {
  constexpr double least = 0.00005;  // that is not rounded to 0
  return p < least ? "< 0.0001" : format("%.4f", p);
}

/// A line for a player and a control.
Row row_of(const Table& table, const ControlComparison& one) {
  const Match& match = table.matches()[one.match];
  Row row{rules_name(match), match.players[0].name, table.matches()[one.control].players[0].name};
  if (!one.difference) {
    const bool is_begun = table.records[one.match] || table.records[one.control];
    row.insert(row.end(), {"", "", "", is_begun ? "begun" : "not run"});
    return row;
  }
  if (one.has_same_games) {
    row.insert(row.end(), {"the same games", "", "", ""});
    return row;
  }
  row.insert(row.end(), {points_text(*one.difference), p_text(one.difference->p),
                         p_text(one.adjusted_p), std::string(standing_of(one))});
  return row;
}

/// The part of a family that is of this table.
Family part_of(const Family& family, const Table& table) {
  Family part{family.question, family.comparisons};
  std::erase_if(part.comparisons,
                [&](const ControlComparison& one) { return one.table != table.name; });
  return part;
}

std::string controls_section(const Table& table, const Family& family) {
  const Family part = part_of(family, table);
  std::vector<Row> rows;
  for (const ControlComparison& one : part.comparisons) rows.push_back(row_of(table, one));
  return "## Players and their controls\n\n"
         "Score of distinct rounds less that of the control against the same opponent, in points; "
         "two-sided p, and by Holm for the whole family of \"" +
         family.question + "\": " + played_text(family) + "\n\n" +
         markdown_table({"game", "player", "control", "difference", "p", "p, Holm", ""}, rows) +
         "\n" + highest_text(part, {&table, 1});
}

/// Records that the table has no match for.
std::string others_section(const Table& table) {
  if (table.others.empty()) return {};
  std::string out =
      "\n## Records of no match\n\nThe experiment has no match with the options of these records, "
      "which count nowhere:\n\n";
  for (const CellRecord& record : table.others) {
    const Match match = parse_configuration(record.match);
    out += format("* %s: ", rules_name(match).c_str());
    for (const Player& player : match.players) {
      out += player.name + " " + code(options_text(player));
      out += &player == &match.players.front() ? " against " : "";
    }
    out += format(", %d games\n", record.tally.games());
  }
  return out;
}

/// What failures there were in the games of a table.
std::string failures_text(const Table& table) {
  int failures = 0;
  for (const auto& record : table.records) failures += record ? record->failures : 0;
  if (failures == 0) return " No game was lost by a failure.";
  return format(" %d games were lost by a failure, and count.", failures);
}

/// The networks that were played with, by game.
std::string networks_text(const Table& table) {
  std::map<std::string, std::set<std::string>> networks;
  for (std::size_t i = 0; i < table.matches().size(); ++i) {
    if (!table.records[i]) continue;
    for (const std::string& sha256 : table.records[i]->networks) {
      constexpr std::size_t digits = 12;
      if (!sha256.empty()) {
        networks[rules_name(table.matches()[i])].insert(code(sha256.substr(0, digits)));
      }
    }
  }
  std::string out;
  for (const auto& [game, hashes] : networks) {
    out += (out.empty() ? " The networks' SHA-256 begin with: " : "; ") + game;
    for (const std::string& hash : hashes) out += (hash == *hashes.begin() ? " " : ", ") + hash;
  }
  return out.empty() ? out : out + ".";
}

}  // namespace

std::string findings_of(const Table& table, const std::vector<Family>& families) {
  std::string out = verdicts_text(count(table));
  for (const Family& family : families) {
    const Family part = part_of(family, table);
    if (part.comparisons.empty()) continue;
    out +=
        part.played() == 0
            ? format(" None of %zu comparisons with controls was played.", part.comparisons.size())
            : format(
                  " Of %zu comparisons with controls %d were played: in %d the player scores "
                  "higher, in %d it is better and in %d worse (Holm, 5 %%).",
                  part.comparisons.size(), part.played(), part.higher(), part.better(),
                  part.worse());
  }
  return out;
}

std::string table_page(const Table& table, const std::vector<Family>& families) {
  const PublishedTable& published = *table.file.published;
  const Match& first = table.matches().front();
  const Options common = common_options(table);
  const Shape shape = shape_of(table);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < table.matches().size(); ++i) {
    rows.push_back(row_of(table, i, common, shape));
  }
  Player all;
  all.options = common;
  std::string out = made_by("data/experiments/" + table.name + ".toml, data/results/" + table.name +
                            ".jsonl and costs.json");
  out += "# " + published.title + "\n\n";
  if (!published.about.empty()) out += published.about + "\n\n";
  out += "**" + findings_of(table, families) +
         "** [README.md](README.md) has the rules of the verdicts.\n";
  out += "\n## Cells\n\nScores are those of the player in per cent, with 95 % intervals";
  if (shape.has_numbers)
    out += format("; the paper's numbers are from %d games each", published.games);
  out +=
      ". A line's second score, on which its verdict rests, counts each round of games once, "
      "however often it was played.";
  if (shape.is_timed) {
    out +=
        " Simulations a move are medians over the moves of all games, of the player and of its "
        "opponent.";
  }
  out += failures_text(table);
  if (!published.has_paper_options) out += " **The options are not those of the paper.**";
  out += " Openings `" + first.openings.text() + "`, seed " + std::to_string(first.seed);
  if (!common.empty()) out += "; all players have " + code(options_text(all));
  out += "." + networks_text(table) + "\n\n";
  out += markdown_table(heads_of(shape), rows);
  if (has_figure(table)) {
    out += "\n## Figure\n\n![" + published.title + ", by " + published.x_axis + "](" + table.name +
           ".svg)\n";
  }
  const auto family = std::ranges::find(families, published.question, &Family::question);
  if (family != families.end()) out += "\n" + controls_section(table, *family);
  out += others_section(table);
  out += "\n## Command\n\n```\n./dev results " + table.name +
         "\n```\n\nplays what is missing, and continues what was interrupted; ";
  out += shape.is_timed ? "time bounds the searches, so nothing else should run, and the games do "
                          "not repeat."
                        : "the games repeat with the seed.";
  for (std::size_t i = 0; i < table.matches().size(); ++i) {
    if (!table.can_repeat(i)) continue;
    out += " `./dev results repeat " + table.name + " --cell " + name_of(table.matches()[i]) +
           "` plays a recorded cell again.";
    break;
  }
  out +=
      " A cell's line in the records has what the players' engines call themselves, the signature "
      "of the game's search in the program that made the record, and the SHA-256 of all moves and "
      "results.\n";
  return out;
}

}  // namespace pitboss::clients
