#include "clients/results/document/chart.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "clients/results/document/document.hpp"
#include "clients/results/document/svg.hpp"

namespace pitboss::clients {

TEST_CASE("ticks are round numbers within the range") {
  CHECK(ticks(0, 100, 5) == std::vector<double>{0, 20, 40, 60, 80, 100});
  CHECK(ticks(0, 1, 2) == std::vector<double>{0, 0.5, 1});
  CHECK(ticks(-3.1, 3.1, 3) == std::vector<double>{0});
  CHECK(ticks(-3.1, 3.1, 5) == std::vector<double>{-2, 0, 2});
  CHECK(ticks(47, 53, 6).size() == 7);
}

TEST_CASE("chart_of: a line and its band; rows without a value are left out") {
  Cell wide(0.5);
  wide.low = 0;
  wide.high = 1;
  Cell narrow(0.75);
  narrow.low = 0.5;
  narrow.high = 0.9;
  DataTable table{.columns = {{"games"}, estimate_column("score", "", Form::percent)}};
  table.rows = {{1, wide}};
  for (int i = 2; i <= 16; ++i) table.rows.push_back({i, narrow});
  table.rows.push_back({17, Cell(std::optional<double>())});
  const Chart chart = chart_of("t", "d", table, "games", {{"score"}}, {"score %", 49, 51});
  REQUIRE(chart.marks.size() == 2);
  CHECK(chart.marks[0].kind == ChartMark::Kind::area);
  CHECK(chart.marks[1].points.size() == 16);
  CHECK(chart.marks[1].points[1] == Point{2, 75});
  CHECK(chart.x.high == 16);
  // The first interval does not set the scale.
  CHECK(chart.y.low == 49);
  CHECK(chart.y.high == 90);
  // Where an interval has no lower bound, the band reaches to the edge.
  for (Cells& row : table.rows) row[1].low.reset();
  const Chart open = chart_of("t", "d", table, "games", {{"score"}}, {"score %", 49, 51});
  CHECK(open.y.low == 49);
  CHECK(open.marks[0].points.front() == Point{1, 49});
  CHECK(open.marks[0].points.back() == Point{1, 100});
  for (Cells& row : table.rows) row[1].low = 0;
  // The band of a single point would not be seen.
  table.rows.resize(1);
  const Chart one = chart_of("t", "d", table, "games", {{"score"}}, {"score %", 49, 51});
  REQUIRE(one.marks.size() == 4);
  CHECK(one.marks[3].kind == ChartMark::Kind::dot);
  CHECK(one.marks[1].points == std::vector<Point>{{1, 0}, {1, 100}});
  CHECK(chart_of("t", "d", {.columns = table.columns}, "games", {{"score"}}, {}).marks.empty());
}

TEST_CASE("chart_of: an Elo is drawn where it is told, and early ones do not set the scale") {
  DataTable table{.columns = {{"games"}, estimate_column("elo", "Elo", Form::elo)}};
  table.rows = {{2, EloEstimate{700.0, {}, {}}}, {4, EloEstimate{500.0, -20.0, {}}}};
  for (int i = 3; i <= 18; ++i) {
    const double early = i <= 4 ? 400 : 0;
    table.rows.push_back({2 * i, EloEstimate{early, early - 30.0, early + 30.0}});
  }
  const Chart chart = chart_of("t", "d", table, "games", {{"elo"}}, {"Elo", -5, 5});
  REQUIRE(chart.marks.size() == 2);
  CHECK(chart.marks[1].points.size() == 16);
  CHECK(chart.marks[1].points.front() == Point{6, 400});
  CHECK(chart.y.low == -30);
  CHECK(chart.y.high == 30);
  table.rows.resize(2);
  CHECK(chart_of("t", "d", table, "games", {{"elo"}}, {"Elo", -5, 5}).marks.empty());
}

TEST_CASE("chart_of: curves with names have a legend, and those that want them dots") {
  DataTable table{.columns = {{"games"}, {"a"}, {"b"}}, .rows = {{1, 0.5, 0.1}, {2, 0.6, 0.2}}};
  const std::vector<Curve> curves{{"a", "first", "learned"},
                                  {.key = "b", .style = "second", .has_dots = true}};
  const Chart chart = chart_of("t", "d", table, "games", curves, {"", 0, 1});
  CHECK(chart.keys == std::vector<ChartKey>{{"first", "learned"}});
  CHECK(std::ranges::count(chart.marks, ChartMark::Kind::dot, &ChartMark::kind) == 2);
}

TEST_CASE("svg_of: labels have room, at the left and beside each other") {
  const Chart big("t", "d", {"x", 0, 0.0012}, Axis{"", 0, 1.2e6});
  const std::string svg = svg_of(big).str();
  CHECK(svg.find(">1000000</text>") != std::string::npos);
  // The numbers end six left of the plot, and seven digits are 55 wide.
  CHECK(svg.find("x=\"60.6\"") != std::string::npos);
  const Chart names("t", "d", {"x", 0, 0.00012}, std::vector<std::string>(1, std::string(24, 'n')));
  const std::string narrow = svg_of(names).str();
  CHECK(std::ranges::count(svg, '\n') == 0);
  CHECK(narrow.find(">2e-05</text>") == std::string::npos);  // each 0.00002 would be too many
  CHECK(narrow.find(">5e-05</text>") != std::string::npos);
}

TEST_CASE("svg_of draws rows from the top, and escapes words") {
  Chart chart("<t>", "d", {"x", 0, 10}, std::vector<std::string>{"a & b", "c"});
  chart.box(0, 5, 0.2, 0.8, "bar");
  chart.add(ChartMark::Kind::dot, {{10, 1.5}}, "mark");
  const std::string svg = svg_of(chart).str();
  CHECK(svg.find("&lt;t&gt;") != std::string::npos);
  CHECK(svg.find("a &amp; b") < svg.find(">c<"));
  CHECK(svg.find("class=\"bar\"") < svg.find("class=\"mark\""));
  CHECK(svg.find("nan") == std::string::npos);
}

TEST_CASE("svg_of labels an axis by the numbers themselves, or by names") {
  const auto labels = [](const Axis& y) {
    Chart chart("t", "d", {"x", 0, 1}, y);
    const std::string svg = svg_of(chart).str();
    return [svg](const std::string& words) {
      return svg.find(">" + words + "</text>") != std::string::npos;
    };
  };
  const auto powers = labels({.label = "k", .low = -4.1, .high = 1.2, .is_logarithmic = true});
  CHECK(powers("0.0001"));
  CHECK(powers("10"));
  CHECK_FALSE(powers("-4"));
  CHECK(powers("0.1"));
  const auto few = labels({.label = "k", .low = -1.1, .high = 0.4, .is_logarithmic = true});
  CHECK(few("0.1"));
  CHECK(few("0.2"));
  CHECK(few("2"));
  std::vector<std::string> values;
  for (int i = 0; i < 40; ++i) values.push_back("v" + std::to_string(i));
  const auto places = labels({.label = "k", .high = 40, .names = values});
  CHECK(places("v0"));
  CHECK(places("v30"));
  CHECK_FALSE(places("30"));

  const auto across = [](const std::vector<std::string>& names) {
    Chart chart("t", "d", {.label = "k", .high = double(names.size()), .names = names},
                {"score %", 0, 7});
    return svg_of(chart).str();
  };
  const std::string all = across({"0.25", "0.5", "none"});
  for (const char* name : {">0.25<", ">0.5<", ">none<"}) CHECK(all.find(name) != std::string::npos);
  CHECK(all.find(">0.25<") < all.find(">none<"));
  CHECK(all.find(">1.5<") == std::string::npos);
  const std::string some = across(values);  // there is no room for all
  CHECK(some.find(">v0<") != std::string::npos);
  CHECK(some.find(">v1<") == std::string::npos);
  CHECK(some.find(">v40<") == std::string::npos);
}

TEST_CASE("svg_of: dots on an edge are whole, long names keep their end") {
  Chart chart("t", "d", {"x", 0, 10}, std::vector<std::string>{"a-player-with-a-long-name, black"});
  chart.add(ChartMark::Kind::dot, {{10, 0.5}}, "mark");
  chart.add(ChartMark::Kind::dot, {{11, 0.5}}, "mark");
  const std::string svg = svg_of(chart).str();
  CHECK(svg.find("<circle") > svg.find("</svg>"));  // not within what is cut off
  CHECK(svg.find("<circle") == svg.rfind("<circle"));
  CHECK(svg.find(">a-player-w...name, black<") != std::string::npos);
}

}  // namespace pitboss::clients
