#include "clients/report/tournament_charts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "clients/report/formatting.hpp"
#include "clients/report/game_boards.hpp"
#include "clients/report/plot.hpp"

namespace pitboss::clients {

namespace {

/// The component is shown only if there are several.
Markup ratings_list(const Tournament& tournament, const Ratings& ratings) {
  std::vector<Markup> rows;
  for (const int i : tournament.ranking(ratings)) {
    const Rating& rating = ratings.players[i];
    const Tally total = tournament.table.total(i);
    Markup row = row_head(tournament.players[i]);
    if (rating.status == RatingStatus::rated) {
      const double error = rating.error.value_or(0);
      row += cell(format("%+.1f", rating.elo)) +
             cell(rating.error ? format("[%+.1f, %+.1f]", rating.elo - error, rating.elo + error)
                               : "-");
    } else {
      row += cell("-") + cell(why_unrated(rating.status));
    }
    if (ratings.components > 1) row += cell(std::to_string(rating.component + 1));
    rows.push_back(row + cell(std::to_string(total.games())) +
                   cell(format("%.2f", 100 * total.score())));
  }
  std::vector<Column> columns = {{"player", true}, {"Elo"}, {"95 % interval"}};
  if (ratings.components > 1) columns.push_back({"component"});
  columns.push_back({"games"});
  columns.push_back({"score %"});
  return table("", columns, rows);
}

/// A score, the paler the nearer to 50 %; bold if its interval excludes 50 %. With a link to the
/// games if they belong to one match (counted from 0).
Markup score_cell(const Tally& tally, int match = -1) {
  if (tally.games() == 0) return element("td", {{"class", "none"}}, text("-"));
  const Interval interval = score_interval(tally.points(), tally.games());
  const std::string score = format("%.1f", 100 * tally.score());
  const bool is_shown = interval.low > 0.5 || interval.high < 0.5;
  return element("td", {{"class", heat_classes(tally.score())}},
                 (is_shown ? element("b", score) : text(score)) +
                     element("small", match < 0 ? text(std::to_string(tally.games()))
                                                : games_link(match, "", tally.games())));
}

}  // namespace

std::string heat_classes(double score) {
  const double lead = score - 0.5;
  const char* const side = lead > 0 ? "ahead" : lead < 0 ? "behind" : "level";
  return side + format(" lead-%.0f", 5 * std::round(24 * std::abs(lead)));
}

Markup ratings_chart(const Tournament& tournament) {
  const Ratings ratings = rate(tournament.table);
  const std::vector<int> order = tournament.ranking(ratings);
  std::vector<std::string> names;
  Axis x{"Elo, mean 0", -1, 1};
  for (const int i : order) {
    const Rating& rating = ratings.players[i];
    if (rating.status != RatingStatus::rated) continue;
    names.push_back(tournament.players[i]);
    if (ratings.components > 1) names.back() += format(" (%d)", rating.component + 1);
    x.low = std::min(x.low, rating.elo - rating.error.value_or(0));
    x.high = std::max(x.high, rating.elo + rating.error.value_or(0));
  }
  const std::string title = "Ratings, " + tournament.title;
  const Markup list = ratings_list(tournament, ratings);
  if (names.empty()) return element("figure", element("figcaption", title) + list);
  const double margin = (x.high - x.low) / 20;
  x.low -= margin;
  x.high += margin;
  Plot plot(title, "Bradley-Terry ratings with 95 % intervals, the strongest player first", x,
            names);
  plot.upright(0, "even");
  double y = 0.5;
  for (const int i : order) {
    const Rating& rating = ratings.players[i];
    if (rating.status != RatingStatus::rated) continue;
    const double error = rating.error.value_or(0);
    plot.box(rating.elo - error, rating.elo + error, y - 0.06, y + 0.06, "whisker");
    plot.dot(rating.elo, y, "mark");
    y += 1;
  }
  Markup note;
  if (ratings.components > 1) {
    note = element("p",
                   "Ratings of different components cannot be compared: no games, or only wins, "
                   "connect them.");
  }
  return element("figure", element("figcaption", title) + plot.svg() + list + note);
}

Markup results_matrix(const Tournament& tournament) {
  const std::vector<int> order = tournament.ranking(rate(tournament.table));
  std::vector<Column> columns = {{"", true}};
  for (const int j : order) columns.push_back({tournament.players[j]});
  columns.push_back({"all"});
  std::vector<Markup> rows;
  for (const int i : order) {
    Markup row = row_head(tournament.players[i]);
    for (const int j : order) row += score_cell(tournament.table(i, j));
    rows.push_back(row + score_cell(tournament.table.total(i)));
  }
  const std::string title =
      "Score % of the player on the left, and games, against the one above; bold where the 95 % "
      "interval excludes 50 %; " +
      tournament.title;
  return element("figure", {{"class", "matrix"}},
                 element("figcaption", title) + table("", columns, rows));
}

Markup games_matrix(const Results& results, const std::vector<Tournament>& games) {
  using Pair = std::pair<std::string, std::string>;
  std::vector<Pair> pairs;
  std::map<Pair, std::vector<Tally>> tallies;
  std::map<Pair, std::vector<int>> matches;  // -1: none, or several
  for (std::size_t game = 0; game < games.size(); ++game) {
    for (const int i : games[game].matches) {
      const auto& players = results.matches()[i].match().players;
      Pair pair(players[0].name, players[1].name);
      Tally tally = results.matches()[i].standings().tally(0);
      if (tallies.contains({pair.second, pair.first})) {
        std::swap(pair.first, pair.second);
        tally = tally.reversed();
      }
      const auto [found, is_new] = tallies.try_emplace(pair, games.size());
      if (is_new) pairs.push_back(pair);
      matches.try_emplace(pair, games.size(), -1).first->second[game] =
          found->second[game].games() == 0 ? i : -1;
      found->second[game] += tally;
    }
  }
  std::vector<Column> columns = {{"", true}};
  for (const Tournament& game : games) columns.push_back({game.title});
  columns.push_back({"all"});
  std::vector<Markup> rows;
  for (const Pair& pair : pairs) {
    Markup row = row_head(pair.first + " - " + pair.second);
    Tally sum;
    for (std::size_t game = 0; game < games.size(); ++game) {
      const Tally& tally = tallies[pair][game];
      row += score_cell(tally, matches[pair][game]);
      sum += tally;
    }
    rows.push_back(row + score_cell(sum));
  }
  return element("figure", {{"class", "matrix"}},
                 element("figcaption",
                         "Score % of the first player, and games, by game; bold where the 95 % "
                         "interval excludes 50 %") +
                     table("", columns, rows));
}

}  // namespace pitboss::clients
