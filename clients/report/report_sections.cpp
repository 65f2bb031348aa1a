#include "clients/report/report_sections.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "clients/players/line_stream.hpp"
#include "clients/report/conclusions.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/summary.hpp"
#include "clients/report/tournament.hpp"

namespace pitboss::clients {

namespace {

constexpr std::size_t most_incidents = 200;
constexpr std::size_t most_repeated = 5;

/// Ledgers do not record where the players were.
std::string location_text(const Location& location) {
  const auto* const address = std::get_if<Address>(&location);
  return address != nullptr && address->host.empty() ? "not recorded" : text_of(location);
}

/// A cell whose content is folded away.
Markup folded_cell(const Markup& content) {
  if (content.empty()) return words("-");
  return element("td", {{"class", "words"}}, folded("show", content));
}

Markup players_table(const Results& results) {
  std::set<std::string> seen;
  std::vector<Markup> rows;
  for (const MatchResults& match : results.matches()) {
    for (const Player& player : match.match().players) {
      if (!seen.insert(player.name).second) continue;
      rows.push_back(row_head(player.name) + words(language_text(player)) +
                     words(location_text(player.location)) + words(options_text(player)));
    }
  }
  return table(
      "Players",
      {{"player", true}, {"speaks", true}, {"place", true}, {"options, as they are sent", true}},
      rows);
}

/// The declared options that the player does not set, as a command writes them.
std::string others_text(const Player& player, const Declaration& declaration) {
  std::string out;
  for (const auto& [name, value] : declaration.options) {
    const bool is_set = std::ranges::count(player.options, name, &engine::Assignment::name) > 0;
    if (!is_set) out += (out.empty() ? "" : " ") + name + "=" + value;
  }
  return out;
}

Markup engines_table(const Results& results) {
  // Most engines declare the same in every game.
  std::map<std::array<std::string, 3>, std::vector<std::string>> games;
  for (const MatchResults& match : results.matches()) {
    for (const std::size_t i : {0, 1}) {
      const Player& player = match.match().players[i];
      const auto& declared = match.declared()[i];
      if (!declared) continue;
      auto& known = games[{player.name, declared->program, others_text(player, *declared)}];
      const std::string rules = rules_text(match.match());
      if (std::ranges::count(known, rules) == 0) known.push_back(rules);
    }
  }
  if (games.empty()) return {};
  std::vector<Markup> rows;
  for (const auto& [engine, rules] : games) {
    const auto& [player, program, others] = engine;
    std::string list;
    for (const std::string& game : rules) list += (list.empty() ? "" : ", ") + game;
    rows.push_back(row_head(player) + words(program.empty() ? "-" : program) + words(list) +
                   folded_cell(text(others)));
  }
  return table("Engines, as they said of themselves before the first game",
               {{"player", true}, {"program", true}, {"games", true}, {"its other options", true}},
               rows);
}

std::string endings_text(const Match& match) {
  std::string out = adjudication_text(match.adjudication);
  if (match.max_plies > 0) {
    out += format("%sa draw after %d plies", out.empty() ? "" : "; ", match.max_plies);
  }
  return out.empty() ? "none" : out;
}

Markup games_table(const Results& results) {
  std::vector<Markup> rows;
  for (const Tournament& game : tournaments_by_game(results)) {
    const Match& match = results.matches()[game.matches.front()].match();
    const std::string parameters = match.parameters.line();
    rows.push_back(row_head(match.game) + words(parameters.empty() ? "-" : parameters) +
                   words(match.openings.summary()) + cell(std::to_string(match.seed)) +
                   words(endings_text(match)) + cell(seconds_text(match.move_timeout)) +
                   cell(match.has_clock() ? seconds_text(match.time_margin) : "-") +
                   cell(std::to_string(game.matches.size())));
  }
  return table("Games, by their first match",
               {{"game", true},
                {"parameters", true},
                {"openings", true},
                {"seed"},
                {"adjudication", true},
                {"time for a move without a clock"},
                {"margin of clocks"},
                {"matches"}},
               rows);
}

Markup rule_of(const Results& results) {
  const auto& sprt = results.experiment().sprt;
  if (!sprt) return note("No stopping rule: the number of games was fixed beforehand.");
  return note(format(
      "Stopping rule: sequential probability ratio test of elo0 = %g against elo1 = "
      "%g (%s Elo), alpha %g, beta %g. The score of a match that a test has ended is "
      "biased away from even.",
      sprt->elo0, sprt->elo1, std::string(name_of(sprt->model)).c_str(), sprt->alpha, sprt->beta));
}

Markup failures_table(const Results& results) {
  const Tournament whole = whole_tournament(results);
  std::vector<Markup> rows;
  for (const std::string& player : whole.players) {
    Markup row = row_head(player);
    int total = 0;
    for (const Failure failure : all_failures) {
      int count = 0;
      for (const MatchResults& match : results.matches()) {
        for (const int side : {0, 1}) {
          if (match.match().players[side].name != player) continue;
          count += match.standings().failures(side, failure);
        }
      }
      row += cell(std::to_string(count));
      total += count;
    }
    rows.push_back(row + cell(std::to_string(total)));
  }
  std::vector<Column> columns = {{"player", true}};
  for (const Failure failure : all_failures) columns.push_back({std::string(name_of(failure))});
  columns.push_back({"all"});
  return table("Games lost by something other than play", columns, rows);
}

Markup incidents_table(const Results& results, std::span<const Incident> incidents) {
  if (incidents.empty()) return {};
  std::vector<Markup> rows;
  for (const Incident& incident : incidents.first(std::min(incidents.size(), most_incidents))) {
    const bool is_known =
        incident.match >= 0 && std::cmp_less(incident.match, results.matches().size());
    rows.push_back(
        element("td", time_text(incident.when)) +
        words(is_known ? match_name(results, incident.match) : "-") +
        cell(std::to_string(incident.game)) + words(incident.player) + words(incident.location) +
        words(incident.reason) + words(incident.is_loss ? "lost" : "played again") +
        folded_cell(incident.excerpt.empty() ? Markup() : element("pre", incident.excerpt)));
  }
  Markup out = table("What went wrong, and what was said before",
                     {{"time (UTC)", true},
                      {"match", true},
                      {"game"},
                      {"player", true},
                      {"place", true},
                      {"what happened", true},
                      {"the game was", true},
                      {"excerpt", true}},
                     rows);
  if (incidents.size() > most_incidents) {
    out += note(format("and %zu more", incidents.size() - most_incidents));
  }
  return out;
}

}  // namespace

Markup failures_section(const Results& results, std::span<const Incident> incidents) {
  return (results.forfeits() == 0 ? paragraph("No game was lost by a failure.")
                                  : failures_table(results)) +
         incidents_table(results, incidents);
}

Markup duplicates_section(const Results& results) {
  std::vector<Markup> rows;
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    const Standings& standings = results.matches()[i].standings();
    if (standings.duplicates() == 0) continue;
    std::vector<std::pair<int, std::string>> often;
    for (const auto& [moves, times] : standings.times_played()) {
      if (times > 1) often.emplace_back(-times, moves);
    }
    std::ranges::sort(often);
    if (often.size() > most_repeated) often.resize(most_repeated);
    std::string most;
    for (const auto& [times, moves] : often) {
      constexpr std::size_t shown = 40;
      most += (most.empty() ? "" : "; ") + std::to_string(-times) + " times " +
              moves.substr(0, shown) + (moves.size() > shown ? "..." : "");
    }
    rows.push_back(row_head(match_name(results, static_cast<int>(i))) +
                   cell(std::to_string(standings.games())) +
                   cell(std::to_string(standings.distinct())) +
                   cell(std::to_string(standings.duplicates())) + words(most));
  }
  if (rows.empty()) return paragraph("No game repeats another.");
  return note("Games that repeat others tell nothing new: the intervals are too narrow by them.") +
         table("", {{"match", true}, {"games"}, {"distinct"}, {"repeats"}, {"most often", true}},
               rows);
}

Markup setup_section(const Results& results) {
  return rule_of(results) + players_table(results) + engines_table(results) + games_table(results);
}

}  // namespace pitboss::clients
