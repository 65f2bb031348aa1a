#include <doctest/doctest.h>

#include <set>

#include "server/commands/commands.hpp"
#include "server/session/graphics.hpp"
#include "tests/games/set_up.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using tests::contains;
using tests::Conversation;
using tests::words_of;

namespace {

/// A search of breakthrough's initial position that has looked at three moves.
engine::Report three_moves() {
  engine::Report report;
  report.game = "breakthrough";
  report.simulations = 100;
  report.seconds = 0.5;
  report.move = "b2b3";
  report.moves = {{"b2b3", 60, 0.6, 0.1},
                  {"c2c3", 30, 0.4, 0.2},
                  {"b2c3", 9, 0.2, 0.4},
                  {"d2d3", 1, 0.0, 0.0},
                  {"e2e3", 0, 0.5, 0.0}};
  report.pv = {"b2b3", "d4d3"};
  return report;
}

}  // namespace

TEST_CASE("by_point(): moves that go on with the same point are one") {
  const auto game = games::game_of("breakthrough size=5");
  const auto points = by_point(*game, three_moves());
  REQUIRE(points.size() == 3);  // e2 has not been tried
  CHECK(points[0].point == "b2");
  CHECK(points[0].visits == 69);
  CHECK(points[0].value == doctest::Approx((60 * 0.6 + 9 * 0.2) / 69));
  CHECK(points[0].novelty == doctest::Approx((60 * 0.1 + 9 * 0.4) / 69));
  CHECK(points[1].point == "c2");
  CHECK(points[2].point == "d2");
  const std::vector<std::string> chosen{"b2"};
  const auto next = by_point(*game, three_moves(), chosen);
  REQUIRE(next.size() == 2);
  CHECK(next[0].point == "b3");
  CHECK(next[1].point == "c3");
  CHECK(next[1].visits == 9);
}

TEST_CASE("search_graphics()") {
  auto game = games::game_of("breakthrough size=5");
  // b2 has 69 of the 100 visits, c2 30; d2 has less than a fiftieth of b2's.
  CHECK(search_graphics(*game, three_moves()) ==
        "COLOR #25a33b b2\nCOLOR #62a84d c2\n"
        "LABEL b2 55 c2 40\n"
        "CIRCLE b3\n"
        "TEXT 100 simulations, b2b3 60.0 % (60 % of visits), then d4d3");
  const std::vector<std::string> chosen{"b2"};
  CHECK(contains(search_graphics(*game, three_moves(), chosen), "\nLABEL b3 60 c3 20\nTEXT"));
  const std::vector<std::string> another{"c2"};  // the move to play does not go on with it
  CHECK(contains(search_graphics(*game, three_moves(), another), "\nLABEL c3 40\nTEXT"));
  game->set_position("OOOOO/OOOOO/...../XXXXX/XXXXX w");
  engine::Report report = three_moves();
  report.moves = {{"d4d3", 10, 0.5, 0}};
  report.move = "d4d3";
  report.pv = {"d4d3"};
  CHECK(search_graphics(*game, report) ==
        "COLOR #00a030 d4\nLABEL d4 50\nCIRCLE d3\nTEXT 100 simulations, d4d3 50.0 % (100 % of "
        "visits)");
  // In HexGui's coordinates the first row is on top.
  CHECK(search_graphics(*game, report, {}, Dialect::hexgui) ==
        "INFLUENCE d2 1.000\nTEXT 100 simulations, d2d3 50.0 % (100 % of visits)");
}

TEST_CASE("search_graphics(): no wall of numbers, where all moves are alike") {
  const auto game = games::game_of("hex size=11");
  engine::Report report;
  for (const std::string& move : game->legal_moves()) report.moves.push_back({move, 5, 0.5, 0});
  report.move = report.moves.front().move;
  for (const Dialect dialect : {Dialect::gogui, Dialect::hexgui}) {
    report.pv = {report.move};
    const std::string text = live_graphics(*game, report, {}, dialect);
    const std::size_t label = text.find("LABEL");
    REQUIRE(label != std::string::npos);
    CHECK(words_of(text.substr(label, text.find('\n', label) - label)).size() == 1 + 2 * 8);
  }
}

