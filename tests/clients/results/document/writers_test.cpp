#include "clients/results/document/writers.hpp"
#include "tests/text.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace pitboss::clients {

namespace {

/// One of each kind of block and of cell.
Document sample() {
  DataTable table{.name = "players",
                  .columns = {{"player", "player"},
                              {"index", ""},
                              {"", "remark"},
                              estimate_column("score", "score %", Form::percent),
                              {"elo", "Elo", Form::elo, 1, {"low", "high"}},
                              {"seen", "seen", Form::time},
                              {"log", "log", Form::folded}}};
  Cell score(0.625);
  score.low = 0.5;
  score.high = 0.75;
  table.rows = {{"a | b", 1, Cell(7).with_words("seven"), score, EloEstimate{8.5, -1.0, 18.0},
                 1767225600, "x\ny"},
                {"<c>", 2, {}, std::optional<double>(), EloEstimate{}, 0, ""}};
  DataTable more = hidden({.name = "players", .columns = {{"player"}}, .rows = {{"d"}}});
  DataTable matrix{.columns = {{"", ""}, {"", "x", Form::heat, 1}},
                   .rows = {{"y", share_cell(0.75, {0.6, 0.9}, 4)}, {"z", {}}},
                   .caption = "Scores"};
  Document out{
      "Title <1>",
      {{"", {Text{"first*"}, Text{"one", Text::Kind::item}, Text{"two", Text::Kind::item}}},
       {"Tables", {table, more, matrix}},
       {"Folded", {Text{"inside"}}, {}, true}}};
  out.facts = {{"fact", 3}};
  return out;
}

using tests::contains;

}  // namespace

TEST_CASE("rows_of: values and intervals by key, null for a number that is not defined") {
  const auto tables = tables_of(sample());
  REQUIRE(tables.size() == 1);
  const Rows& rows = tables.at("players");
  REQUIRE(rows.size() == 3);  // parts of one table
  CHECK(rows[0] == Rows{{"player", "a | b"},
                        {"index", 1},
                        {"score", 0.625},
                        {"score_low", 0.5},
                        {"score_high", 0.75},
                        {"elo", 8.5},
                        {"low", -1.0},
                        {"high", 18.0},
                        {"seen", 1767225600},
                        {"log", "x\ny"}});
  CHECK(rows[1]["score"].is_null());
  CHECK(rows[1]["score_low"].is_null());
  CHECK_FALSE(rows[2].contains("index"));
  const auto json = json_of(sample());
  CHECK(json["fact"] == 3);
  CHECK(json["players"] == rows);
  Cell infinite(std::numeric_limits<double>::infinity());
  CHECK(rows_of({.columns = {{"x"}}, .rows = {{infinite}, {{}}}}) ==
        Rows::parse(R"([{"x": null}, {}])"));
}

TEST_CASE("csv_of: RFC 4180, with all keys of all rows") {
  Rows rows = Rows::array();
  CHECK(csv_of(rows) == "\r\n");
  rows.push_back({{"name", "a"}, {"score", 0.5}, {"is_over", true}});
  rows.push_back({{"name", "b, \"c\"\nd"}, {"score", nullptr}, {"more", 3}});
  CHECK(csv_of(rows) ==
        "name,score,is_over,more\r\n"
        "a,0.5,true,\r\n"
        "\"b, \"\"c\"\"\nd\",,,3\r\n");
}

TEST_CASE("text_of replaces what is no UTF-8") {
  CHECK(text_of({{"words", "a\xff"}}) == "{\"words\":\"a\xef\xbf\xbd\"}");
}

TEST_CASE("terminal_text aligns columns, and leaves out what is folded") {
  Document document = sample();
  auto& table = std::get<DataTable>(document.sections[1].blocks[0]);
  table.columns.pop_back();
  for (Cells& row : table.rows) row.pop_back();
  table.columns[3].is_detail = true;
  CHECK(terminal_text(document) ==
        "first*\none\ntwo\n\nTables\n"
        "player  remark                 Elo                     seen\n"
        "a | b    seven  +8.5 [-1.0, +18.0]  2026-01-01 00:00:00 UTC\n"
        "<c>          -       too few games                        -\n"
        "\nScores\n"
        "               x\n"
        "y       75.0 (4)\n"
        "z              -\n");
}

TEST_CASE("terminal_text: an upright table has a line for each column that tells something") {
  DataTable table{.columns = {{"", "match"}, {"", "games"}, {"", "processor"}},
                  .rows = {{"A - B", 3, {}}},
                  .is_upright = true};
  CHECK(terminal_text({"", {{"", {table}}}}) == "games      3\n");
  table.rows.push_back({"B - C", 4, "50 %"});
  CHECK(terminal_text({"", {{"", {table}}}}) ==
        "match      A - B      B - C\n"
        "games      3          4\n"
        "processor  -          50 %\n");
}

