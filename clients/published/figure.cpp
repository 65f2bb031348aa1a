#include "clients/published/figure.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "clients/results/document/formatting.hpp"
#include "clients/results/document/svg.hpp"

namespace pitboss::clients {

namespace {

/// The colours are Okabe and Ito's, which the colour-blind can tell apart.
constexpr std::string_view style_sheet = R"(
svg { background: #ffffff; }
text { fill: #586069; stroke: none !important; font: 12px system-ui, sans-serif; }
.grid { stroke: #e3e7eb; } .axis { stroke: #586069; }
.even { stroke: #586069; stroke-dasharray: 4 3; }
.series-0 { stroke: #0072b2; fill: #0072b2; } .series-1 { stroke: #c04e00; fill: #c04e00; }
.series-2 { stroke: #009e73; fill: #009e73; } .series-4 { stroke: #cc79a7; fill: #cc79a7; }
.series-3 { stroke: #1c2127; fill: #1c2127; stroke-dasharray: 5 3; }
.series-5 { stroke: #e69f00; fill: #e69f00; } .series-6 { stroke: #56b4e9; fill: #56b4e9; }
polyline { fill: none !important; stroke-width: 1.6; } circle { r: 2.5px; }
)";
constexpr std::size_t styles = 7;

struct Mark {
  double x;
  double score;  ///< in per cent, as the interval
  Interval interval;
};
struct Series {
  std::string name;
  std::vector<Mark> marks;  ///< by x
};

std::vector<Series> series_of(const Table& table) {
  constexpr double percent = 100;
  std::vector<Series> out;
  for (std::size_t match = 0; match < table.matches().size(); ++match) {
    const auto& point = table.published(match).point;
    const auto& record = table.records[match];
    if (!point || !table.is_complete(match)) continue;
    auto series = std::ranges::find(out, point->series, &Series::name);
    if (series == out.end()) series = out.insert(out.end(), {point->series, {}});
    const Scores& rounds = record->distinct_rounds;
    const Interval interval = rounds.interval();
    series->marks.push_back(
        {point->x, percent * rounds.mean(), {percent * interval.low, percent * interval.high}});
  }
  for (Series& series : out) std::ranges::sort(series.marks, {}, &Mark::x);
  return out;
}

/// The heights of the series' names beside their last marks: at least `least` from each other, and
/// none above `top`.
std::vector<double> heights_of(const std::vector<Series>& all, double least, double top) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return all[i].marks.back().score; });
  std::vector<double> heights(all.size());
  double lowest = -1;
  for (const std::size_t i : order) {
    heights[i] = std::max(all[i].marks.back().score, lowest);
    lowest = heights[i] + least;
  }
  std::ranges::reverse(order);
  for (const std::size_t i : order) {
    heights[i] = std::min(heights[i], top);
    top = heights[i] - least;
  }
  return heights;
}

void draw(Chart& plot, const Series& series, const std::string& style, double shift) {
  std::vector<Point> scores;
  for (const Mark& mark : series.marks) {
    const double x = mark.x + shift;
    scores.push_back({x, mark.score});
    plot.add(ChartMark::Kind::line, {{x, mark.interval.low}, {x, mark.interval.high}}, style);
    plot.add(ChartMark::Kind::dot, {{x, mark.score}}, style);
  }
  plot.add(ChartMark::Kind::line, scores, style);
}

Interval interval_or_value(const MedianEstimate& estimate) {
  return estimate.interval.value_or(Interval{estimate.value, estimate.value});
}

}  // namespace

bool has_figure(const Table& table) { return !series_of(table).empty(); }

std::string figure_of(const Table& table) {
  // Shares of the picture's width and height.
  constexpr double room_for_names = 0.4;
  constexpr double edge = 0.03;
  constexpr double line_height = 0.075;
  constexpr double shift = 0.006;  // keeps the intervals of the series apart
  const std::vector<Series> all = series_of(table);
  const PublishedTable& published = *table.file.published;
  Axis x{published.x_axis, all[0].marks[0].x, all[0].marks[0].x};
  Axis y{"score, %", 50, 50};
  for (const Series& series : all) {
    for (const Mark& mark : series.marks) {
      x.low = std::min(x.low, mark.x);
      x.high = std::max(x.high, mark.x);
      y.low = std::min(y.low, mark.interval.low);
      y.high = std::max(y.high, mark.interval.high);
    }
  }
  const double width = x.high > x.low ? x.high - x.low : 1;
  const double last = x.high;
  x.low -= edge * width;
  x.high += room_for_names * width;
  Chart plot(
      published.title,
      format("%zu series of scores of distinct rounds with their 95 %% intervals", all.size()), x,
      y);
  plot.level(50, "even");
  const std::vector<double> heights = heights_of(all, line_height * (y.high - y.low), y.high);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double place = static_cast<double>(i) - static_cast<double>(all.size() - 1) / 2;
    const std::string style = "series-" + std::to_string(i % styles);
    draw(plot, all[i], style, place * shift * width);
    plot.add(ChartMark::Kind::name, {{last + edge * width, heights[i]}}, style, all[i].name);
  }
  return svg_of(plot, style_sheet).str() + "\n";
}

std::string figure_of(const Times& times) {
  constexpr double room_for_names = 0.9;  // a share of the ratios' range
  constexpr double edge = 0.05;
  constexpr double line_height = 0.6;  // of a row
  std::vector<GameTimes> games = times.static_values;
  for (GameTimes game : times.networks) {
    game.game += ", network";
    games.push_back(std::move(game));
  }
  const std::vector<std::string> measures = measures_of(games);
  Axis x{std::string(times_figure_title), 1, 1};
  std::vector<std::string> rows;
  for (const GameTimes& game : games) {
    rows.push_back(game.game);
    for (const MeasureTime& measure : game.measures) {
      const Interval shown = interval_or_value(measure.ratio);
      x.low = std::min(x.low, shown.low);
      x.high = std::max(x.high, shown.high);
    }
  }
  const double width = x.high > x.low ? x.high - x.low : 1;
  const double last = x.high;
  x.low -= edge * width;
  x.high += room_for_names * width;
  Chart plot(std::string(times_figure_title),
             format("%zu searches without novelty, and those with each measure; 95 %% intervals",
                    games.size()),
             x, rows);
  plot.add(ChartMark::Kind::upright, {{1, 0}}, "even");
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const std::string style = "series-" + std::to_string(i % styles);
    const double place = static_cast<double>(i + 1) / static_cast<double>(measures.size() + 1);
    for (std::size_t row = 0; row < games.size(); ++row) {
      const auto& known = games[row].measures;
      const auto measure = std::ranges::find(known, measures[i], &MeasureTime::novelty);
      if (measure == known.end()) continue;
      const double y = static_cast<double>(row) + place;
      const Interval shown = interval_or_value(measure->ratio);
      plot.add(ChartMark::Kind::line, {{shown.low, y}, {shown.high, y}}, style);
      plot.add(ChartMark::Kind::dot, {{measure->ratio.value, y}}, style);
    }
    plot.add(ChartMark::Kind::name,
             {{last + edge * width, line_height * (static_cast<double>(i) + 0.5)}}, style,
             measures[i]);
  }
  return svg_of(plot, style_sheet).str() + "\n";
}

}  // namespace pitboss::clients