TEST_CASE("search_graphics(): nothing found yet, and a pass") {
  const auto game = games::game_of("breakthrough size=5");
  engine::Report report;
  report.game = "breakthrough";
  report.move = "b2b3";
  CHECK(search_graphics(*game, report) == "CIRCLE b2 b3\nTEXT 0 simulations");
  const auto othello = games::game_at("othello size=4", "XXXX/XXXX/XXXO/XXO. b");
  report.move = "pass";
  report.moves = {{"pass", 10, 0.25, 0}};
  CHECK(search_graphics(*othello, report) == "TEXT 0 simulations, pass 25.0 % (100 % of visits)");
}

TEST_CASE("live_graphics(): GoGui's clear all marks, so they draw the board's too") {
  const auto connect4 = games::game_of("connect4");
  engine::Report report;
  report.game = "connect4";
  report.move = "d1";
  report.moves = {{"d1", 10, 0.5, 0}};
  report.pv = {"d1", "d2"};
  report.simulations = 10;
  const std::string search =
      "COLOR #00a030 d1\nLABEL d1 50\nTEXT 10 simulations, d1 50.0 % (100 % of visits), then d2";
  CHECK(live_graphics(*connect4, report, {}, Dialect::gogui) ==
        "COLOR #7f7f7f A7 B7 C7 D7 E7 F7 G7\n" + search);
  const auto game = games::game_of("breakthrough size=5");
  const std::vector<std::string> chosen{"b2"};
  CHECK(live_graphics(*game, three_moves(), chosen, Dialect::gogui) ==
        "SQUARE B2\n" + search_graphics(*game, three_moves(), chosen));
}

TEST_CASE("live_graphics(): HexGui's") {
  const auto game = games::game_of("gomoku size=9 opening=free");
  engine::Report report;
  report.game = "gomoku";
  report.simulations = 1000;
  report.move = "j9";
  report.moves = {{"j9", 900, 0.5, 0}, {"a1", 90, 0.25, 0}, {"b1", 10, 0.1, 0}};
  CHECK(live_graphics(*game, report, {}, Dialect::hexgui).empty());
  report.pv = {"j9", "a1", "b1"};
  CHECK(live_graphics(*game, report, {}, Dialect::hexgui) ==
        "uct VAR B i1 W a9\nINFLUENCE i1 50 a9 25\nLABEL i1 90 a9 9\n"
        "TEXT 1000 simulations, i1 50.0 % (90 % of visits), then a9 b9");
}

TEST_CASE("variation_graphics(): each point in the colour that moves") {
  const auto game = games::game_of("breakthrough size=5");
  CHECK(variation_graphics(*game, three_moves()) == "VAR b b2 b b3 w d4 w d3\nTEXT b2b3 d4d3");
}

TEST_CASE("search_statistics()") {
  const auto game = games::game_of("breakthrough size=5");
  const std::string text = search_statistics(*game, three_moves());
  CHECK(contains(text, "Value: 60.0 % for black"));
  CHECK(contains(text, "Seconds: 0.500 (200 simulations a second)"));
  CHECK(contains(text, "c2c3  30 visits, value 40.0 %, novelty 0.2000"));
  CHECK_FALSE(contains(text, "e2e3"));
}

