#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/report/markup.hpp"

namespace pitboss::clients {

struct Point {
  double x;
  double y;
};

/// The range and labels of an axis. An empty range is widened.
struct Axis {
  std::string label;
  double low = 0;
  double high = 1;
  bool is_count = false;  ///< whole numbers only
};

/// Round numbers within [low, high], about `count` of them: multiples of 1, 2 or 5 times a power
/// of ten.
[[nodiscard]] std::vector<double> ticks(double low, double high, int count);

/// A picture in SVG with two linear axes. The page's style sheet sets colours and strokes by class;
/// everything outside the axes is cut off.
class Plot {
 public:
  /// `title` and `description` are for readers who cannot see the picture.
  Plot(std::string title, std::string description, Axis x, Axis y);
  /// With names instead of numbers on the y axis, one row of equal height for each name.
  Plot(std::string title, std::string description, Axis x, const std::vector<std::string>& rows);

  void line(std::span<const Point> points, const std::string& style);
  /// The area between two lines that have the same x.
  void band(std::span<const Point> low, std::span<const Point> high, const std::string& style);
  /// A horizontal line, with a word at its right end.
  void level(double y, const std::string& style, const std::string& word = "");
  /// A vertical line.
  void upright(double x, const std::string& style);
  void box(double x0, double x1, double y0, double y1, const std::string& style);
  void dot(double x, double y, const std::string& style);
  /// Text centred at a point.
  void label(double x, double y, const std::string& words);
  /// A name that begins at a point; a long one is shortened.
  void name(double x, double y, const std::string& words, const std::string& style);

  /// With a style sheet of its own the picture is a whole file.
  [[nodiscard]] Markup svg(std::string_view style_sheet = {}) const;

 private:
  [[nodiscard]] double across(double x) const;
  [[nodiscard]] double down(double y) const;
  [[nodiscard]] std::string path(std::span<const Point> points) const;
  [[nodiscard]] Markup x_axis() const;
  [[nodiscard]] Markup y_axis() const;

  std::string title_;
  std::string description_;
  Axis x_;
  Axis y_;
  std::vector<std::string> rows_;  // empty: numbers
  double left_;
  double height_;
  Markup inside_;  // cut off at the axes
  Markup above_;
};

}  // namespace pitboss::clients
