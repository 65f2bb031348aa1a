#include "engine/policy/features/feature_plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace pitboss::engine {

namespace {

using Shift = FeaturePlan::Shift;
using Key = FeaturePlan::Part::Key;

/// The tests of an instance, and how its moves are found.
struct Signature {
  int distance = 0;  ///< from the target to the origin, if the feature has both
  std::vector<Shift> tests;
};

/// The number of the plane that an element tests.
int plane_of(const Element& element, int kinds) {
  int plane = static_cast<int>(element.content) - static_cast<int>(Content::empty);
  if (element.content == Content::man || element.content == Content::piece) {
    plane = fixed_planes + element.argument;
  }
  return element.negated ? fixed_planes + kinds + plane : plane;
}

/// Whether the board alone fulfils an element at `point`; nothing if that depends on the position.
std::optional<bool> known(const FeatureGame& game, const Element& element, int point) {
  const bool is_off = point == games::BoardGraph::off;
  if (element.content == Content::off) return is_off != element.negated;
  if (is_off) return element.negated;
  if (element.content != Content::arity) return std::nullopt;
  return (game.graph.arity(point) == element.argument) != element.negated;
}

/// The feature's signature at an anchor; nothing if it can match no move there.
std::optional<Signature> signature(const FeatureGame& game, const MoveFeature& feature, int anchor,
                                   const Placement& placement) {
  Signature result;
  if (feature.to && feature.from) {
    const int from = destination(game.graph, anchor, *feature.from, placement);
    if (from == games::BoardGraph::off) return std::nullopt;
    result.distance = from - anchor;
  }
  const int kinds = static_cast<int>(game.letters.size());
  for (const Element& element : feature.elements) {
    const int point = destination(game.graph, anchor, element.walk, placement);
    if (const auto is_fulfilled = known(game, element, point)) {
      if (!*is_fulfilled) return std::nullopt;
      continue;
    }
    result.tests.push_back({static_cast<std::int16_t>(plane_of(element, kinds)),
                            static_cast<std::int16_t>(point - anchor)});
  }
  std::ranges::sort(result.tests);
  result.tests.erase(std::ranges::unique(result.tests).begin(), result.tests.end());
  return result;
}

using Anchors = std::vector<std::uint64_t>;
/// Instances of one feature, those with few tests first.
using Instances = std::map<std::tuple<int, std::size_t, std::vector<Shift>>, Anchors>;

Instances instances_of(const FeatureGame& game, const MoveFeature& feature, int words) {
  Instances instances;
  for (const Placement& placement : placements(game.rotations())) {
    for (const int anchor : game.graph.points()) {
      auto found = signature(game, feature, anchor, placement);
      if (!found) continue;
      const std::size_t size = found->tests.size();
      Anchors& anchors = instances[{found->distance, size, std::move(found->tests)}];
      anchors.resize(static_cast<std::size_t>(words));
      anchors[static_cast<std::size_t>(anchor / 64)] |= std::uint64_t{1} << anchor % 64;
    }
  }
  return instances;
}

Key key_of(const MoveFeature& feature) {
  if (!feature.to) return Key::origin;
  return feature.from ? Key::both : Key::target;
}

}  // namespace

FeaturePlan::FeaturePlan(const FeatureSet& set, const FeatureGame& game)
    : features(set.features.size()),
      words(game.graph.points().back() / 64 + 1),
      kinds(static_cast<int>(game.letters.size())),
      men(game.men),
      points(static_cast<std::size_t>(words)),
      both_parts_(2 * place_of(0), -1) {
  if (set.game != game.name) {
    throw BadFeatures("the features are for " + set.game + ", not for " + game.name);
  }
  if (set.columns != 1 && set.columns != game.players) {
    throw BadFeatures("the features have weights for " + std::to_string(set.columns) +
                      " colours, and the game has " + std::to_string(game.players));
  }
  for (const int p : game.graph.points()) points[p / 64] |= std::uint64_t{1} << p % 64;
  std::map<Shift, std::uint16_t> numbers;
  for (std::uint32_t f = 0; f < set.features.size(); ++f) {
    for (const auto& [signature, anchors] : instances_of(game, set.features[f], words)) {
      const auto& [distance, size, tests] = signature;
      Part& part = part_for(key_of(set.features[f]), distance);
      if (part.entries.empty() || part.entries.back().feature != f) {
        part.entries.push_back({f, 0});
      }
      Entry& entry = part.entries.back();
      if (entry.runs == 0 || part.runs.back().tests != size) {
        part.runs.push_back({0, static_cast<std::uint32_t>(size)});
        ++entry.runs;
      }
      ++part.runs.back().instances;
      part.anchors.insert(part.anchors.end(), anchors.begin(), anchors.end());
      for (const Shift& shift : tests) {
        const auto [number, is_new] =
            numbers.try_emplace(shift, static_cast<std::uint16_t>(shifts.size()));
        if (is_new) shifts.push_back(shift);
        part.tests.push_back(number->second);
      }
    }
  }
  if (shifts.size() > 0xffff) throw BadFeatures("the features test too many points");
  for (Part& part : parts) part.weights.resize(static_cast<std::size_t>(set.columns));
  set_weights(set);
}

/// The part with that key, which is made if it does not exist.
FeaturePlan::Part& FeaturePlan::part_for(Part::Key key, int distance) {
  int number = part(key, distance);
  if (number < 0) {
    number = static_cast<int>(parts.size());
    parts.push_back({key, distance, {}, {}, {}, {}, {}});
    if (key == Key::target) target_part_ = number;
    if (key == Key::origin) origin_part_ = number;
    if (key == Key::both) both_parts_[place_of(distance)] = static_cast<std::int16_t>(number);
  }
  return parts[static_cast<std::size_t>(number)];
}

void FeaturePlan::set_weights(const FeatureSet& set) {
  for (Part& part : parts) {
    for (std::size_t c = 0; c < part.weights.size(); ++c) {
      part.weights[c].clear();
      for (const Entry& entry : part.entries) {
        part.weights[c].push_back(set.weight(entry.feature, static_cast<games::Colour>(c)));
      }
    }
  }
}

std::size_t FeaturePlan::instances() const {
  std::size_t sum = 0;
  for (const Part& part : parts) sum += part.anchors.size() / static_cast<std::size_t>(words);
  return sum;
}

}  // namespace pitboss::engine
