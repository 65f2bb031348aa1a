#include "clients/results/document/document.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "clients/results/document/formatting.hpp"

namespace pitboss::clients {

namespace {

std::optional<double> finite_number(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell.value)) return *whole;
  const auto* const number = std::get_if<double>(&cell.value);
  return number != nullptr && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

/// Whether people read a number in the cell.
bool is_told(const Column& column, const Cell& cell) {
  const auto number = finite_number(cell);
  const EloEstimate estimate{number, cell.low, cell.high};
  return number && (column.form != Form::elo || is_told(estimate));
}

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What reaches beyond all numbers ends at the chart's edges.
void end_at_edges(Chart& chart) {
  for (ChartMark& mark : chart.marks) {
    for (Point& point : mark.points) {
      if (std::isinf(point.y)) point.y = point.y < 0 ? chart.y.low : chart.y.high;
    }
  }
}

}  // namespace

Cell::Cell(std::optional<double> of)
    : value(of.value_or(std::numeric_limits<double>::quiet_NaN())) {}

Cell Cell::with_words(std::string of) && {
  words = std::move(of);
  return std::move(*this);
}

Cell Cell::leading_to(std::string place) && {
  link = std::move(place);
  return std::move(*this);
}

Cell Cell::alarming(bool is_so) && {
  is_alarm = is_so;
  return std::move(*this);
}

Cell share_cell(double share, const Interval& interval, std::int64_t count) {
  Cell out(share);
  out.low = interval.low;
  out.high = interval.high;
  out.count = count;
  out.is_strong = interval.low > 0.5 || interval.high < 0.5;
  return out;
}

Cell score_cell(const Tally& tally) {
  if (tally.games() == 0) return {};
  return share_cell(tally.score(), score_interval(tally.points(), tally.games()), tally.games());
}

Column estimate_column(const std::string& key, std::string head, Form form, int digits) {
  return {key, std::move(head), form, digits, {key + "_low", key + "_high"}};
}

std::size_t DataTable::place_of(std::string_view key) const {
  return static_cast<std::size_t>(std::ranges::find(columns, key, &Column::key) - columns.begin());
}

DataTable facts_table(const std::vector<std::pair<std::string, std::string>>& rows) {
  DataTable out{.rows = {{}}, .is_upright = true, .has_heads = false};
  for (const auto& [head, words] : rows) {
    out.columns.push_back({"", head});
    out.rows.front().emplace_back(words);
  }
  return out;
}

DataTable hidden(DataTable table) {
  for (Column& column : table.columns) column.head.clear();
  table.has_heads = false;
  return table;
}

DataTable part_of(const DataTable& table, const std::vector<std::string>& keys, std::size_t most) {
  DataTable out{.has_heads = false};
  std::vector<std::size_t> places;
  for (const std::string& key : keys) {
    places.push_back(table.place_of(key));
    out.columns.push_back(table.columns[places.back()]);
  }
  const std::size_t all = table.rows.size();
  const std::size_t count = std::min(most, all);
  for (std::size_t i = 1; i <= count; ++i) {
    Cells& row = out.rows.emplace_back();
    for (const std::size_t place : places) {
      row.push_back(table.rows[(all * i + count - 1) / count - 1][place]);
    }
  }
  return out;
}

namespace {

/// A column's values over those of another, and the ends of their intervals.
struct Course {
  std::vector<Point> line;
  std::vector<Point> low;
  std::vector<Point> high;
};

void widen(Axis& axis, double value) {
  axis.low = std::min(axis.low, value);
  axis.high = std::max(axis.high, value);
}

/// The values that people read as numbers. `y` is widened to hold them, but for the first eighth of
/// values with intervals.
Course course_of(const DataTable& table, std::size_t across, std::size_t up, Axis& y) {
  const double unit = table.columns[up].form == Form::percent ? 100 : 1;
  std::vector<const Cells*> rows;
  for (const Cells& row : table.rows) {
    if (finite_number(row[across]) && is_told(table.columns[up], row[up])) rows.push_back(&row);
  }
  Course out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Cell& cell = (*rows[i])[up];
    const double at = *finite_number((*rows[i])[across]);
    out.line.push_back({at, unit * *finite_number(cell)});
    const bool has_interval = cell.low || cell.high;
    const bool sets_scale = !has_interval || i >= rows.size() / 8;
    if (sets_scale) widen(y, out.line.back().y);
    if (!has_interval) continue;
    // Without a bound on one side, the band reaches to the edge.
    out.low.push_back({at, unit * cell.low.value_or(-infinity)});
    out.high.push_back({at, unit * cell.high.value_or(infinity)});
    if (cell.low && sets_scale) widen(y, out.low.back().y);
    if (cell.high && sets_scale) widen(y, out.high.back().y);
  }
  return out;
}

}  // namespace

Chart chart_of(std::string title, std::string description, const DataTable& table,
               std::string_view x, const std::vector<Curve>& curves, Axis y) {
  const std::size_t across = table.place_of(x);
  const Axis x_axis{std::string(x), 0, 0, true};
  Chart out(std::move(title), std::move(description), x_axis, std::move(y));
  for (const auto& [key, style, name, has_dots] : curves) {
    const auto [line, low, high] = course_of(table, across, table.place_of(key), out.y);
    for (const Point& point : line) out.x.high = std::max(out.x.high, point.x);
    out.band(low, high);
    // The band of a single point has no width.
    if (low.size() == 1) out.add(ChartMark::Kind::line, {low.front(), high.front()}, style);
    out.add(ChartMark::Kind::line, line, style);
    if (has_dots || line.size() == 1) {
      for (const Point& point : line) out.add(ChartMark::Kind::dot, {point}, "mark");
    }
    if (!name.empty() && !line.empty()) out.keys.push_back({style, name});
  }
  end_at_edges(out);
  return out;
}

}  // namespace pitboss::clients