TEST_CASE("displays: boards have one word a point of the square round the board") {
  for (const std::string_view game : {"connect4", "othello size=6", "knightthrough"}) {
    CAPTURE(game);
    Conversation c;
    c.ask("game " + std::string(game));
    c.ask("gogui-rules_game_id");
    for (const auto* display : {"pitboss-search", "pitboss-pv", "pitboss-statistics",
                                "pitboss-visits", "pitboss-visits_map", "pitboss-values",
                                "pitboss-values_map", "pitboss-novelty", "pitboss-novelty_map"}) {
      CHECK(c.refused(display) == "no search yet in this game");
    }
    c.ask("setoption simulations 200");
    c.ask("setoption novelty pseudocount");
    c.ask("reg_genmove b");
    const int size = std::stoi(c.ask("gogui-rules_board_size"));
    for (const auto* display : {"visits", "values", "novelty"}) {
      CHECK(words_of(c.ask("pitboss-" + std::string(display))).size() ==
            static_cast<std::size_t>(size * size));
      const auto map = words_of(c.ask("pitboss-" + std::string(display) + "_map"));
      CHECK(map.size() == static_cast<std::size_t>(size * size));
      for (const auto& word : map) CHECK(std::abs(std::stod(word)) <= 1);
    }
    std::int64_t visits = 0;
    for (const auto& word : words_of(c.ask("pitboss-visits"))) {
      if (word != "\"\"") visits += std::stoll(word);
    }
    CHECK(visits >= 190);  // not every simulation leaves its root
    CHECK(visits <= 200);
  }
}

TEST_CASE("displays: they follow the points that are chosen") {
  Conversation c;
  c.ask("game breakthrough size=6");
  c.ask("gogui-rules_game_id");
  c.ask("setoption simulations 300");
  const std::string from = c.ask("genmove b");
  const auto rows = games::split(c.ask("pitboss-visits"), '\n');
  REQUIRE(rows.size() == 7);  // the first line is empty
  // The man stands on row 2: what comes next are points of row 3, and only those.
  for (int row = 1; row <= 6; ++row) {
    const bool tried = std::ranges::any_of(words_of(rows[7 - row]),
                                           [](const auto& word) { return word != "\"\""; });
    CHECK(tried == (row == 3));
  }
  c.ask("genmove b");
  // A move later the search is still shown as it was, by the points that were to be chosen first.
  const auto later = games::split(c.ask("pitboss-visits"), '\n');
  CHECK(contains(later[7 - 2], "\"\"") == false);
  CHECK(contains(c.ask("pitboss-pv"), "VAR b " + from));
}

TEST_CASE("gogui-analyze_commands: types that GoGui knows, commands that there are") {
  const std::set<std::string> types{"gfx",   "sboard", "dboard",   "plist",
                                    "param", "string", "hpstring", "hstring"};
  Conversation c;
  const auto lines = games::split(c.ask("gogui-analyze_commands"), '\n');
  CHECK(lines.size() > 10);
  std::set<std::string> labels;
  for (const auto& line : lines) {
    CAPTURE(line);
    const auto parts = games::split(line, '/');
    REQUIRE(parts.size() == 3);
    CHECK(types.contains(parts[0]));
    CHECK(labels.insert(parts[1]).second);
    CHECK(find_command(commands(), games::split(parts[2])[0]) != nullptr);
  }
  CHECK(c.ask("hexgui-analyze_commands") == c.ask("gogui-analyze_commands"));
}

TEST_CASE("pitboss-param: all options, in a form that sets them") {
  Conversation c;
  CHECK(contains(c.ask("pitboss-param"), "\n[string] alpha 0.01\n"));
  CHECK(contains(c.ask("pitboss-param"), "[bool] virtual_samples 1"));
  CHECK(contains(c.ask("pitboss-param"),
                 "[list/none/pseudocount/pseudocount-features/evaluation/threshold/"
                 "evaluation-features/threshold-features] novelty none"));
  c.ask("setoption preset paper");
  c.ask("setoption k 0.7");
  c.ask("setoption reuse_tree true");
  const std::string snapshot = c.ask("pitboss-param");
  Conversation other;
  CHECK(other.ask("pitboss-param") != snapshot);
  for (const auto& line : games::split(snapshot, '\n')) {
    other.ask("pitboss-param " + line.substr(line.find(']') + 2));
  }
  CHECK(other.ask("pitboss-param") == snapshot);
  CHECK(contains(c.refused("pitboss-param alpha much"), "alpha"));
  CHECK(contains(c.refused("pitboss-param beta_max 1"), "unknown option"));
  CHECK(contains(c.refused("pitboss-param alpha"), "syntax error"));
}
