#include "clients/report/plot.hpp"

#include <algorithm>
#include <cmath>

#include "clients/report/formatting.hpp"

namespace pitboss::clients {

namespace {

// In units of the picture, about one pixel each.
constexpr double plot_width = 460;
constexpr double right = 16;
constexpr double top = 24;
constexpr double bottom = 40;
constexpr double row_height = 30;
constexpr double letter = 6.4;  // the width of an average letter
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

std::string shortened(const std::string& name) {
  return name.size() <= longest_name ? name : name.substr(0, longest_name - 3) + "...";
}

double left_for(const std::vector<std::string>& rows) {
  std::size_t longest = 4;
  for (const std::string& row : rows) longest = std::max(longest, shortened(row).size());
  return 12 + letter * static_cast<double>(longest);
}

Axis widened(Axis axis) {
  if (!(axis.high > axis.low)) axis.high = axis.low + 1;
  return axis;
}

}  // namespace

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

namespace {

std::vector<double> ticks_of(const Axis& axis, int count) {
  return ticks(axis.low, axis.high,
               axis.is_count ? std::min(count, static_cast<int>(axis.high - axis.low)) : count);
}

}  // namespace

Plot::Plot(std::string title, std::string description, Axis x, Axis y)
    : title_(std::move(title)),
      description_(std::move(description)),
      x_(widened(std::move(x))),
      y_(widened(std::move(y))),
      left_(52),
      height_(240) {}

Plot::Plot(std::string title, std::string description, Axis x, const std::vector<std::string>& rows)
    : title_(std::move(title)),
      description_(std::move(description)),
      x_(widened(std::move(x))),
      y_{"", 0, static_cast<double>(rows.size())},
      rows_(rows),
      left_(left_for(rows)),
      height_(top + bottom + row_height * static_cast<double>(rows.size())) {}

double Plot::across(double x) const {
  return left_ + (x - x_.low) / (x_.high - x_.low) * (plot_width - right - left_);
}

double Plot::down(double y) const {
  const double share = (y - y_.low) / (y_.high - y_.low);
  // Rows are counted from the top.
  return top + (rows_.empty() ? 1 - share : share) * (height_ - bottom - top);
}

std::string Plot::path(std::span<const Point> points) const {
  std::string out;
  for (const Point& point : points) {
    out += format("%.1f,%.1f ", across(point.x), down(point.y));
  }
  if (!out.empty()) out.pop_back();
  return out;
}

void Plot::line(std::span<const Point> points, const std::string& style) {
  inside_ += element("polyline", {{"points", path(points)}, {"class", style}});
}

void Plot::band(std::span<const Point> low, std::span<const Point> high, const std::string& style) {
  std::vector<Point> around(low.begin(), low.end());
  around.insert(around.end(), high.rbegin(), high.rend());
  inside_ += element("polygon", {{"points", path(around)}, {"class", style}});
}

void Plot::level(double y, const std::string& style, const std::string& word) {
  inside_ += segment(left_, down(y), plot_width - right, down(y), style);
  if (!word.empty()) above_ += words_at(plot_width - right - 3, down(y) - 4, "end", word);
}

void Plot::upright(double x, const std::string& style) {
  inside_ += segment(across(x), top, across(x), height_ - bottom, style);
}

void Plot::box(double x0, double x1, double y0, double y1, const std::string& style) {
  const auto [first, last] = std::minmax({across(x0), across(x1)});
  const auto [upper, lower] = std::minmax({down(y0), down(y1)});
  inside_ += element("rect", {{"x", decimal(first)},
                              {"y", decimal(upper)},
                              {"width", decimal(last - first)},
                              {"height", decimal(lower - upper)},
                              {"class", style}});
}

void Plot::dot(double x, double y, const std::string& style) {
  inside_ += element(
      "circle",
      {{"cx", decimal(across(x))}, {"cy", decimal(down(y))}, {"r", "4.5"}, {"class", style}});
}

void Plot::label(double x, double y, const std::string& words) {
  above_ += words_at(across(x), down(y) + 4, "middle", words);
}

void Plot::name(double x, double y, const std::string& words, const std::string& style) {
  above_ +=
      element("text", {{"x", decimal(across(x))}, {"y", decimal(down(y) + 4)}, {"class", style}},
              text(shortened(words)));
}

Markup Plot::x_axis() const {
  Markup out;
  const double base = height_ - bottom;
  for (const double x : ticks_of(x_, 6)) {
    out += segment(across(x), top, across(x), base, "grid");
    out += words_at(across(x), base + 15, "middle", format("%g", x));
  }
  return out + segment(left_, base, plot_width - right, base, "axis") +
         words_at((left_ + plot_width - right) / 2, height_ - 6, "middle", x_.label);
}

Markup Plot::y_axis() const {
  Markup out;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    out +=
        words_at(left_ - 8, down(static_cast<double>(row) + 0.5) + 4, "end", shortened(rows_[row]));
  }
  if (!rows_.empty()) return out;
  for (const double y : ticks_of(y_, 5)) {
    out += segment(left_, down(y), plot_width - right, down(y), "grid");
    out += words_at(left_ - 6, down(y) + 4, "end", format("%g", y));
  }
  return out + words_at(4, 13, "start", y_.label);
}

Markup Plot::svg(std::string_view style_sheet) const {
  // An inner picture is cut off at its edges: no clip path is needed, which would need a name that
  // is unique on the page.
  const double w = plot_width - right - left_;
  const double h = height_ - top - bottom;
  const Markup inner = element("svg",
                               {{"x", decimal(left_)},
                                {"y", decimal(top)},
                                {"width", decimal(w)},
                                {"height", decimal(h)},
                                {"viewBox", format("%.1f %.1f %.1f %.1f", left_, top, w, h)}},
                               inside_);
  const std::string edges = format("0 0 %.0f %.0f", plot_width, height_);
  const std::string words = title_ + ". " + description_;
  const Markup inside = element("title", title_) + element("desc", description_) + x_axis() +
                        y_axis() + inner + above_;
  if (style_sheet.empty()) {
    return element("svg", {{"viewBox", edges}, {"role", "img"}, {"aria-label", words}}, inside);
  }
  return element("svg",
                 {{"xmlns", "http://www.w3.org/2000/svg"},
                  {"viewBox", edges},
                  {"role", "img"},
                  {"aria-label", words}},
                 raw_style(style_sheet) + inside);
}

}  // namespace pitboss::clients
