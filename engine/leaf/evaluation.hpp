#pragma once

#include <span>

#include "engine/tree/tree.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// A reward or an estimate of it for every colour, each in [0, 1] unless bonuses are added to it
/// (quality_rewards.hpp).
using games::Values;

/// An evaluator's answer for a leaf.
template <games::Game G>
struct Evaluation {
  Values<G> values{};
  /// The leaf's legal moves' prior probabilities, in the order of G::legal_moves; empty if the
  /// evaluator has none, or the leaf is finished. Valid until the evaluator is asked again.
  std::span<const float> priors{};
};

/// The result of a finished game as values.
template <games::Game G>
[[nodiscard]] Values<G> values_of(games::Result result) {
  Values<G> values;
  for (int c = 0; c < G::players; ++c) values[c] = result.share(static_cast<games::Colour>(c));
  return values;
}

/// A proven win as values.
template <games::Game G>
[[nodiscard]] Values<G> values_of(Proof proof) {
  Values<G> values;
  for (int c = 0; c < G::players; ++c) {
    values[c] = proof == won_by(static_cast<games::Colour>(c)) ? 1 : 0;
  }
  return values;
}

}  // namespace pitboss::engine
