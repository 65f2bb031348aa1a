#include "clients/published/markdown.hpp"

#include <algorithm>

#include "clients/results/document/formatting.hpp"

namespace pitboss::clients {

std::string made_by(const std::string& sources) {
  return "<!-- Made by ./dev results from " + sources + ". -->\n";
}

std::string rules_name(const Match& match) {
  Match usual;
  set_game(usual, match.game);
  std::string out = match.game;
  for (const games::Parameters::Value& value : match.parameters.values()) {
    if (std::ranges::find(usual.parameters.values(), value) != usual.parameters.values().end()) {
      continue;
    }
    out += " " + value.name + "=" + value.text;
  }
  return out;
}

std::string hours_text(double hours) {
  constexpr double minutes_an_hour = 60;
  const double minutes = hours * minutes_an_hour;
  if (minutes < 1) return "less than a minute of a processor";
  if (minutes < 1.5) return "about a minute of a processor";
  if (minutes < 2 * minutes_an_hour) return format("about %.0f minutes of a processor", minutes);
  return format("about %.0f hours of a processor", hours);
}

std::string verdicts_text(const Count& count) {
  if (count.cells == 0) {
    return format("The paper's figures are not known; of %d matches %d were played to the end.",
                  count.matches, count.complete);
  }
  std::string out = format("Of %d published %s ", count.cells,
                           count.numbers == count.cells ? "figures"
                           : count.numbers > 0          ? "figures and statements"
                                                        : "statements");
  bool is_first = true;
  for (const Verdict verdict :
       {Verdict::reproduced, Verdict::agrees, Verdict::contradicted, Verdict::open,
        Verdict::undecided, Verdict::begun, Verdict::not_run}) {
    const auto found = count.verdicts.find(verdict);
    if (found == count.verdicts.end()) continue;
    if (!is_first) out += ", ";
    out += std::to_string(found->second);
    if (is_first) out += found->second == 1 ? " is" : " are";
    out += " " + std::string(name_of(verdict));
    is_first = false;
  }
  return out + ".";
}

std::string points_text(const Difference& difference) {
  return format("%+.1f [%+.1f, %+.1f]", 100 * difference.value, 100 * difference.interval.low,
                100 * difference.interval.high);
}

std::string_view standing_of(const ControlComparison& one) {
  if (one.is_better()) return "better";
  return one.is_worse() ? "worse" : "";
}

std::string played_text(const Family& family) {
  std::vector<std::string> tables;
  for (const ControlComparison& one : family.comparisons) {
    if (tables.empty() || tables.back() != one.table) tables.push_back(one.table);
  }
  std::string out = format("%zu comparisons in ", family.comparisons.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (i > 0) out += i + 1 < tables.size() ? ", " : " and ";
    out += "[" + tables[i] + "](" + tables[i] + ".md)";
  }
  const bool are_all = family.played() == static_cast<int>(family.comparisons.size());
  out += are_all ? ", all played to the end."
                 : format(", of which %d were played to the end; the others count with p = 1.",
                          family.played());
  if (family.alike() > 0) {
    out += format(
        " %d of those that were played count with p = 1%s: the player's games are its "
        "control's.",
        family.alike(), are_all ? "" : ", too");
  }
  return out;
}

std::string highest_text(const Family& family, std::span<const Table> tables) {
  const ControlComparison* highest = nullptr;
  for (const ControlComparison& one : family.comparisons) {
    if (!one.difference || one.has_same_games) continue;
    if (highest == nullptr || one.difference->interval.high > highest->difference->interval.high) {
      highest = &one;
    }
  }
  if (highest == nullptr) return "No comparison with other games than the control's was played.\n";
  const Table& table = *std::ranges::find(tables, highest->table, &Table::name);
  const Match& match = table.matches()[highest->match];
  std::string out = format(
      "Of the %d comparisons with other games than the control's, the interval that reaches "
      "highest allows a gain of %.1f points (%s, %s beside %s). Each interval is one of 95 %% by "
      "itself, not "
      "for all "
      "together",
      family.played() - family.alike(), 100 * highest->difference->interval.high,
      rules_name(match).c_str(), match.players[0].name.c_str(),
      table.matches()[highest->control].players[0].name.c_str());
  const std::size_t unplayed = family.comparisons.size() - family.played();
  if (unplayed > 0) out += format("; of the %zu that were not played nothing is known", unplayed);
  return out + ".\n";
}

}  // namespace pitboss::clients
