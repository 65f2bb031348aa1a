#include "clients/results/document/chart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "clients/results/document/formatting.hpp"
#include "clients/results/document/svg.hpp"

namespace pitboss::clients {

namespace {

// In units of the picture, about one pixel each.
constexpr double plot_width = 460;
constexpr double right = 16;
constexpr double least_left = 52;
constexpr double top = 24;
constexpr double bottom = 40;
constexpr double row_height = 30;
constexpr double letter = 7.8;  // the width of a letter, where the page's style has them largest
constexpr std::size_t longest_name = 24;

std::string decimal(double value) { return format("%.1f", value); }

Markup words_at(double x, double y, const std::string& anchor, const std::string& words) {
  return element("text", {{"x", decimal(x)}, {"y", decimal(y)}, {"text-anchor", anchor}},
                 text(words));
}

Markup segment(double x0, double y0, double x1, double y1, const std::string& style) {
  return element("line", {{"x1", decimal(x0)},
                          {"y1", decimal(y0)},
                          {"x2", decimal(x1)},
                          {"y2", decimal(y1)},
                          {"class", style}});
}

/// Without its middle: names often begin alike, and what differs comes last.
std::string shortened(const std::string& name) {
  if (name.size() <= longest_name) return name;
  const std::size_t head = (longest_name - 3) / 2;
  return name.substr(0, head) + "..." + name.substr(name.size() - (longest_name - 3 - head));
}

Axis widened(Axis axis) {
  if (!(axis.high > axis.low)) axis.high = axis.low + 1;
  return axis;
}

std::vector<double> ticks_of(const Axis& axis, int count) {
  const double length = axis.high - axis.low;
  constexpr double few_powers = 3;
  if (axis.is_logarithmic && length < few_powers) {
    std::vector<double> out;
    for (double power = std::floor(axis.low); power <= axis.high; ++power) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double tick = power + std::log10(factor);
        if (tick >= axis.low && tick <= axis.high) out.push_back(tick);
      }
    }
    return out;
  }
  const int most = static_cast<int>(length);
  if (axis.is_logarithmic) return ticks(axis.low, axis.high, std::min(8, most + 1));
  const bool is_whole = axis.is_count || !axis.names.empty();
  std::vector<double> out = ticks(axis.low, axis.high, is_whole ? std::min(count, most) : count);
  // Names stand between the numbers, so that there is one less.
  if (!axis.names.empty()) {
    std::erase_if(out, [&](double tick) { return tick >= static_cast<double>(axis.names.size()); });
  }
  return out;
}

std::string label_of(const Axis& axis, double tick) {
  if (!axis.names.empty()) return shortened(axis.names[static_cast<std::size_t>(tick)]);
  return format("%.7g", axis.is_logarithmic ? std::pow(10, tick) : tick);
}

/// Where the label of a tick stands.
double place_of(const Axis& axis, double tick) { return axis.names.empty() ? tick : tick + 0.5; }

double room_of(const std::string& label) { return letter * static_cast<double>(label.size()); }

/// Some whose labels have room beside each other.
std::vector<double> ticks_across(const Axis& axis, double width) {
  const auto have_room = [&](const std::vector<double>& some) {
    double sum = 0;
    for (const double tick : some) sum += room_of(label_of(axis, tick)) + 2 * letter;
    return sum <= width;
  };
  int count = std::max(6, static_cast<int>(axis.names.size()));  // each name, where it has room
  while (count > 1 && !have_room(ticks_of(axis, count))) --count;
  return ticks_of(axis, count);
}

/// Where the labels of the y axis end.
double left_for(const Chart& chart, const Axis& y) {
  const std::vector<std::string>& names = chart.rows.empty() ? y.names : chart.rows;
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, room_of(shortened(name)));
  if (!names.empty()) return 12 + widest;
  for (const double tick : ticks_of(y, 5)) widest = std::max(widest, room_of(label_of(y, tick)));
  return std::max(least_left, 12 + widest);
}

/// Draws one chart.
class Picture {
 public:
  explicit Picture(const Chart& chart)
      : chart_(chart),
        x_(widened(chart.x)),
        y_(widened(chart.y)),
        left_(left_for(chart, y_)),
        base_(chart.rows.empty() ? 200
                                 : top + row_height * static_cast<double>(chart.rows.size())) {
    for (const ChartMark& mark : chart.marks) draw(mark);
  }

  [[nodiscard]] Markup svg() const {
    // An inner picture is cut off at its edges: no clip path is needed, which would need a name
    // that is unique on the page.
    constexpr double margin = 1;  // for the width of a line on the edge
    const double w = edge - left_ + 2 * margin;
    const double h = base_ - top + 2 * margin;
    const Markup inner =
        element("svg",
                {{"x", decimal(left_ - margin)},
                 {"y", decimal(top - margin)},
                 {"width", decimal(w)},
                 {"height", decimal(h)},
                 {"viewBox", format("%.1f %.1f %.1f %.1f", left_ - margin, top - margin, w, h)}},
                inside_);
    const std::string edges = format("0 0 %.0f %.0f", plot_width, base_ + bottom);
    const std::string words = chart_.title + ". " + chart_.description;
    return element("svg", {{"viewBox", edges}, {"role", "img"}, {"aria-label", words}},
                   element("title", chart_.title) + element("desc", chart_.description) + x_axis() +
                       y_axis() + inner + above_);
  }

 private:
  static constexpr double edge = plot_width - right;

