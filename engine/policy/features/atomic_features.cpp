#include "engine/policy/features/atomic_features.hpp"

#include <set>

namespace pitboss::engine {

namespace {

constexpr int longest_atomic_walk = 2;

/// The contents that the game can have, as elements at the anchor.
std::vector<Element> contents_of(const FeatureGame& game) {
  std::vector<Element> all;
  for (const Content c : {Content::off, Content::empty, Content::friendly, Content::enemy}) {
    all.push_back({{}, c});
  }
  for (int kind = game.men; kind < static_cast<int>(game.letters.size()); ++kind) {
    all.push_back({{}, Content::piece, false, static_cast<std::uint8_t>(kind)});
  }
  if (game.graph.arities().size() > 1) {
    for (const int arity : game.graph.arities()) {
      all.push_back({{}, Content::arity, false, static_cast<std::uint8_t>(arity)});
    }
  }
  return all;
}

}  // namespace

std::vector<MoveFeature> base_features(const FeatureGame& game) {
  std::vector<MoveFeature> bases{{Walk{}, {}, {{{}, Content::empty}}}};
  if (game.targets_enemies) bases.push_back({Walk{}, {}, {{{}, Content::enemy}}});
  if (game.moves_men) bases.push_back({{}, Walk{}, {{{}, Content::friendly}}});
  return bases;
}

std::vector<MoveFeature> atomic_features(const FeatureGame& game) {
  std::vector<MoveFeature> atoms;
  std::set<MoveFeature> known;
  const auto add = [&](const MoveFeature& feature) {
    const auto form = canonical(feature, game.rotations());
    if (form && known.insert(*form).second) atoms.push_back(*form);
  };
  const std::vector<Walk> walks = walks_up_to(longest_atomic_walk, game.rotations());
  for (const MoveFeature& base : base_features(game)) {
    add(base);
    for (const Walk& walk : walks) {
      for (Element element : contents_of(game)) {
        element.walk = walk;
        MoveFeature atom = base;
        atom.elements.push_back(std::move(element));
        add(atom);
      }
    }
  }
  return atoms;
}

}  // namespace pitboss::engine
