#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "engine/evaluator.hpp"
#include "engine/formulas.hpp"
#include "games/game.hpp"

/// The four novelty measures of Novelty in MCTS (Baier, Kaisers). Scores are not scaled by alpha;
/// the selection does that, so that alpha can change while a search runs. All measures follow the
/// authors' program where the paper leaves a choice: N starts at 1, an unseen fact counts 1/2 (a
/// feature value 1/72, 1/65 or 1/11), and both colours share one memory.
namespace pitboss::engine {

/// Slot: how new a position is. Asked once a simulation; what it sees, it remembers.
template <games::Game G>
class NoveltyMeasure {
 public:
  virtual ~NoveltyMeasure() = default;
  /// Forgets everything.
  virtual void reset() = 0;
  /// The novelty of `position` (>= 0), which from now on has been seen. `value` is its value for
  /// the colour that moves at the root.
  [[nodiscard]] virtual double observe(const G& position, double value) = 0;
};

/// Calls `visit(fact)` for every fact of a position: one (point, content) pair for each point of
/// the board, content being empty, black or white.
template <games::Game G, class Visit>
void for_each_fact(const G& position, Visit&& visit) {
  constexpr int bits = G::Board::bits;
  const auto black = position.pieces(games::Colour::black);
  const auto white = position.pieces(games::Colour::white);
  minus(minus(position.points(), black), white).for_each([&](int p) { visit(p); });
  black.for_each([&](int p) { visit(bits + p); });
  white.for_each([&](int p) { visit(2 * bits + p); });
}
template <games::Game G>
inline constexpr int fact_count = 3 * G::Board::bits;

/// Density of a position under the counts so far, before and after it is counted: the product over
/// its facts of count / N. N_C's pseudocount follows from the two.
class DensityStep {
 public:
  explicit DensityStep(double observations)
      : before_(1 / observations), after_(1 / (observations + 1)) {}

  void multiply(double count) {
    rho_after_ *= (count + 1) * after_;
    // The quotient is taken fact by fact: rho itself may be too small for a double, the
    // quotient of the two densities is not.
    growth_ *= (count + 1) * after_ / (count * before_);
  }
  /// 1 / sqrt(pseudocount), with pseudocount = (1 - rho_after) / (rho_after / rho - 1).
  [[nodiscard]] double novelty() const { return std::sqrt((growth_ - 1) / (1 - rho_after_)); }

 private:
  double before_;
  double after_;
  double rho_after_ = 1;
  double growth_ = 1;
};

/// N_C on raw facts.
template <games::Game G>
class PseudocountNovelty final : public NoveltyMeasure<G> {
 public:
  PseudocountNovelty() { reset(); }
  void reset() override {
    counts_.fill(0.5);
    observations_ = 1;
  }
  [[nodiscard]] double observe(const G& position, double) override {
    DensityStep density(observations_);
    for_each_fact(position, [&](int fact) {
      density.multiply(counts_[fact]);
      counts_[fact] += 1;
    });
    observations_ += 1;
    return density.novelty();
  }

 private:
  std::array<double, fact_count<G>> counts_;
  double observations_;
};

/// N_C on evaluation features: one categorical variable each. Finished positions have no features:
/// their novelty is 0 and they are not counted.
template <games::HasFeatures G>
class FeatureNovelty final : public NoveltyMeasure<G> {
 public:
  FeatureNovelty() { reset(); }
  void reset() override {
    for (auto& of_variable : counts_) of_variable.fill(G::feature_prior);
    observations_ = 1;
  }
  [[nodiscard]] double observe(const G& position, double) override {
    if (position.result().finished()) return 0;
    std::array<std::uint16_t, G::feature_count> values;
    position.features(values);
    DensityStep density(observations_);
    for (int variable = 0; variable < G::feature_count; ++variable) {
      double& count = counts_[variable][values[variable]];
      density.multiply(count);
      count += 1;
    }
    observations_ += 1;
    return density.novelty();
  }

 private:
  std::array<std::array<double, G::feature_values>, G::feature_count> counts_;
  double observations_;
};

/// N_E: 1 if the position's value beats the best seen with one of its facts, else 0. The value is
/// the root mover's, at the opponent's nodes too.
template <games::Game G>
class EvaluationNovelty final : public NoveltyMeasure<G> {
 public:
  EvaluationNovelty() { reset(); }
  void reset() override { best_.fill(-std::numeric_limits<double>::infinity()); }
  [[nodiscard]] double observe(const G& position, double value) override {
    bool novel = false;
    for_each_fact(position, [&](int fact) {
      if (value > best_[fact]) {
        best_[fact] = value;
        novel = true;
      }
    });
    return novel ? 1 : 0;
  }

 private:
  std::array<double, fact_count<G>> best_;
};

/// N_T: how many facts have been seen in less than the fraction gamma of all positions, this one
/// included.
template <games::Game G>
class ThresholdNovelty final : public NoveltyMeasure<G> {
 public:
  /// `gamma` is read at every observation, so that it can change while a search runs.
  explicit ThresholdNovelty(const double& gamma) : gamma_(gamma) { reset(); }
  void reset() override {
    counts_.fill(0.5);
    observations_ = 1;
  }
  [[nodiscard]] double observe(const G& position, double) override {
    observations_ += 1;
    int novel = 0;
    for_each_fact(position, [&](int fact) {
      counts_[fact] += 1;
      novel += counts_[fact] / observations_ < gamma_ ? 1 : 0;
    });
    return novel;
  }

 private:
  const double& gamma_;
  std::array<double, fact_count<G>> counts_;
  double observations_;
};

}  // namespace pitboss::engine
