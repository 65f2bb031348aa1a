#include "clients/results/match_figures.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "clients/experiments/statistics/ratings.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/match_tables.hpp"

namespace pitboss::clients {

namespace {

/// Rows of the numbers below a curve.
constexpr std::size_t milestones = 10;

std::string players_of(const MatchResults& match) {
  return match.match().players[0].name + " against " + match.match().players[1].name;
}

Figure figure_of(Chart chart, DataTable numbers) {
  numbers.folded = "Numbers";
  return {std::move(chart), std::move(numbers), {}};
}

/// The value below which a share of the sorted values lies.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

CountedGames counted_games(const LedgerContents& contents) {
  CountedGames out = contents.games();
  for (std::size_t i = 0; i < out.size(); ++i) {
    // With a stopping rule, the games that count come first.
    const auto count = static_cast<std::size_t>(contents.results.matches()[i].standings().games());
    if (out[i].size() > count) out[i].resize(count);
  }
  return out;
}

DataTable course_of(const MatchResults& results, int match, std::span<const PlayedGame> games,
                    std::size_t most) {
  DataTable out{.name = "course",
                .columns = {{"match"},
                            {"games", "games"},
                            estimate_column("score", "score %", Form::percent, 2),
                            estimate_column("elo", "Elo and its 95 % interval", Form::elo),
                            {"llr", "LLR", Form::number, 3}}};
  const int size = results.match().round();
  const std::size_t rounds = games.size() / size;
  const std::size_t shown = std::min(rounds, most);
  Standings standings(results.match());
  for (std::size_t i = 0; i < rounds; ++i) {
    standings.add_round(games.subspan(i * size, size));
    if ((i + 1) * shown / rounds == i * shown / rounds) continue;
    const auto& sprt = results.sprt();
    out.rows.push_back({match + 1, standings.games(), score_cell(standings.tally(0)),
                        standings.elo(), sprt ? standings.llr(*sprt) : std::nullopt});
  }
  return out;
}

std::vector<Block> course_figures(const MatchResults& match, const DataTable& course,
                                  bool has_elo) {
  std::vector<Block> out;
  if (course.rows.empty()) return out;
  const Cells& end = course.rows.back();
  const auto add = [&](const std::string& title, const std::string& key, Axis y, const auto& draw) {
    const std::size_t place = course.place_of(key);
    const std::string words = "After " + text_of(course.columns[1], end[1]) +
                              " games: " + text_of(course.columns[place], end[place]);
    Chart chart = chart_of(title, words, course, "games", {{key}}, std::move(y));
    if (chart.marks.empty()) {
      out.emplace_back(Figure{std::move(chart), {}, words + ". There is no number to draw."});
      return;
    }
    draw(chart);
    out.emplace_back(figure_of(std::move(chart), part_of(course, {"games", key}, milestones)));
  };
  const std::string players = players_of(match);
  add("Score of " + players + ", with its 95 % interval", "score", {"score %", 49, 51},
      [](Chart& chart) { chart.level(50, "even"); });
  if (has_elo) {
    add("Elo of " + players + ", with its 95 % interval", "elo", {"Elo", -5, 5},
        [](Chart& chart) { chart.level(0, "even"); });
  }
  if (!match.sprt()) return out;
  const Interval bounds = sprt_bounds(*match.sprt());
  add("Log-likelihood ratio of the test, " + players, "llr",
      {"LLR", bounds.low * 1.15, bounds.high * 1.15}, [&](Chart& chart) {
        chart.level(0, "even");
        chart.level(bounds.high, "bound", format("elo1 = %g accepted", match.sprt()->elo1));
        chart.level(bounds.low, "bound", format("elo0 = %g accepted", match.sprt()->elo0));
      });
  return out;
}

Figure ratings_figure(const Tournament& tournament) {
  const Ratings ratings = rate(tournament.table);
  Chart chart("Ratings, " + tournament.title,
              "Bradley-Terry ratings with 95 % intervals, the strongest player first",
              {"Elo, mean 0", -1, 1}, std::vector<std::string>());
  for (const int i : tournament.ranking(ratings)) {
    const Rating& rating = ratings.players[i];
    if (rating.status != RatingStatus::rated) continue;
    const double y = static_cast<double>(chart.rows.size()) + 0.5;
    chart.rows.push_back(tournament.players[i]);
    if (ratings.components > 1) chart.rows.back() += format(" (%d)", rating.component + 1);
    const double error = rating.error.value_or(0);
    chart.x.low = std::min(chart.x.low, rating.elo - error);
    chart.x.high = std::max(chart.x.high, rating.elo + error);
    chart.box(rating.elo - error, rating.elo + error, y - 0.06, y + 0.06, "whisker");
    chart.add(ChartMark::Kind::dot, {{rating.elo, y}}, "mark");
  }
  chart.y = {"", 0, static_cast<double>(chart.rows.size())};
  const double margin = (chart.x.high - chart.x.low) / 20;
  chart.x.low -= margin;
  chart.x.high += margin;
  if (!chart.rows.empty()) chart.add(ChartMark::Kind::upright, {{0, 0}}, "even");
  return {std::move(chart), ratings_table(tournament),
          ratings.components < 2
              ? ""
              : "Ratings of different components cannot be compared: no games, or only wins, "
                "connect them."};
}

Figure lengths_figure(const Results& results, const Tournament& tournament) {
  std::map<int, int> lengths;
  for (const int i : tournament.matches) {
    for (const auto& [length, count] : results.matches()[i].standings().lengths()) {
      lengths[length] += count;
    }
  }
  if (lengths.empty()) return {};
  const int least = lengths.begin()->first;
  const int most = lengths.rbegin()->first;
  constexpr int most_bins = 24;
  const int width = (most - least) / most_bins + 1;
  std::vector<int> bins((most - least) / width + 1);
  double plies = 0;
  int games = 0;
  for (const auto& [length, count] : lengths) {
    bins[(length - least) / width] += count;
    plies += static_cast<double>(length) * count;
    games += count;
  }
  Chart chart(
      "Lengths of the games, " + tournament.title,
      format("%d games of %d to %d plies, %.1f on average", games, least, most, plies / games),
      {"plies", static_cast<double>(least),
       least + static_cast<double>(width) * static_cast<double>(bins.size())},
      Axis{"games", 0, 1.05 * *std::ranges::max_element(bins), true});
  DataTable numbers{.columns = {{"", "plies"}, {"", "games"}}};
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const int from = least + width * static_cast<int>(i);
    // Wide bars have a gap between them.
    const double gap = 0.04 * width;
    chart.box(from + gap, from + width - gap, 0, bins[i], "bar");
    numbers.rows.push_back(
        {width == 1 ? std::to_string(from) : format("%d to %d", from, from + width - 1), bins[i]});
  }
  return figure_of(std::move(chart), std::move(numbers));
}

Figure seats_figure(const Results& results, const Tournament& tournament) {
  DataTable numbers = seats_table(results, tournament);
  std::vector<std::string> names;
  for (const Cells& row : numbers.rows) names.push_back(std::get<std::string>(row[0].value));
  Chart chart("Results by colour, " + tournament.title,
              "Shares of games won, drawn or shared, and lost, by player and colour",
              {"% of the games", 0, 100}, names);
  chart.keys = {{"won", "won"}, {"drawn", "drawn or shared"}, {"lost", "lost"}};
  for (std::size_t i = 0; i < numbers.rows.size(); ++i) {
    const Cells& row = numbers.rows[i];
    const auto games = static_cast<double>(row[4].count);
    if (games == 0) continue;
    const auto y = static_cast<double>(i);
    double from = 0;
    constexpr std::array styles = {"won", "drawn", "lost"};
    for (std::size_t s = 0; s < styles.size(); ++s) {
      const double share =
          100 * static_cast<double>(std::get<std::int64_t>(row[s + 1].value)) / games;
      chart.box(from, from + share, y + 0.15, y + 0.85, styles[s]);
      if (share >= 8)
        chart.add(ChartMark::Kind::label, {{from + share / 2, y + 0.5}}, "", format("%.0f", share));
      from += share;
    }
  }
  if (chart.marks.empty()) return {};
  return figure_of(std::move(chart), std::move(numbers));
}

Figure times_figure(const Results& results, const Tournament& tournament,
                    const CountedGames& games) {
  const std::string legend =
      "The box holds half of the games, its line is the median, the whiskers hold 90 %.";
  Chart chart("Thinking time a game, " + tournament.title, legend, {"", 0, 0}, tournament.players);
  DataTable numbers{.columns = {{"", "player"},
                                {"", "games"},
                                {"", "mean", Form::number, 3},
                                {"", "5 %", Form::number, 3},
                                {"", "median", Form::number, 3},
                                {"", "95 %", Form::number, 3},
                                {"", "total"},
                                {"", "on the way, mean", Form::number, 3}},
                    .caption = {}};
  std::vector<std::vector<double>> times;
  std::vector<double> latencies;
  double longest = 0;
  for (const std::string& player : tournament.players) {
    std::vector<double>& seconds = times.emplace_back();
    double& latency = latencies.emplace_back();
    for (const int i : tournament.matches) {
      for (const int side : {0, 1}) {
        if (results.matches()[i].match().players[side].name != player) continue;
        for (const PlayedGame& record : games[i]) {
          seconds.push_back(record.seconds[side]);
          latency += record.latency[side];
        }
      }
    }
    std::ranges::sort(seconds);
    if (!seconds.empty()) longest = std::max(longest, quantile(seconds, 0.95));
  }
  if (longest <= 0) return {};
  const double unit = longest < 1 ? 1000 : 1;
  numbers.caption = longest < 1 ? "Milliseconds a game" : "Seconds a game";
  chart.x.label = longest < 1 ? "ms a game" : "seconds a game";
  chart.x.high = 1.05 * unit * longest;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i].empty()) continue;
    const auto y = static_cast<double>(i);
    const auto at = [&](double share) { return unit * quantile(times[i], share); };
    const double sum = std::accumulate(times[i].begin(), times[i].end(), 0.0);
    const double a_game = unit / static_cast<double>(times[i].size());
    numbers.rows.push_back({tournament.players[i], times[i].size(), a_game * sum, at(0.05), at(0.5),
                            at(0.95), sum < 60 ? format("%.3g s", sum) : duration_text(sum),
                            a_game * latencies[i]});
    const double line = chart.x.high / 315;
    chart.box(at(0.05), at(0.95), y + 0.48, y + 0.52, "whisker");
    chart.box(at(0.25), at(0.75), y + 0.22, y + 0.78, "bar");
    chart.box(at(0.5) - line, at(0.5) + line, y + 0.16, y + 0.84, "whisker");
  }
  Figure out = figure_of(std::move(chart), std::move(numbers));
  out.note = legend;
  return out;
}

}  // namespace pitboss::clients