  [[nodiscard]] double across(double x) const {
    return left_ + (x - x_.low) / (x_.high - x_.low) * (edge - left_);
  }
  [[nodiscard]] double down(double y) const {
    const double share = (y - y_.low) / (y_.high - y_.low);
    // Rows are counted from the top.
    return top + (chart_.rows.empty() ? 1 - share : share) * (base_ - top);
  }
  [[nodiscard]] bool holds(const Point& point) const {
    return point.x >= x_.low && point.x <= x_.high && point.y >= y_.low && point.y <= y_.high;
  }
  [[nodiscard]] std::string path(const std::vector<Point>& points) const {
    std::string out;
    for (const Point& point : points) {
      out += format(out.empty() ? "%.1f,%.1f" : " %.1f,%.1f", across(point.x), down(point.y));
    }
    return out;
  }

  void draw(const ChartMark& mark) {
    using enum ChartMark::Kind;
    const double x = across(mark.points.front().x);
    const double y = down(mark.points.front().y);
    switch (mark.kind) {
      case line:
        inside_ += element("polyline", {{"points", path(mark.points)}, {"class", mark.style}});
        break;
      case area:
        inside_ += element("polygon", {{"points", path(mark.points)}, {"class", mark.style}});
        break;
      case box: {
        const auto [first, last] = std::minmax({x, across(mark.points[1].x)});
        const auto [upper, lower] = std::minmax({y, down(mark.points[1].y)});
        inside_ += element("rect", {{"x", decimal(first)},
                                    {"y", decimal(upper)},
                                    {"width", decimal(last - first)},
                                    {"height", decimal(lower - upper)},
                                    {"class", mark.style}});
        break;
      }
      case dot:
        if (!holds(mark.points.front())) break;
        // Whole, also on an edge.
        above_ +=
            element("circle",
                    {{"cx", decimal(x)}, {"cy", decimal(y)}, {"r", "4.5"}, {"class", mark.style}});
        break;
      case level:
        inside_ += segment(left_, y, edge, y, mark.style);
        if (!mark.words.empty()) above_ += words_at(edge - 3, y - 4, "end", mark.words);
        break;
      case upright:
        inside_ += segment(x, top, x, base_, mark.style);
        break;
      case label:
        above_ += element("text",
                          {{"x", decimal(x)},
                           {"y", decimal(y + 4)},
                           {"text-anchor", "middle"},
                           {"class", "label"}},
                          text(mark.words));
        break;
    }
  }

  [[nodiscard]] Markup x_axis() const {
    Markup out;
    for (const double tick : ticks_across(x_, edge - left_)) {
      const double x = across(place_of(x_, tick));
      out += segment(x, top, x, base_, "grid");
      const std::string label = label_of(x_, tick);
      const double place = std::min(x, plot_width - room_of(label) / 2);
      out += words_at(place, base_ + 15, "middle", label);
    }
    return out + segment(left_, base_, edge, base_, "axis") +
           words_at((left_ + edge) / 2, base_ + bottom - 6, "middle", x_.label);
  }
  [[nodiscard]] Markup y_axis() const {
    Markup out;
    for (std::size_t row = 0; row < chart_.rows.size(); ++row) {
      out += words_at(left_ - 8, down(static_cast<double>(row) + 0.5) + 4, "end",
                      shortened(chart_.rows[row]));
    }
    if (!chart_.rows.empty()) return out;
    for (const double tick : ticks_of(y_, 5)) {
      const double y = down(place_of(y_, tick));
      out += segment(left_, y, edge, y, "grid");
      out += words_at(left_ - 6, y + 4, "end", label_of(y_, tick));
    }
    return out + words_at(4, 13, "start", y_.label);
  }

  const Chart& chart_;
  Axis x_;
  Axis y_;
  double left_;
  double base_;    // below it stand the numbers of the x axis
  Markup inside_;  // cut off at the axes
  Markup above_;
};

}  // namespace

Chart::Chart(std::string of, std::string words, Axis across, Axis up)
    : title(std::move(of)), description(std::move(words)), x(std::move(across)), y(std::move(up)) {}

Chart::Chart(std::string of, std::string words, Axis across, std::vector<std::string> names)
    : title(std::move(of)),
      description(std::move(words)),
      x(std::move(across)),
      y{"", 0, static_cast<double>(names.size())},
      rows(std::move(names)) {}

void Chart::add(ChartMark::Kind kind, std::vector<Point> points, const std::string& style,
                const std::string& words) {
  if (!points.empty()) marks.push_back({kind, std::move(points), style, words});
}

void Chart::band(const std::vector<Point>& low, const std::vector<Point>& high) {
  std::vector<Point> around = low;
  around.insert(around.end(), high.rbegin(), high.rend());
  add(ChartMark::Kind::area, std::move(around), "band");
}

void Chart::box(double x0, double x1, double y0, double y1, const std::string& style) {
  add(ChartMark::Kind::box, {{x0, y0}, {x1, y1}}, style);
}

void Chart::level(double at, const std::string& style, const std::string& word) {
  add(ChartMark::Kind::level, {{x.low, at}}, style, word);
}

std::vector<double> ticks(double low, double high, int count) {
  const double least = (high - low) / std::max(1, count);
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= least * (1 - 1e-9)) step = factor * power;
  }
  std::vector<double> out;
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) {
    out.push_back(n == 0 ? 0.0 : n * step);
  }
  return out;
}

Markup svg_of(const Chart& chart) { return Picture(chart).svg(); }

}  // namespace pitboss::clients
