#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "engine/leaf/evaluator.hpp"
#include "engine/options/options.hpp"
#include "games/normal.hpp"
#include "games/position_hash.hpp"

/// Static values with an error: the worse the values, the weaker the search.
namespace pitboss::engine {

/// Adds an error to each of the values, at least two, and cuts the sums to [0, 1]. Each error is
/// normal with mean 0 and the standard deviation `deviation`, and together they are 0: of two
/// players' values one gains what the other loses, cut or not; those of more players, once cut, may
/// no longer sum to 1.
inline void add_errors(std::span<double> values, double deviation, games::Random random) {
  std::array<double, games::most_players> errors{};
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += (errors[i] = games::normal(random)) / n;
  const double scale = deviation * std::sqrt(n / (n - 1));  // what is left has less deviation
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::clamp(values[i] + scale * (errors[i] - mean), 0.0, 1.0);
  }
}

/// Evaluator: the values of another one, with errors of the deviation `evaluation_noise` for
/// unfinished positions. They follow from the option `seed` and from the position
/// (games::position_hash), whichever thread asks, when and how often.
template <games::Game G>
class NoisyEvaluator final : public Evaluator<G> {
 public:
  NoisyEvaluator(std::unique_ptr<Evaluator<G>> exact, const Options& options)
      : exact_(std::move(exact)),
        seed_(games::mix(static_cast<std::uint64_t>(options.seed))),
        deviation_(options.evaluation_noise) {}

  void evaluate(const Trajectory<G>& trajectory, games::Random& random,
                Evaluation<G>& evaluation) override {
    exact_->evaluate(trajectory, random, evaluation);
    const G& leaf = trajectory.leaf;
    if (leaf.result().finished()) return;
    const auto seats = static_cast<std::size_t>(games::seats_of(leaf));
    add_errors(std::span(evaluation.values).first(seats), deviation_,
               games::Random(seed_ ^ games::position_hash(leaf)));
  }

 private:
  std::unique_ptr<Evaluator<G>> exact_;  ///< of static values: these prepare and ask nothing
  std::uint64_t seed_;
  double deviation_;
};

}  // namespace pitboss::engine
