#include "clients/report/match_charts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clients/report/formatting.hpp"
#include "clients/report/plot.hpp"

namespace pitboss::clients {

namespace {

Markup figure(const std::string& title, const Markup& picture, const Markup& numbers) {
  return element("figure", element("figcaption", title) + picture + folded("Numbers", numbers));
}

/// A few points of the course, for the table.
std::vector<Standing> milestones(std::span<const Standing> course) {
  constexpr std::size_t count = 10;
  std::vector<Standing> out;
  for (std::size_t i = 1; i <= count; ++i) {
    const Standing& next = course[(course.size() * i + count - 1) / count - 1];
    if (out.empty() || out.back().games != next.games) out.push_back(next);
  }
  return out;
}

std::string players_of(const MatchResults& match) {
  return match.match().players[0].name + " against " + match.match().players[1].name;
}

/// The value below which a share of the sorted values lies.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<Standing> course_of(const MatchResults& match, std::span<const PlayedGame> games,
                                std::size_t most) {
  const int round = match.match().round();
  const std::size_t rounds = games.size() / round;
  const std::size_t shown = std::min(rounds, most);
  std::vector<Standing> out;
  Tally tally;
  Scores scores(round);
  for (std::size_t i = 0; i < rounds; ++i) {
    int twelfths = 0;
    for (const PlayedGame& game : games.subspan(i * round, round)) {
      tally.add(game.twelfths);
      twelfths += game.twelfths;
    }
    scores.add(twelfths);
    if ((i + 1) * shown / rounds == i * shown / rounds) continue;
    out.push_back({tally.games(), tally.score(), score_interval(tally.points(), tally.games()),
                   elo_estimate(scores),
                   match.sprt() ? log_likelihood_ratio(scores, *match.sprt()) : 0});
  }
  return out;
}

Markup elo_chart(const MatchResults& match, std::span<const Standing> course) {
  if (course.empty()) return {};
  const std::string title = "Elo of " + players_of(match) + ", with its 95 % interval";
  std::vector<Point> elo;
  std::vector<Point> low;
  std::vector<Point> high;
  Axis y{"Elo", -5, 5};
  for (std::size_t i = 0; i < course.size(); ++i) {
    const Standing& at = course[i];
    if (!at.elo.elo || !at.elo.low || !at.elo.high) continue;
    const double games = at.games;
    elo.push_back({games, *at.elo.elo});
    low.push_back({games, *at.elo.low});
    high.push_back({games, *at.elo.high});
    // The wide intervals of the first games do not set the scale.
    if (i < course.size() / 8) continue;
    y.low = std::min(y.low, low.back().y);
    y.high = std::max(y.high, high.back().y);
  }
  if (elo.empty()) return {};
  const Standing& end = course.back();
  Plot plot(title, format("After %d games: ", end.games) + elo_phrase(end.elo),
            {"games", 0, static_cast<double>(end.games), true}, y);
  plot.band(low, high, "band");
  plot.level(0, "even");
  plot.line(elo, "first");
  std::vector<Markup> rows;
  for (const Standing& s : milestones(course)) {
    rows.push_back(cell(std::to_string(s.games)) + cell(elo_text(s.elo)));
  }
  return figure(title, plot.svg(), table("", {{"games"}, {"Elo and its 95 % interval"}}, rows));
}

Markup score_chart(const MatchResults& match, std::span<const Standing> course) {
  if (course.empty()) return {};
  const std::string title = "Score of " + players_of(match) + ", with its 95 % interval";
  std::vector<Point> score;
  std::vector<Point> low;
  std::vector<Point> high;
  // The wide intervals of the first games do not set the scale.
  Axis y{"score %", 49, 51};
  for (std::size_t i = 0; i < course.size(); ++i) {
    const double games = course[i].games;
    score.push_back({games, 100 * course[i].score});
    low.push_back({games, 100 * course[i].interval.low});
    high.push_back({games, 100 * course[i].interval.high});
    if (i < course.size() / 8) continue;
    y.low = std::min(y.low, low.back().y);
    y.high = std::max(y.high, high.back().y);
  }
  const double margin = (y.high - y.low) / 20;
  y.low = std::max(0.0, y.low - margin);
  y.high = std::min(100.0, y.high + margin);
  const Standing& end = course.back();
  Plot plot(title,
            format("After %d games %.1f %%, 95 %% interval ", end.games, 100 * end.score) +
                percent_text(end.interval),
            {"games", 0, static_cast<double>(end.games), true}, y);
  plot.band(low, high, "band");
  plot.level(50, "even");
  plot.line(score, "first");
  std::vector<Markup> rows;
  for (const Standing& s : milestones(course)) {
    rows.push_back(cell(std::to_string(s.games)) + cell(format("%.2f", 100 * s.score)) +
                   cell(percent_text(s.interval, 2)));
  }
  return figure(title, plot.svg(), table("", {{"games"}, {"score %"}, {"95 % interval"}}, rows));
}

Markup llr_chart(const MatchResults& match, std::span<const Standing> course) {
  if (course.empty() || !match.sprt()) return {};
  const Interval bounds = sprt_bounds(*match.sprt());
  const std::string title = "Log-likelihood ratio of the test, " + players_of(match);
  Axis y{"LLR", bounds.low * 1.15, bounds.high * 1.15};
  std::vector<Point> path = {{0, 0}};
  for (const Standing& s : course) {
    path.push_back({static_cast<double>(s.games), s.llr});
    y.low = std::min(y.low, s.llr);
    y.high = std::max(y.high, s.llr);
  }
  Plot plot(title,
            format("After %d games %+.2f; the test ends at %+.2f and %+.2f", course.back().games,
                   course.back().llr, bounds.low, bounds.high),
            {"games", 0, static_cast<double>(course.back().games), true}, y);
  plot.level(0, "even");
  plot.level(bounds.high, "bound", format("elo1 = %g accepted", match.sprt()->elo1));
  plot.level(bounds.low, "bound", format("elo0 = %g accepted", match.sprt()->elo0));
  plot.line(path, "first");
  std::vector<Markup> rows;
  for (const Standing& s : milestones(course)) {
    rows.push_back(cell(std::to_string(s.games)) + cell(format("%+.3f", s.llr)));
  }
  return figure(title, plot.svg(), table("", {{"games"}, {"LLR"}}, rows));
}

Markup lengths_chart(const std::string& title, const std::map<int, int>& lengths) {
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
  Plot plot(
      title,
      format("%d games of %d to %d plies, %.1f on average", games, least, most, plies / games),
      {"plies", static_cast<double>(least),
       least + static_cast<double>(width) * static_cast<double>(bins.size())},
      {"games", 0, 1.05 * *std::ranges::max_element(bins), true});
  std::vector<Markup> rows;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const int from = least + width * static_cast<int>(i);
    // Wide bars have a gap between them.
    const double gap = 0.04 * width;
    plot.box(from + gap, from + width - gap, 0, bins[i], "bar");
    const std::string range =
        width == 1 ? std::to_string(from) : format("%d to %d", from, from + width - 1);
    rows.push_back(cell(range) + cell(std::to_string(bins[i])));
  }
  return figure(title, plot.svg(), table("", {{"plies"}, {"games"}}, rows));
}

