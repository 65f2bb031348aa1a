#pragma once

#include "engine/leaf/evaluator.hpp"

/// What the tests of evaluators share.
namespace pitboss::tests {

/// The values of a position that is the root of its search.
template <games::Game G>
games::Values<G> values_by(engine::Evaluator<G>& evaluator, const G& position,
                           games::Random& random) {
  engine::Evaluation<G> evaluation;
  evaluator.evaluate(engine::Trajectory<G>(position), random, evaluation);
  return evaluation.values;
}

}  // namespace pitboss::tests
