#include "engine/policy/features/move_feature.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace pitboss::engine {

namespace {

constexpr std::array<std::string_view, 7> content_names{"off",   "empty", "friend", "enemy",
                                                        "piece", "piece", "arity"};

/// Whether the two contents exclude each other on a point.
bool exclude(const Element& a, const Element& b) {
  if (a.content == b.content) return a.argument != b.argument;
  const auto [one, other] = std::minmax(a.content, b.content);
  const bool is_men = one == Content::friendly || one == Content::enemy;
  if (other == Content::man) return !is_men;
  if (other == Content::arity) return one == Content::off;
  return true;
}

bool same_content(const Element& a, const Element& b) {
  return a.content == b.content && a.argument == b.argument;
}

/// Whether `a` and `b`, of the same walk, cannot both be fulfilled.
bool contradict(const Element& a, const Element& b) {
  if (a.negated && b.negated) return false;
  if (a.negated != b.negated) return same_content(a, b);
  return exclude(a, b);
}

/// Whether `b`, of the same walk, is fulfilled wherever `a` is.
bool implies(const Element& a, const Element& b) {
  return !a.negated && b.negated && exclude(a, b);
}

/// Sorts the elements and removes those that others imply; false if two contradict each other.
bool tidy(std::vector<Element>& elements) {
  std::ranges::sort(elements);
  elements.erase(std::ranges::unique(elements).begin(), elements.end());
  std::vector<Element> kept;
  for (const Element& b : elements) {
    bool is_implied = false;
    for (const Element& a : elements) {
      if (&a == &b || a.walk != b.walk) continue;
      if (contradict(a, b)) return false;
      is_implied |= implies(a, b);
    }
    if (!is_implied) kept.push_back(b);
  }
  elements = std::move(kept);
  return true;
}

template <class Change>
MoveFeature changed(const MoveFeature& feature, Change&& change) {
  MoveFeature result = feature;
  if (result.to) result.to = change(*result.to);
  if (result.from) result.from = change(*result.from);
  for (Element& element : result.elements) element.walk = change(element.walk);
  return result;
}

}  // namespace

std::string content_text(const Element& element, const std::string& letters) {
  std::string text = element.negated ? "not " : "";
  text += content_names[static_cast<std::size_t>(element.content)];
  if (element.content == Content::arity) text += " " + std::to_string(element.argument);
  const bool has_letter = element.content == Content::man || element.content == Content::piece;
  if (has_letter) text += std::string(" ") + letters[element.argument];
  return text;
}

std::string text_of(const MoveFeature& feature, const std::string& letters) {
  std::string text;
  if (feature.to) text += "to " + text_of(*feature.to);
  if (feature.from) text += (text.empty() ? "from " : " from ") + text_of(*feature.from);
  for (const Element& element : feature.elements) {
    text += "; " + content_text(element, letters) + " " + text_of(element.walk);
  }
  return text;
}

MoveFeature placed(const MoveFeature& feature, const Placement& placement) {
  return changed(feature, [&](const Walk& walk) { return placed(walk, placement); });
}

MoveFeature seen_from(const Walk& anchor, const MoveFeature& feature) {
  return changed(feature, [&](const Walk& walk) { return seen_from(anchor, walk); });
}

std::vector<Placement> placements(int rotations) {
  std::vector<Placement> all;
  for (const int rotation : rotations_of(rotations)) {
    all.push_back({rotation, false});
    all.push_back({rotation, true});
  }
  return all;
}

std::optional<MoveFeature> canonical(const MoveFeature& feature, int rotations) {
  const Walk& anchor = feature.to ? *feature.to : *feature.from;
  const MoveFeature anchored = anchor.turns.empty() ? feature : seen_from(anchor, feature);
  std::optional<MoveFeature> first;
  for (const Placement& placement : placements(rotations)) {
    MoveFeature image = placed(anchored, placement);
    if (!tidy(image.elements)) return std::nullopt;
    if (!first || image < *first) first = std::move(image);
  }
  return first;
}

}  // namespace pitboss::engine