TEST_CASE(
    "terminal_text: long texts begin below their head, and a table without rows is left out") {
  DataTable table{.columns = {{"", "player"}, {"", "games"}, {"", "excerpt", Form::folded}},
                  .rows = {{"A", 3, "a long line of a program"}, {"B", 14, "short"}},
                  .caption = "What went wrong"};
  CHECK(terminal_text({"", {{"", {table}}}}) ==
        "What went wrong\n"
        "player   games  excerpt\n"
        "A            3  a long line of a program\n"
        "B           14  short\n");
  table.rows.clear();
  CHECK(terminal_text({"", {{"Failures", {table}}}}).empty());
}

TEST_CASE("markdown_text escapes what would be Markdown") {
  const std::string text = markdown_text(sample());
  CHECK(text.starts_with("# Title \\<1>\n\nfirst\\*\n\n* one\n* two\n\n## Tables\n\n"));
  CHECK(contains(text,
                 "| player | remark | score % | Elo | seen | log |\n|---|---|---|---|---|---|\n"));
  CHECK(contains(text,
                 "| a \\| b | seven | 62.5 \\[50.0, 75.0] | +8.5 \\[-1.0, +18.0] | "
                 "2026-01-01 00:00:00 UTC | x<br>y |\n"));
  CHECK(contains(text, "## Folded\n\ninside\n"));
  CHECK_FALSE(text.ends_with("\n\n"));
}

TEST_CASE("markdown_text: nobody is called by name, and code ends at its end") {
  const std::string text =
      markdown_text({"", {{"", {Text{"@all, a@b (@c)"}, Text{"x\n````\n@d", Text::Kind::code}}}}});
  CHECK_MESSAGE(contains(text, "@&#8203;all, a@b (@&#8203;c)\n"), text);
  CHECK_MESSAGE(contains(text, "\n`````\nx\n````\n@d\n`````\n"), text);
}

TEST_CASE("html_page: rows of several texts can become cards, whose cells tell their heads") {
  DataTable table{.columns = {{"", "player"}, {"", "games"}, {"", "place"}},
                  .rows = {{"A", 3, "here"}}};
  const auto page = [&] { return html_page({"", {{"", {table}}}}); };
  CHECK(contains(page(), "<table class=\"cards\">"));
  CHECK(contains(page(), "<td class=\"words\" data-head=\"place\">here</td>"));
  table.columns.pop_back();
  table.rows[0].pop_back();
  CHECK(contains(page(), "<table><thead>"));
  CHECK_FALSE(contains(page(), "data-head="));
}

TEST_CASE("html_page: a figure has its legend, and without a picture its note") {
  Chart chart("Loss", "", {"x", 0, 1}, Axis{"", 0, 1});
  CHECK(
      contains(html_page({"", {{"", {Figure{chart, {}, "nothing to draw"}}}}}), "nothing to draw"));
  CHECK_FALSE(contains(html_page({"", {{"", {Figure{chart, {}, {}}}}}}), "<figure>"));
  chart.level(0.5, "even");
  chart.keys = {{"first", "<learned>"}};
  CHECK(contains(html_page({"", {{"", {Figure{chart, {}, {}}}}}}),
                 "<p class=\"legend\"><span class=\"key key-first\">&lt;learned&gt;</span> </p>"));
}

TEST_CASE("html_page escapes words, and shows each block") {
  const std::string page = html_page(sample());
  CHECK(contains(page, "<h1>Title &lt;1&gt;</h1>"));
  CHECK(contains(page, "<ul class=\"conclusions\"><li>one</li><li>two</li></ul>"));
  CHECK(contains(page, "&lt;c&gt;"));
  CHECK_FALSE(contains(page, "<c>"));
  CHECK(contains(page, "<time datetime=\"2026-01-01T00:00:00Z\">"));
  CHECK(
      contains(page,
               "<details><summary>show</summary><pre class=\"wide\" tabindex=\"0\" role=\"group\" "
               "aria-label=\"log\">x\ny</pre></details>"));
  CHECK(contains(page, "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Tables\">"));
  CHECK(contains(page, "class=\"ahead lead-25\"><b>75.0</b><small>4</small>"));
  CHECK(contains(page, "<details class=\"game\"><summary>Folded</summary>"));
  CHECK_FALSE(contains(page, "<script"));
}

}  // namespace pitboss::clients
