#include "engine/policy/features/feature_picture.hpp"

#include <doctest/doctest.h>

#include "engine/policy/features/feature_activity.hpp"
#include "engine/policy/features/feature_line.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

TEST_CASE("picture_of") {
  struct Row {
    std::string_view game;
    std::string feature;
    std::vector<std::string> picture;
  };
  const std::vector<Row> rows{
      {"othello", "to {}", {"[ .]"}},
      {"othello",
       "to {}; friend {0}; not enemy {0, 1/4}; off {1/2, 0}",
       {"  F  !E", "[ .]  .", "  .   .", "  #   ."}},
      {"breakthrough", "to {} from {0, 1/4}; enemy {}", {"  . ( .)", "[ E]  ."}},
      // The north of a hexagon is its upper left neighbour, and a turn on its upper right.
      {"yavalath", "to {}; friend {0}; enemy {1/6}", {"  F   E", "  [ .]  ."}},
      {"hex", "to {}; empty {0}; enemy {1/6}", {"    _   .", "[ .]  E"}},
      {"fanorona", "from {}; arity 8 {}; empty {1/8}", {"  _", "( 8)"}},
      {"cannon", "to {}; piece W {0}; not off {0}; not piece B {0}", {"  W", "[ .]"}},
      {"cannon", "to {}; not friend {0}; not piece B {0}", {"  ?", "[ .]"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.feature);
    const FeatureGame game = feature_game(*games::game_of(row.game));
    const MoveFeature feature = parse_feature_line("1 " + row.feature, 1, game).feature;
    CHECK(picture_of(feature, game) == row.picture);
  }
}

TEST_CASE("activity_of") {
  const auto game = games::game_of("yavalath");
  const FeatureSet set = parse_features(
      "pitboss features 1\ngame yavalath\n1 to {}\n1 to {}; empty {}\n1 to {}; enemy {}\n"
      "1 to {}; off {0}\n");
  const auto shares = activity_of(set, *game, 20, 1);
  CHECK(shares[0] == 1);
  CHECK(shares[1] == 1);
  CHECK(shares[2] == 0);
  // 24 of the 61 points are at the rim.
  CHECK(shares[3] == doctest::Approx(24. / 61).epsilon(0.1));
}

}  // namespace
}  // namespace pitboss::engine
