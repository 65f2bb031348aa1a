#include "engine/policy/features/move_feature.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/policy/features/atomic_features.hpp"
#include "games/grid.hpp"
#include "games/random.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

Walk walk(std::initializer_list<int> turns) {
  Walk result;
  for (const int turn : turns) result.turns.push_back(static_cast<std::int8_t>(turn));
  return result;
}
FeatureGame game_named(std::string_view line) { return feature_game(*games::game_of(line)); }

/// Where the walk leads from a point named as in "e5", or "-".
std::string end_of(const games::BoardGraph& graph, int anchor, const Walk& walk,
                   const Placement& placement = {}) {
  const int end = destination(graph, anchor, walk, placement);
  const int stride = graph.shape().stride;
  return end == games::BoardGraph::off ? "-" : games::point_text(end % stride, end / stride);
}

TEST_CASE("destination") {
  struct Row {
    std::string_view game;
    int x;
    int y;
    Walk walk;
    Placement placement;
    std::string_view end;
  };
  const std::vector<Row> rows{
      {"othello", 3, 3, {}, {6, true}, "d4"},
      {"othello", 3, 3, walk({0}), {}, "d5"},
      {"othello", 3, 3, walk({0}), {6}, "e4"},
      {"othello", 3, 3, walk({0, 6}), {}, "e5"},            // a diagonal
      {"othello", 3, 3, walk({0, 0, 6}), {}, "e6"},         // a knight's leap
      {"othello", 3, 3, walk({0, 0, 6}), {0, true}, "c6"},  // its reflection
      {"othello", 3, 3, walk({0, 0, 6}), {6}, "f3"},        // turned
      {"othello", 0, 3, walk({-6, 12}), {}, "-"},           // what leaves stays outside
      {"yavalath", 4, 4, walk({0, 4}), {}, "f7"},
      {"yavalath", 4, 4, walk({0, 8}), {}, "f6"},  // a neighbour, by another one
      {"yavalath", 4, 4, walk({12, 0}), {}, "e3"},
      {"yavalath", 4, 4, walk({0, 0}), {4}, "g7"},
      {"hex", 5, 5, walk({0, 0}), {8}, "h4"},
      {"fanorona", 4, 2, walk({3}), {}, "f4"},  // a diagonal is a step
      {"fanorona", 4, 2, walk({3, 0}), {}, "g5"},
      {"fanorona", 3, 2, walk({3}), {}, "d4"},  // an eighth becomes none
      {"fanorona", 3, 2, walk({9}), {}, "e3"},  // three become two
      {"fanorona", 3, 2, walk({6, 3}), {}, "f2"},
  };
  for (const Row& row : rows) {
    const games::BoardGraph graph = game_named(row.game).graph;
    CAPTURE(row.game);
    CAPTURE(text_of(row.walk));
    CHECK(end_of(graph, graph.shape().point(row.x, row.y), row.walk, row.placement) == row.end);
  }
}

TEST_CASE("walks_up_to: walks by name and by what is left of them when turned and reflected") {
  struct Row {
    std::string_view game;
    std::size_t walks;
    std::vector<Walk> forms;
  };
  const std::vector<Row> rows{
      {"breakthrough", 17, {walk({}), walk({0}), walk({0, 0}), walk({0, 6})}},
      {"hex", 37, {walk({}), walk({0}), walk({0, 0}), walk({0, 4}), walk({0, 8})}},
      {"fanorona",
       65,
       {walk({}), walk({0}), walk({0, 0}), walk({0, 3}), walk({0, 6}), walk({0, 9})}}};
  for (const Row& row : rows) {
    const int rotations = game_named(row.game).rotations();
    const auto all = walks_up_to(2, rotations);
    CHECK(all.size() == row.walks);
    std::set<Walk> forms;
    for (const Walk& one : all) {
      const MoveFeature feature{Walk{}, {}, {{one, Content::off}}};
      forms.insert(canonical(feature, rotations)->elements.at(0).walk);
    }
    CHECK(std::vector<Walk>(forms.begin(), forms.end()) == row.forms);
  }
}

TEST_CASE("seen_from: the same places from another anchor") {
  const games::BoardGraph graph = game_named("hex size=19").graph;
  const int middle = graph.shape().point(9, 9);
  for (const Walk& origin : walks_up_to(2, 6)) {
    const int anchor = destination(graph, middle, origin);
    for (const Walk& other : walks_up_to(2, 6)) {
      const Walk seen = seen_from(origin, other);
      CHECK(destination(graph, anchor, seen) == destination(graph, middle, other));
      CHECK(seen.turns.size() <= origin.turns.size() + other.turns.size());
    }
  }
  CHECK(seen_from(walk({0, 4}), walk({0, 4})) == walk({}));
  CHECK(seen_from(walk({0, 4}), walk({0})) == walk({-8}));
}

