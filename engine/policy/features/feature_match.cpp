#include "engine/policy/features/feature_match.hpp"

#include <algorithm>

namespace pitboss::engine {

namespace {

/// Whether `point` has the content of the element, or lacks it if the element is negated.
bool has_content(const FeatureGame& game, const Contents& contents, const Element& element,
                 int point) {
  if (point == games::BoardGraph::off) return element.content == Content::off;
  const int kind = contents.kinds[static_cast<std::size_t>(point)];
  const bool is_man = 0 <= kind && kind < game.men;
  switch (element.content) {
    case Content::off:
      return false;
    case Content::empty:
      return kind == Contents::empty;
    case Content::friendly:
      return is_man && kind == index(contents.mover);
    case Content::enemy:
      return is_man && kind != index(contents.mover);
    case Content::man:
    case Content::piece:
      return kind == element.argument;
    case Content::arity:
      return game.graph.arity(point) == element.argument;
  }
  return false;
}

}  // namespace

bool matches(const FeatureGame& game, const Contents& contents, MovePoints move,
             const MoveFeature& feature, const Placement& placement) {
  const int anchor = feature.to ? move.to : move.from;
  if (anchor < 0) return false;
  const auto end = [&](const Walk& walk) {
    return destination(game.graph, anchor, walk, placement);
  };
  if (feature.to && feature.from && (move.from < 0 || end(*feature.from) != move.from)) {
    return false;
  }
  return std::ranges::all_of(feature.elements, [&](const Element& element) {
    return has_content(game, contents, element, end(element.walk)) != element.negated;
  });
}

bool is_active(const FeatureGame& game, const Contents& contents, MovePoints move,
               const MoveFeature& feature) {
  return std::ranges::any_of(placements(game.rotations()), [&](const Placement& placement) {
    return matches(game, contents, move, feature, placement);
  });
}

}  // namespace pitboss::engine
