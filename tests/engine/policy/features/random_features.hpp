#pragma once

#include <set>

#include "engine/policy/features/feature_set.hpp"
#include "games/random.hpp"

namespace pitboss::tests {

/// The game's set of `count` random features with random weights, for each colour its own: walks of
/// up to three steps, all contents, negated or not, and moves with and without origins.
inline engine::FeatureSet random_set(const engine::FeatureGame& game, std::size_t count,
                                     std::uint64_t seed) {
  using namespace engine;
  games::Random random(seed);
  const auto short_walks = walks_up_to(2, game.rotations());
  const auto walks = walks_up_to(3, game.rotations());
  const auto any = [&](const auto& list) {
    return list[random.below(static_cast<int>(list.size()))];
  };
  const auto any_element = [&] {
    Element element{any(random.below(3) == 0 ? walks : short_walks),
                    static_cast<Content>(random.below(7)), random.below(4) == 0};
    const int kinds = static_cast<int>(game.letters.size());
    if (element.content == Content::piece && kinds == game.men) element.content = Content::man;
    if (element.content == Content::man) {
      element.argument = static_cast<std::uint8_t>(random.below(game.men));
    } else if (element.content == Content::piece) {
      element.argument = static_cast<std::uint8_t>(game.men + random.below(kinds - game.men));
    } else if (element.content == Content::arity) {
      element.argument = static_cast<std::uint8_t>(any(game.graph.arities()));
    }
    return element;
  };
  FeatureSet set;
  set.game = game.name;
  set.columns = game.players;
  std::set<MoveFeature> known;
  while (set.features.size() < count) {
    MoveFeature feature;
    const int action = game.moves_men ? random.below(4) : 0;
    if (action != 1) feature.to = Walk{};
    if (action == 1) feature.from = Walk{};
    if (action > 1) feature.from = any(short_walks);
    for (int n = random.below(4); n > 0; --n) feature.elements.push_back(any_element());
    auto form = canonical(feature, game.rotations());
    if (!form || !known.insert(*form).second) continue;
    set.features.push_back(*std::move(form));
    for (int c = 0; c < set.columns; ++c) {
      set.weights.push_back(static_cast<float>(random.below(2001) - 1000) / 500);
    }
  }
  return set;
}

}  // namespace pitboss::tests
