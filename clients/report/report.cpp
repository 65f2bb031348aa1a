#include "clients/report/report.hpp"

#include <algorithm>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/report/conclusions.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/game_boards.hpp"
#include "clients/report/html_page.hpp"
#include "clients/report/machines.hpp"
#include "clients/report/match_charts.hpp"
#include "clients/report/report_sections.hpp"
#include "clients/report/summary.hpp"
#include "clients/report/tournament.hpp"
#include "clients/report/tournament_charts.hpp"

namespace pitboss::clients {

namespace {

/// With more games, the sections of the games are folded.
constexpr std::size_t most_open_games = 3;
/// With more matches, the conclusions stand in the sections of their games.
constexpr std::size_t most_conclusions = 8;

/// The games of each match that count, in order.
using Games = std::vector<std::vector<PlayedGame>>;

bool is_difference_shown(const MatchResults& match) { return stronger_in(match) >= 0; }

Markup conclusions(const Results& results, const Tournament& game) {
  Markup items;
  for (const int i : game.matches) {
    const MatchResults& match = results.matches()[i];
    items += element("li", text(conclusion_of(match) + " Games: ") +
                               games_link(i, "", match.standings().games()));
  }
  return element("ul", {{"class", "conclusions"}}, items);
}

Markup conclusions(const Results& results, const std::vector<Tournament>& games) {
  const auto& matches = results.matches();
  const std::vector<std::string> verdicts = verdicts_of(results);
  Markup out;
  if (!verdicts.empty()) out += element("p", {{"class", "verdict"}}, text(verdicts.front()));
  if (verdicts.size() > 1) {
    Markup pairs;
    for (std::size_t i = 1; i < verdicts.size(); ++i) pairs += element("li", verdicts[i]);
    out += element("ul", pairs);
  }
  if (matches.size() > 1) {
    out += paragraph(format("A difference was shown in %d of %zu matches.",
                            static_cast<int>(std::ranges::count_if(matches, is_difference_shown)),
                            matches.size()));
    out += note(
        "Of intervals at 95 %, about one in twenty misses the true value: among many matches some "
        "differences are chance.");
  }
  if (matches.size() > most_conclusions) return out;
  for (const Tournament& game : games) {
    if (games.size() > 1) out += element("h3", game.title);
    out += conclusions(results, game);
  }
  return out;
}

Markup matches_section(const Results& results, const Tournament& game) {
  std::vector<Markup> rows;
  for (const int i : game.matches) {
    const MatchResults& match = results.matches()[i];
    const Standings& standings = match.standings();
    const Tally& tally = standings.tally(0);
    const EloEstimate normalized = normalized_elo_estimate(standings.scores());
    Markup row = row_head(match.match().players[0].name + " - " + match.match().players[1].name);
    row += cell(games_link(i, "", standings.games())) + cell(games_link(i, "won", tally.wins)) +
           cell(games_link(i, "drawn", tally.draws)) + cell(games_link(i, "lost", tally.losses));
    row += cell(format("%.2f", 100 * tally.score())) +
           cell(percent_text(score_interval(tally.points(), tally.games()), 2)) +
           cell(elo_text(elo_estimate(standings.scores()))) +
           cell(normalized.elo ? elo_text(normalized) : "-") +
           cell(format("%.1f", 100 * superiority(standings.scores()))) +
           cell(simulations_text(match));
    const std::string shares = shares_text(match);
    row += cell(shares.empty() ? "-" : shares);
    if (match.sprt()) row += words(llr_text(match));
    rows.push_back(row);
  }
  std::vector<Column> columns = {{"match", true},    {"games"},   {"won"},           {"drawn"},
                                 {"lost"},           {"score %"}, {"95 % interval"}, {"Elo"},
                                 {"normalized Elo"}, {"LOS %"},   {"simulations"},   {"processor"}};
  if (results.experiment().sprt) columns.push_back({"test", true});
  return table(
      "Seen by the first player. The score's interval takes the games for independent, those of "
      "Elo "
      "take the rounds. LOS: the probability that it is stronger. Simulations: of a move of either "
      "player, medians. Processor: the share of one that searches bounded by time got.",
      columns, rows);
}

/// The points of each colour, summed over all players of a game.
Markup by_colour(const Results& results, const Tournament& game) {
  std::vector<ColourScore> scores;
  const auto colours = results.matches()[game.matches.front()].match().colours;
  for (const std::string& player : game.players) {
    for (std::size_t c = 0; c < colours.size(); ++c) {
      Tally sum;
      for (const int i : game.matches) {
        for (const int side : {0, 1}) {
          if (results.matches()[i].match().players[side].name != player) continue;
          sum += results.matches()[i].standings().tally(side, static_cast<games::Colour>(c));
        }
      }
      scores.push_back({player, std::string(colours[c]), sum});
    }
  }
  return colours_chart("Results by colour, " + game.title, scores);
}

Markup thinking_times(const Results& results, const Tournament& game, const Games& games) {
  std::vector<ThinkingTime> times;
  for (const std::string& player : game.players) {
    ThinkingTime& time = times.emplace_back(player);
    for (const int i : game.matches) {
      for (const int side : {0, 1}) {
        if (results.matches()[i].match().players[side].name != player) continue;
        for (const PlayedGame& record : games[i]) {
          time.seconds.push_back(record.seconds[side]);
          time.latency += record.latency[side];
        }
      }
    }
  }
  return time_chart("Thinking time a game, " + game.title, std::move(times));
}

Markup game_section(const Results& results, const Tournament& game, const Games& games) {
  std::map<int, int> lengths;
  Markup courses;
  // The more matches, the fewer points a curve has, so that the page stays small.
  const std::size_t points = std::clamp<std::size_t>(8000 / results.matches().size(), 100, 400);
  for (const int i : game.matches) {
    const MatchResults& match = results.matches()[i];
    for (const auto& [length, count] : match.standings().lengths()) lengths[length] += count;
    const std::vector<Standing> course = course_of(match, games[i], points);
    courses += score_chart(match, course) + llr_chart(match, course);
  }
  const Markup plots = courses + lengths_chart("Lengths of the games, " + game.title, lengths) +
                       by_colour(results, game) + thinking_times(results, game, games);
  Markup out = matches_section(results, game);
  if (results.matches().size() > most_conclusions) out += conclusions(results, game);
  if (game.players.size() > 2) {
    out += results_matrix(game) + element("div", {{"class", "plots"}}, ratings_chart(game) + plots);
  } else {
    out += element("div", {{"class", "plots"}}, plots);
  }
  return out;
}

Markup head_section(const LedgerContents& contents) {
  const Results& results = contents.results;
  int planned = 0;
  for (const MatchResults& match : results.matches()) planned += match.match().games;
  const std::size_t players = whole_tournament(results).players.size();
  Markup out = element("h1", title_of(results));
  out += paragraph(format("%d games of at most %d, in %zu %s, between %zu players.",
                          results.games(), planned, results.matches().size(),
                          results.matches().size() == 1 ? "match" : "matches", players));
  const std::string when = playing_times(contents.played);
  if (!when.empty()) out += paragraph(when);
  if (!results.is_over()) {
    out += element("p", {{"class", "alarm"}},
                   text("Not all has been played: what follows is provisional."));
  }
  if (results.forfeits() > 0) {
    out += element(
        "p", {{"class", "alarm"}},
        text(format("Games lost by failures rather than by play: %d.", results.forfeits())));
  }
  const auto unlike = std::ranges::count_if(results.matches(), &MatchResults::has_unlike_shares);
  if (unlike > 0) {
    out += element("p", {{"class", "alarm"}},
                   text(format("Matches whose players got unlike shares of the processor: %d.",
                               static_cast<int>(unlike))));
  }
  return out;
}

std::vector<ReportPart> parts_of(const LedgerContents& contents, const Games& games,
                                 const std::vector<Machine>& machines) {
  const Results& results = contents.results;
  const Tournament whole = whole_tournament(results);
  const std::vector<Tournament> by_game = tournaments_by_game(results);
  std::vector<ReportPart> parts = {{"Conclusions", conclusions(results, by_game)}};
  if (by_game.size() > 1) {
    Markup all = games_matrix(results, by_game);
    if (whole.players.size() > 2) {
      all += results_matrix(whole) + element("div", {{"class", "plots"}}, ratings_chart(whole));
    }
    parts.push_back({"All games together", all});
  }
  Markup of_games;
  for (const Tournament& game : by_game) {
    const Markup section = game_section(results, game, games);
    if (by_game.size() == 1) {
      of_games += section;
    } else if (by_game.size() <= most_open_games) {
      of_games += element("h3", game.title) + section;
    } else {
      of_games += element("details", {{"class", "game"}}, element("summary", game.title) + section);
    }
  }
  parts.push_back({by_game.size() == 1 ? "Results" : "Results by game", of_games});
  parts.push_back({"Machines", machines_section(results, machines)});
  parts.push_back({"Failures", failures_section(results, contents.incidents)});
  parts.push_back({"Repeated games", duplicates_section(results)});
  parts.push_back({"What was played", setup_section(results)});
  return parts;
}

}  // namespace

std::vector<std::vector<PlayedGame>> counted_games(const LedgerContents& contents) {
  Games out = contents.games();
  for (std::size_t i = 0; i < out.size(); ++i) {
    // With a stopping rule, the games that count come first.
    const auto count = static_cast<std::size_t>(contents.results.matches()[i].standings().games());
    if (out[i].size() > count) out[i].resize(count);
  }
  return out;
}

std::string title_of(const Results& results) {
  const std::string& name = results.experiment().name;
  if (!name.empty()) return name;
  return results.matches().size() == 1 ? match_name(results, 0) : "Match report";
}

std::vector<ReportPart> report_parts(const LedgerContents& contents,
                                     const std::vector<Machine>& machines) {
  return parts_of(contents, counted_games(contents), machines);
}

std::string report_html(const LedgerContents& contents) {
  const Games games = counted_games(contents);
  Markup page = head_section(contents);
  for (const ReportPart& part : parts_of(contents, games, machines_of(contents))) {
    if (part.title.starts_with("Results")) {
      page += games_section(contents.results, game_boards(contents.results, games));
    }
    page += element("h2", part.title) + part.content;
  }
  return html_page(title_of(contents.results), page);
}

}  // namespace pitboss::clients
