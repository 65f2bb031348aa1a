#include "clients/published/figure.hpp"

#include <algorithm>
#include <vector>

#include "clients/report/formatting.hpp"
#include "clients/report/plot.hpp"

namespace pitboss::clients {

namespace {

/// The colours are Okabe and Ito's, which the colour-blind can tell apart.
constexpr std::string_view style_sheet = R"(
svg { background: #ffffff; }
text { fill: #586069; font: 12px system-ui, sans-serif; }
.grid { stroke: #e3e7eb; } .axis { stroke: #586069; }
.even { stroke: #586069; stroke-dasharray: 4 3; }
polyline { fill: none; stroke-width: 1.6; }
.series-0 { stroke: #0072b2; } .series-1 { stroke: #c04e00; } .series-2 { stroke: #009e73; }
.series-3 { stroke: #1c2127; stroke-dasharray: 5 3; } .series-4 { stroke: #cc79a7; }
)";
constexpr std::size_t styles = 5;

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
    if (!point || !record) continue;
    auto series = std::ranges::find(out, point->series, &Series::name);
    if (series == out.end()) series = out.insert(out.end(), {point->series, {}});
    const Tally& tally = record->tally;
    const Interval interval = score_interval(tally.points(), tally.games());
    series->marks.push_back(
        {point->x, percent * tally.score(), {percent * interval.low, percent * interval.high}});
  }
  for (Series& series : out) std::ranges::sort(series.marks, {}, &Mark::x);
  return out;
}

/// The heights of the series' names beside their last marks: far enough from each other to be read.
std::vector<double> heights_of(const std::vector<Series>& all, double least) {
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return all[i].marks.back().score; });
  std::vector<double> heights(all.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    double& height = heights[order[place]];
    height = all[order[place]].marks.back().score;
    if (place > 0) height = std::max(height, heights[order[place - 1]] + least);
  }
  return heights;
}

void draw(Plot& plot, const Series& series, const std::string& style, double shift) {
  std::vector<Point> scores;
  for (const Mark& mark : series.marks) {
    const double x = mark.x + shift;
    scores.push_back({x, mark.score});
    plot.line(std::vector<Point>{{x, mark.interval.low}, {x, mark.interval.high}}, style);
  }
  plot.line(scores, style);
}

}  // namespace

std::string figure_of(const Table& table) {
  const std::vector<Series> all = series_of(table);
  if (all.empty()) return {};
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
  const double width = std::max(1.0, x.high - x.low);
  const double height = y.high - y.low;
  constexpr double room_for_names = 0.3;
  constexpr double share_of_name = 0.15;  // from its middle to the last mark
  constexpr double share_of_line = 0.075;
  constexpr double shift = 0.006;  // keeps the intervals of the series apart
  x.low -= width * 0.03;
  const double last = x.high;
  x.high += width * room_for_names;
  Plot plot(published.title, format("%zu series with their 95 %% intervals", all.size()), x, y);
  plot.level(50, "even");
  const std::vector<double> heights = heights_of(all, height * share_of_line);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double place = static_cast<double>(i) - static_cast<double>(all.size() - 1) / 2;
    draw(plot, all[i], "series-" + std::to_string(i % styles), place * shift * width);
    plot.label(last + width * share_of_name, heights[i], all[i].name);
  }
  return plot.svg(style_sheet).str() + "\n";
}

}  // namespace pitboss::clients
