#include "engine/policy/features/feature_set.hpp"

#include <doctest/doctest.h>

#include "engine/policy/features/atomic_features.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(parse_features(text));
  } catch (const BadFeatures& bad) {
    return bad.what();
  }
  return "none";
}

TEST_CASE("parse_features") {
  const FeatureSet set = parse_features(
      "# Four in a row\n"
      "pitboss features 1\r\n"
      "game yavalath\n"
      "procedure  by hand, 2019\n"
      "\n"
      "+100 to {}; friend {0}; friend {1/2}; friend {1/2, 0}\n"
      "  # Three\n"
      "-1.5e1\tto{};friend{ 1/3 };friend{1/3,0}\n");
  CHECK(set.game == "yavalath");
  CHECK(set.parameters == "swap=off");
  CHECK(set.procedure == "by hand, 2019");
  CHECK(set.columns == 1);
  CHECK(set.weights == std::vector<float>{100, -15});
  REQUIRE(set.features.size() == 2);
  CHECK(text_of(set.features[1], "XO") == "to {}; friend {0}; friend {0, 0}");
  CHECK(set.weight(1, games::Colour::white) == -15);
}

TEST_CASE("parse_features: weights for each colour, moves with an origin, kinds and arities") {
  const FeatureSet set = parse_features(
      "pitboss features 1\ngame cannon\n1 -2 to {} from {0}; piece W {0, 0}; not piece X {1/4}\n");
  CHECK(set.columns == 2);
  CHECK(set.weight(0, games::Colour::black) == 1);
  CHECK(set.weight(0, games::Colour::white) == -2);
  CHECK(text_of(set.features[0], "XOBW") == "to {} from {0}; not piece X {1/4}; piece W {0, 0}");
  CHECK(set.features[0].elements[0].content == Content::man);
  CHECK(set.features[0].elements[1].content == Content::piece);
  CHECK(parse_features("pitboss features 1\ngame fanorona\n0 from {}; arity 8 {}; off {1/8}\n")
            .features[0]
            .elements[0]
            .argument == 8);
}

TEST_CASE("parse_features: line, column, and what was expected") {
  const auto of_feature = [](const std::string& line) {
    return error_of("pitboss features 1\ngame yavalath\n1 to {}; empty {0}\n" + line);
  };
  CHECK(of_feature("2 to {}; empty {0, 0}") == "none");
  struct Row {
    std::string line;
    std::string error;
  };
  const std::vector<Row> rows{
      // Weights
      {"to {}", "column 1: expected a weight, or one for each of the 2 colours, not 'to {}'"},
      {"x to {}", "column 1: expected a number from -1000000 to 1000000, not 'x to {}'"},
      {"nan to {}", "column 1: expected a number from -1000000 to 1000000, not 'nan to {}'"},
      {"1e9 to {}", "column 1: expected a number from -1000000 to 1000000, not '1e9 to {}'"},
      {"1 2 3 to {}", "column 5: expected 'to' or 'from' and a walk, not '3 to {}'"},
      {"1 2 to {}", "column 1: expected 1 weights as in the features before, not '1 2 to {}'"},
      // Actions
      {"1", "column 2: expected 'to' or 'from' and a walk, not the end of the line"},
      {"1 to", "column 5: expected a walk such as {} or {0, 1/4}, not the end of the line"},
      {"1 to {} empty {0}",
       "column 9: expected ';' and an element, or the end of the line, not 'empty {0}'"},
      // Walks
      {"1 to {}; off {1/4}",
       "column 15: expected a turn, a multiple of 1/6 such as 0 or -1/6, not '1/4}'"},
      {"1 to {}; off {1/0}",
       "column 15: expected a turn, a multiple of 1/6 such as 0 or -1/6, not '1/0}'"},
      {"1 to {}; off {0 1/6}", "column 17: expected ',' and a turn, or '}', not '1/6}'"},
      {"1 to {}; off {0", "column 16: expected ',' and a turn, or '}', not the end of the line"},
      {"1 to {}; off {0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}",
       "column 47: expected a walk of no more than 16 steps, not '0}'"},
      // Elements
      {"1 to {}; foe {0}",
       "column 10: expected off, empty, friend, enemy, piece or arity, not 'foe {0}'"},
      {"1 to {}; not",
       "column 13: expected off, empty, friend, enemy, piece or arity, not the end "
       "of the line"},
      {"1 to {}; piece Z {0}", "column 16: expected the letter of a piece, one of XO, not 'Z {0}'"},
      {"1 to {}; arity 8 {0}",
       "column 16: expected how many neighbours a point has on this board, 6, not '8 {0}'"},
      // What nothing can match, and what is there already
      {"1 to {}; off {0}; friend {0}",
       "two elements contradict each other, so that nothing can match"},
      {"1 to {}; empty {1/3}", "this feature is that of line 3, perhaps turned or reflected"},
  };
  for (const Row& row : rows) {
    const bool has_column = row.error.starts_with("column");
    CHECK(of_feature(row.line) == "line 4" + std::string(has_column ? ", " : ": ") + row.error);
  }
}

TEST_CASE("parse_features: what is no file of features") {
  CHECK(error_of("") == "line 0, column 1: expected 'pitboss features 1', not the end of the line");
  CHECK(error_of("{\"a\": 1}") ==
        "line 1, column 1: expected 'pitboss features 1', not '{\"a\": 1}'");
  CHECK(error_of("pitboss features 1\n1 to {}\n") ==
        "line 2, column 1: expected 'game' and a game's name, not '1 to {}'");
  CHECK(error_of("pitboss features 1\ngame yavalat\n") ==
        "line 2: unknown game 'yavalat'; did you mean 'yavalath'?");
  CHECK(error_of("pitboss features 1\ngame hex size=40\n").starts_with("line 2: "));
  CHECK(error_of("pitboss features 1\ngame hex\nprocedure a\nprocedure b\n") ==
        "line 4, column 1: expected procedure once, not 'procedure b'");
  std::string many = "pitboss features 1\ngame hex\n";
  for (int i = 0; i < 100'000; ++i) {
    many += "1 to {}";
    for (int bit = 0; bit < 17; ++bit) {
      if ((i >> bit & 1) == 0) continue;
      many += "; friend {0";
      for (int step = 0; step < bit % 15; ++step) many += ", 0";
      many += bit < 15 ? "}" : ", 1/6}";
    }
    many += "\n";
  }
  CHECK(error_of(many) == "line 4099: a set has at most 4096 features");
}

TEST_CASE("file_text: reads back as the same set") {
  for (const std::string_view line : {"yavalath swap=on", "breakthrough size=6", "fanorona",
                                      "cannon", "rolit players=3", "connect4"}) {
    CAPTURE(line);
    const auto game = games::game_of(line);
    for (const bool by_colour : {false, true}) {
      FeatureSet set;
      set.game = game->name();
      set.parameters = game->parameters().line();
      set.procedure = by_colour ? "grown, seed 1" : "";
      set.columns = by_colour ? game->players() : 1;
      set.features = atomic_features(feature_game(*game));
      for (std::size_t i = 0; i < set.features.size() * static_cast<std::size_t>(set.columns);
           ++i) {
        set.weights.push_back(1.0F / static_cast<float>(i + 1) * (i % 2 == 0 ? 1 : -1));
      }
      CHECK(parse_features(file_text(set)) == set);
    }
  }
}

}  // namespace
}  // namespace pitboss::engine