TEST_CASE("canonical") {
  const Element friend_ahead{walk({0}), Content::friendly};
  const Element enemy_beside{walk({4}), Content::enemy};
  const MoveFeature feature{Walk{}, {}, {friend_ahead, enemy_beside}};
  const auto text = [](const std::optional<MoveFeature>& f) {
    return f ? text_of(*f, "XO") : "none";
  };
  CHECK(text(canonical(feature, 6)) == "to {}; friend {0}; enemy {1/6}");
  SUBCASE("is the same for all placements") {
    for (const Placement& placement : placements(6)) {
      CHECK(canonical(placed(feature, placement), 6) == canonical(feature, 6));
    }
  }
  SUBCASE("has its anchor at the target") {
    MoveFeature elsewhere = seen_from(walk({8, 4}), feature);
    CHECK(text_of(*elsewhere.to) == "{0, -1/6}");
    CHECK(canonical(elsewhere, 6) == canonical(feature, 6));
    // Without a target at the origin
    elsewhere.from = std::exchange(elsewhere.to, std::nullopt);
    CHECK(text(canonical(elsewhere, 6)) == "from {}; friend {0}; enemy {1/6}");
  }
  SUBCASE("leaves out what is implied, and what is told twice") {
    MoveFeature more = feature;
    more.elements.push_back(friend_ahead);
    more.elements.push_back({walk({0}), Content::empty, true});
    more.elements.push_back({walk({0}), Content::off, true});
    more.elements.push_back({walk({4}), Content::friendly, true});
    CHECK(canonical(more, 6) == canonical(feature, 6));
    // No element implies another one where the walks differ.
    more.elements.push_back({walk({0, 0}), Content::off, true});
    CHECK(text(canonical(more, 6)) == "to {}; friend {0}; enemy {1/6}; not off {0, 0}");
  }
  SUBCASE("has none if elements contradict each other") {
    for (const Element& other :
         {Element{walk({0}), Content::empty}, Element{walk({0}), Content::enemy},
          Element{walk({0}), Content::off}, Element{walk({0}), Content::friendly, true}}) {
      MoveFeature impossible = feature;
      impossible.elements.push_back(other);
      CHECK(text(canonical(impossible, 6)) == "none");
    }
  }
}

TEST_CASE("canonical: one form for random features however they are turned, and it is its own") {
  games::Random random(1);
  const auto walks = walks_up_to(2, 4);
  for (int i = 0; i < 200; ++i) {
    const auto any_walk = [&] { return walks[random.below(static_cast<int>(walks.size()))]; };
    MoveFeature feature{Walk{}, {}, {}};
    if (random.below(2) == 0) feature.from = any_walk();
    for (int n = random.below(4); n > 0; --n) {
      feature.elements.push_back(
          {any_walk(), static_cast<Content>(random.below(4)), random.below(2) == 0});
    }
    const auto form = canonical(feature, 4);
    for (const Placement& placement : placements(4)) {
      REQUIRE(canonical(placed(feature, placement), 4) == form);
    }
    if (form) REQUIRE(canonical(*form, 4) == form);
  }
}

TEST_CASE("atomic_features: how many") {
  struct Row {
    std::string_view game;
    std::size_t bases;
    std::size_t atoms;
  };
  const std::vector<Row> rows{
      // Places on empty points: one base, and each walk but {} with 4 contents
      {"yavalath", 1, 1 + 4 * 4},
      {"hex size=7", 1, 1 + 4 * 4},
      {"connect4", 1, 1 + 3 * 4},
      {"gomoku size=15", 1, 1 + 3 * 4},
      {"othello", 1, 1 + 3 * 4},
      // Men move: to an empty point; from a friend's
      {"teeko", 2, 2 * (1 + 3 * 4)},
      // Also to an enemy's
      {"breakthrough", 3, 3 * (1 + 3 * 4)},
      {"knightthrough", 3, 3 * (1 + 3 * 4)},
      // Two arities, also at the anchor
      {"fanorona", 2, 2 * (1 + 2 + 5 * 6)},
      // Towns and arrows are kinds of their own.
      {"cannon", 3, 3 * (1 + 3 * 6)},
      {"amazons", 2, 2 * (1 + 3 * 5)},
  };
  for (const Row& row : rows) {
    CAPTURE(row.game);
    const FeatureGame game = game_named(row.game);
    CHECK(base_features(game).size() == row.bases);
    const auto atoms = atomic_features(game);
    CHECK(atoms.size() == row.atoms);
    for (const MoveFeature& atom : atoms) CHECK(canonical(atom, game.rotations()) == atom);
  }
}

}  // namespace
}  // namespace pitboss::engine
