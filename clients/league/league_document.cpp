#include "clients/league/league_document.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/match_tables.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

namespace {

/// With more games, their sections are folded.
constexpr std::size_t most_open_games = 3;
constexpr int points_of_history = 20;
constexpr std::size_t most_curves = 8;
constexpr std::size_t most_openings = 30;

/// The players' numbers, the strongest first.
std::vector<int> ranking(const LeagueRatings& ratings) {
  std::vector<int> order(ratings.elo.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](int i) { return ratings.elo[i]; });
  return order;
}

EloEstimate estimate_of(const LeagueRatings& ratings, int player) {
  const double elo = ratings.elo[player];
  const double error = ratings.error(player);
  return {elo, elo - error, elo + error};
}

/// How the ratings of a game came about: as they were after some of its rounds.
DataTable history_of(const LeagueGame& game, const LedgerContents& contents) {
  DataTable out{.name = "history",
                .columns = {{"game", "game"},
                            {"games", "games"},
                            {"player", "player"},
                            estimate_column("elo", "Elo", Form::elo)}};
  std::vector<const PlayedRound*> rounds = rounds_of(game, contents);
  std::ranges::sort(rounds, {}, [](const PlayedRound* round) {
    return std::tuple(round->ended, round->match, round->round);
  });
  Results results(contents.results.experiment());
  int games = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    results.add(rounds[i]->match, rounds[i]->round, rounds[i]->games);
    games += static_cast<int>(rounds[i]->games.size());
    const std::size_t points = std::min<std::size_t>(points_of_history, rounds.size());
    if ((i + 1) * points / rounds.size() == i * points / rounds.size()) continue;
    const LeagueRatings ratings =
        rate_league(results_of(game, results, std::span(rounds).first(i + 1)));
    for (std::size_t p = 0; p < game.players.size(); ++p) {
      out.rows.push_back(
          {game.title, games, game.players[p], estimate_of(ratings, static_cast<int>(p))});
    }
  }
  return out;
}

/// The history of the strongest who play; where nobody does, of those who have played.
Figure history_figure(const LeagueGame& game, const LeagueRatings& ratings,
                      const DataTable& history) {
  DataTable numbers{.columns = {{"games", "games"}}};
  std::vector<std::string> shown;
  const auto may_be_shown = [&](int i) { return game.plays[i] || game.active() == 0; };
  for (const int i : ranking(ratings)) {
    if (shown.size() < most_curves && may_be_shown(i)) shown.push_back(game.players[i]);
  }
  for (const std::string& name : shown) numbers.columns.push_back({name, name, Form::number});
  for (const Cells& row : history.rows) {
    const auto& player = std::get<std::string>(row[2].value);
    if (numbers.rows.empty() || numbers.rows.back()[0] != row[1]) {
      numbers.rows.emplace_back(numbers.columns.size());
      numbers.rows.back()[0] = row[1];
    }
    const auto place = std::ranges::find(shown, player) - shown.begin();
    if (place == std::ssize(shown)) continue;
    numbers.rows.back()[static_cast<std::size_t>(place) + 1] = Cell(std::get<double>(row[3].value));
  }
  std::vector<Curve> curves;
  for (const std::string& name : shown) {
    curves.push_back({name, curves.size() % 2 == 0 ? "first" : "second"});
  }
  Chart chart = chart_of("Ratings over the games, " + game.title,
                         "Elo of the strongest players, as it was after so many games", numbers,
                         "games", curves, {"Elo", -50, 50});
  // Names stand above the ends of the lines.
  for (std::size_t i = 0; i < shown.size() && !numbers.rows.empty(); ++i) {
    const auto* const elo = std::get_if<double>(&numbers.rows.back()[i + 1].value);
    if (elo == nullptr) continue;
    chart.add(ChartMark::Kind::label, {{0.9 * chart.x.high, *elo}}, "", shown[i]);
  }
  numbers.folded = "Numbers";
  return {std::move(chart), std::move(numbers), {}};
}

