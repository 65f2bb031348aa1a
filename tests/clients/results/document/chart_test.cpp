#include "clients/results/document/chart.hpp"

#include <doctest/doctest.h>

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
  CHECK(chart_of("t", "d", {.columns = table.columns}, "games", {{"score"}}, {}).marks.empty());
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
  CHECK(svg_of(chart, ".bar { fill: red }").str().find("<style>.bar { fill: red }</style>") !=
        std::string::npos);
}

}  // namespace pitboss::clients