Markup time_chart(const std::string& title, std::vector<ThinkingTime> times) {
  double longest = 0;
  std::vector<std::string> names;
  for (ThinkingTime& time : times) {
    std::ranges::sort(time.seconds);
    if (!time.seconds.empty()) longest = std::max(longest, quantile(time.seconds, 0.95));
    names.push_back(time.player);
  }
  if (longest <= 0) return {};
  Plot plot(title,
            "The box holds half of the games, its line is the median, the whiskers hold 90 %",
            {"seconds a game", 0, 1.05 * longest}, names);
  std::vector<Markup> rows;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::vector<double>& seconds = times[i].seconds;
    if (seconds.empty()) continue;
    const auto y = static_cast<double>(i);
    const auto at = [&](double share) { return quantile(seconds, share); };
    plot.box(at(0.05), at(0.95), y + 0.48, y + 0.52, "whisker");
    plot.box(at(0.25), at(0.75), y + 0.22, y + 0.78, "bar");
    plot.box(at(0.5) - longest / 300, at(0.5) + longest / 300, y + 0.16, y + 0.84, "whisker");
    const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    const double mean = sum / static_cast<double>(seconds.size());
    rows.push_back(row_head(times[i].player) + cell(std::to_string(seconds.size())) +
                   cell(format("%.3f", mean)) + cell(format("%.3f", at(0.05))) +
                   cell(format("%.3f", at(0.5))) + cell(format("%.3f", at(0.95))) +
                   cell(duration_text(sum)) +
                   cell(format("%.3f", times[i].latency / static_cast<double>(seconds.size()))));
  }
  return figure(title, plot.svg(),
                table("Seconds a game",
                      {{"player", true},
                       {"games"},
                       {"mean"},
                       {"5 %"},
                       {"median"},
                       {"95 %"},
                       {"total"},
                       {"on the way, mean"}},
                      rows));
}

Markup colours_chart(const std::string& title, const std::vector<ColourScore>& scores) {
  std::vector<std::string> names;
  bool has_games = false;
  for (const ColourScore& score : scores) {
    names.push_back(score.player + ", " + score.colour);
    has_games |= score.tally.games() > 0;
  }
  if (!has_games) return {};
  Plot plot(title, "Shares of games won, drawn or shared, and lost, by player and colour",
            {"% won (left), drawn or shared, lost (right)", 0, 100}, names);
  std::vector<Markup> rows;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Tally& tally = scores[i].tally;
    double from = 0;
    for (const auto& [count, style] :
         {std::pair(tally.wins, "won"), {tally.draws, "drawn"}, {tally.losses, "lost"}}) {
      const double share = tally.games() > 0 ? 100.0 * count / tally.games() : 0;
      const auto y = static_cast<double>(i);
      plot.box(from, from + share, y + 0.15, y + 0.85, style);
      if (share >= 8) plot.label(from + share / 2, y + 0.5, format("%.0f", share));
      from += share;
    }
    rows.push_back(row_head(names[i]) + cell(std::to_string(tally.wins)) +
                   cell(std::to_string(tally.draws)) + cell(std::to_string(tally.losses)) +
                   cell(format("%.2f", 100 * tally.score())) +
                   cell(percent_text(score_interval(tally.points(), tally.games()), 2)));
  }
  return figure(
      title, plot.svg(),
      table("", {{"seat", true}, {"won"}, {"drawn"}, {"lost"}, {"score %"}, {"95 % interval"}},
            rows));
}

}  // namespace pitboss::clients