/// How far each player is ahead of each other one.
DataTable differences_of(const LeagueGame& game, const LeagueRatings& ratings) {
  DataTable out{.columns = {{"", "player"}},
                .caption =
                    "Elo by which the player on the left is ahead of the one above, and half "
                    "the 95 % interval of this difference",
                .folded = "differences"};
  const std::vector<int> order = ranking(ratings);
  for (const int j : order) out.columns.push_back({"", game.players[j]});
  for (const int i : order) {
    Cells& row = out.rows.emplace_back(Cells{game.players[i]});
    for (const int j : order) {
      const EloEstimate lead = ratings.difference(i, j);
      row.push_back(
          i == j ? Cell() : Cell(lead).with_words(format("%+.0f ±%.0f", *lead.elo, *lead.error())));
    }
  }
  return out;
}

/// The same for programs: a row for each pair, the stronger player first.
DataTable pairs_of(const LeagueGame& game, const LeagueRatings& ratings) {
  DataTable out{
      .name = "differences",
      .columns = {
          {"game"}, {"player"}, {"against"}, estimate_column("elo", "", Form::elo), {"los"}}};
  const std::vector<int> order = ranking(ratings);
  for (auto i = order.begin(); i != order.end(); ++i) {
    for (auto j = i + 1; j != order.end(); ++j) {
      out.rows.push_back({game.title, game.players[*i], game.players[*j],
                          ratings.difference(*i, *j), ratings.superiority(*i, *j)});
    }
  }
  return hidden(std::move(out));
}

/// Games by opening, those played most first.
DataTable openings_of(const LeagueGame& game, const LedgerContents& contents) {
  struct Opening {
    int games = 0;
    int drawn = 0;
    int twelfths = 0;  ///< of the player that moved first
  };
  std::map<std::string, Opening> openings;
  for (const PlayedRound* const round : rounds_of(game, contents)) {
    const Sides sides = sides_of(contents.results.matches()[round->match].match());
    for (const PlayedGame& played : round->games) {
      Opening& opening = openings[played.opening];
      ++opening.games;
      opening.drawn += played.winner == "draw" ? 1 : 0;
      opening.twelfths += shares_of(played, sides)[0];
    }
  }
  std::vector<std::pair<std::string, Opening>> order(openings.begin(), openings.end());
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [](const auto& entry) { return entry.second.games; });
  DataTable out{.name = "openings",
                .columns = {{"game"},
                            {"opening", "opening"},
                            {"games", "games"},
                            {"drawn", "drawn %", Form::percent, 1},
                            {"first", "first to move %", Form::percent, 1}},
                .caption = format("Openings, %zu in all; those played most", order.size())};
  for (const auto& [moves, opening] : order) {
    out.rows.push_back({game.title, moves.empty() ? "none" : moves, opening.games,
                        static_cast<double>(opening.drawn) / opening.games,
                        static_cast<double>(opening.twelfths) / (whole_point * opening.games)});
  }
  return out;
}

/// The first rows for people; the whole for programs.
void add_openings(Section& to, DataTable openings) {
  DataTable shown = openings;
  shown.name.clear();
  shown.folded = "openings";
  if (shown.rows.size() > most_openings) shown.rows.resize(most_openings);
  to.blocks.emplace_back(std::move(shown));
  to.blocks.emplace_back(hidden(std::move(openings)));
}

Section game_section(const LeagueGame& game, const LeagueRatings& ratings,
                     const std::vector<Tournament>& tournaments, const LedgerContents& contents) {
  Section out{game.title};
  std::string words = format("Moving first is worth %+.0f Elo", ratings.seat);
  if (game.colours != 2) words = "Draws and seats are not fitted, since players share the seats";
  if (ratings.draw > 0) {
    words += format("; draws as with %.0f Elo in Rao-Kupper's model", ratings.draw);
  }
  words += format(
      "; the players' scores in rounds vary %.2f times as much as those of independent "
      "games",
      ratings.dispersion);
  out.blocks.emplace_back(Text{words + ".", Text::Kind::note});
  out.blocks.emplace_back(league_table(game, ratings, contents.results));
  out.blocks.emplace_back(differences_of(game, ratings));
  out.blocks.emplace_back(pairs_of(game, ratings));
  const auto tournament = std::ranges::find_if(tournaments, [&](const Tournament& one) {
    return !game.matches.empty() && one.matches.front() == game.matches.front();
  });
  if (tournament == tournaments.end()) return out;
  DataTable history = history_of(game, contents);
  out.blocks.emplace_back(history_figure(game, ratings, history));
  std::vector<int> order;
  for (const int i : ranking(ratings)) {
    const auto found = std::ranges::find(tournament->players, game.players[i]);
    if (found == tournament->players.end()) continue;
    order.push_back(static_cast<int>(found - tournament->players.begin()));
  }
  out.blocks.emplace_back(cross_table(*tournament, order));
  DataTable pairs = pairs_table(*tournament);
  pairs.columns.insert(pairs.columns.begin(), {"game"});
  for (Cells& row : pairs.rows) row.insert(row.begin(), Cell(game.title));
  out.blocks.emplace_back(std::move(pairs));
  add_openings(out, openings_of(game, contents));
  out.blocks.emplace_back(hidden(std::move(history)));
  return out;
}

