#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pitboss::clients {

struct Point {
  double x;
  double y;
  friend bool operator==(const Point&, const Point&) = default;
};

/// The range and label of an axis. An empty range is widened when it is drawn.
struct Axis {
  std::string label;
  double low = 0;
  double high = 1;
  bool is_count = false;        ///< whole numbers only
  bool is_logarithmic = false;  ///< of logarithms to base 10, which are labelled by their powers
  std::vector<std::string> names = {};  ///< of the places from 0 to 1, 1 to 2, ...: its labels
  friend bool operator==(const Axis&, const Axis&) = default;
};

/// Something in a chart. Its style is a class, of which the page's style sheet knows the colour.
struct ChartMark {
  enum class Kind : std::uint8_t {
    line,     ///< through its points
    area,     ///< within its points
    box,      ///< between two opposite corners
    dot,      ///< at a point
    level,    ///< a horizontal line at the point's y, with words at its right end
    upright,  ///< a vertical line at the point's x
    label     ///< words centred at a point
  };
  Kind kind;
  std::vector<Point> points;
  std::string style = {};
  std::string words = {};
  friend bool operator==(const ChartMark&, const ChartMark&) = default;
};

/// What the marks of a style mean.
struct ChartKey {
  std::string style;
  std::string words;
  friend bool operator==(const ChartKey&, const ChartKey&) = default;
};

/// A picture with two linear axes, as plain values; `svg_of` draws it. What lies outside the axes
/// is cut off.
struct Chart {
  // For readers who cannot see the picture.
  std::string title = {};
  std::string description = {};
  Axis x = {};
  Axis y = {};
  std::vector<std::string> rows = {};  ///< names, from the top, instead of numbers on the y axis
  std::vector<ChartMark> marks = {};
  std::vector<ChartKey> keys = {};  ///< its legend

  Chart() = default;
  Chart(std::string of, std::string words, Axis across, Axis up);
  /// With one row of height 1 for each name.
  Chart(std::string of, std::string words, Axis across, std::vector<std::string> names);

  /// Nothing without points.
  void add(ChartMark::Kind kind, std::vector<Point> points, const std::string& style = {},
           const std::string& words = {});
  /// The area between two lines that have the same x.
  void band(const std::vector<Point>& low, const std::vector<Point>& high);
  void box(double x0, double x1, double y0, double y1, const std::string& style);
  void level(double at, const std::string& style, const std::string& word = "");

  friend bool operator==(const Chart&, const Chart&) = default;
};

/// Round numbers within [low, high], about `count` of them: multiples of 1, 2 or 5 times a power
/// of ten.
[[nodiscard]] std::vector<double> ticks(double low, double high, int count);

}  // namespace pitboss::clients