Section head_section(const std::vector<LeagueGame>& games,
                     const std::vector<LeagueRatings>& ratings, const LedgerContents& contents) {
  Section out{""};
  const auto add = [&](const std::string& words, Text::Kind kind) {
    if (!words.empty()) out.blocks.emplace_back(Text{words, kind});
  };
  const Results& results = contents.results;
  add(broken_player(games, results), Text::Kind::alarm);
  add(format("%d games between %zu players. The widest 95 %% interval of those who play is "
             "±%.0f Elo.",
             results.games(), players_of(results.experiment()).size(),
             widest_error(games, ratings)),
      Text::Kind::plain);
  add(playing_times(contents.played), Text::Kind::plain);
  add("Ratings are Bradley-Terry's with draws as in Rao-Kupper's model and an advantage of moving "
      "first; intervals are about the anchors, whose ratings are fixed. \"Ahead\" is the "
      "difference "
      "from the player below, with its own interval, and LOS the probability that it is above 0. "
      "Ratings of different games cannot be compared.",
      Text::Kind::note);
  return out;
}

}  // namespace

DataTable league_table(const LeagueGame& game, const LeagueRatings& ratings,
                       const Results& results) {
  std::vector<Tally> tallies(game.players.size());
  for (const int m : game.matches) {
    const MatchResults& match = results.matches()[m];
    for (const int player : {0, 1}) {
      tallies[game.number_of(match.match().players[player].name)] +=
          match.standings().tally(player);
    }
  }
  DataTable out{.name = "ratings",
                .columns = {{"game"},
                            {"player", "player"},
                            {"rank", "rank"},
                            estimate_column("elo", "Elo", Form::elo),
                            {"error", "±", Form::number, 0},
                            estimate_column("lead", "ahead", Form::elo),
                            {"los", "LOS %", Form::percent, 1},
                            {"games", "games"},
                            {"points", "points", Form::number, 1},
                            {"state", ""}}};
  const std::vector<int> order = ranking(ratings);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const int i = order[rank];
    const bool is_last = rank + 1 == order.size();
    std::string state = game.plays[i] ? "" : "retired";
    if (game.anchors[i]) state += state.empty() ? "anchor" : ", anchor";
    const Cell nobody = Cell(std::optional<double>()).with_words("-");
    const Cell lead = is_last ? nobody : Cell(ratings.difference(i, order[rank + 1]));
    const Cell los = is_last ? nobody : Cell(ratings.superiority(i, order[rank + 1]));
    out.rows.push_back({game.title, game.players[i], rank + 1, estimate_of(ratings, i),
                        ratings.error(i), lead, los, tallies[i].games(), tallies[i].points(),
                        state});
  }
  out.columns.back().head = "state";
  for (const char* const key : {"lead", "los"}) out.columns[out.place_of(key)].is_detail = true;
  return out;
}

Document league_document(const std::vector<LeagueGame>& games,
                         const std::vector<LeagueRatings>& ratings,
                         const LedgerContents& contents) {
  const Results& results = contents.results;
  Document out{results.experiment().name.empty() ? "League" : results.experiment().name};
  out.facts = {{"games", results.games()}, {"widest_error", widest_error(games, ratings)}};
  out.sections.push_back(head_section(games, ratings, contents));
  const std::vector<Tournament> tournaments = tournaments_by_game(results);
  for (std::size_t g = 0; g < games.size(); ++g) {
    out.sections.push_back(game_section(games[g], ratings[g], tournaments, contents));
    out.sections.back().is_folded = games.size() > most_open_games;
  }
  out.sections.push_back({"Failures", {failures_table(results)}});
  out.sections.push_back(
      {"Who has played", {players_table(results), engines_table(results), rules_table(results)}});
  return out;
}

}  // namespace pitboss::clients
