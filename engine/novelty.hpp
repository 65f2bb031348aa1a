#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "engine/fact_passes.hpp"
#include "engine/fact_table.hpp"
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
  /// Forgets everything. The positions that follow will mostly resemble `root`; this matters to
  /// the speed only.
  virtual void reset(const G& root) = 0;
  /// The novelty of `position` (>= 0), which from now on has been seen. `value` is its value for
  /// the colour that moves at the root.
  [[nodiscard]] virtual double observe(const G& position, double value) = 0;
};

/// N_C on raw facts: the density of a position is the product over its facts of count / N.
template <games::Game G>
class PseudocountNovelty final : public NoveltyMeasure<G> {
 public:
  void reset(const G& root) override {
    observations_ = 1;
    counts_.reset(root, 0.5, observations_);
  }
  [[nodiscard]] double observe(const G& position, double) override {
    const double per_n = 1 / observations_;
    const double per_n_next = 1 / (observations_ + 1);
    Densities single{1, 1};
    Densities shared{1, 1};
    // A count of N is a density of 1: it drops out of both products.
    counts_.visit(
        position, observations_,
        [&](double* counts, int n) { shared = multiply_and_count(counts, n, per_n, per_n_next); },
        [&](double& count) {
          single.before *= count * per_n;
          count += 1;
          single.after *= count * per_n_next;
        });
    observations_ += 1;
    return inverse_root_pseudocount(single.before * shared.before, single.after * shared.after);
  }

 private:
  FactTable<G> counts_;
  double observations_ = 1;
};

/// N_C on evaluation features: one categorical variable each. Finished positions have no features:
/// their novelty is 0 and they are not counted.
template <games::HasFeatures G>
class FeatureNovelty final : public NoveltyMeasure<G> {
 public:
  void reset(const G&) override {
    for (auto& of_variable : counts_) of_variable.fill(G::feature_prior);
    observations_ = 1;
  }
  [[nodiscard]] double observe(const G& position, double) override {
    if (position.result().finished()) return 0;
    std::array<std::uint16_t, G::feature_count> values;
    position.features(values);
    const double per_n = 1 / observations_;
    const double per_n_next = 1 / (observations_ + 1);
    double before = 1;
    double after = 1;
    for (int variable = 0; variable < G::feature_count; ++variable) {
      double& count = counts_[variable][values[variable]];
      before *= count * per_n;
      count += 1;
      after *= count * per_n_next;
    }
    observations_ += 1;
    return inverse_root_pseudocount(before, after);
  }

 private:
  std::array<std::array<double, G::feature_values>, G::feature_count> counts_;
  double observations_ = 1;
};

/// N_E: 1 if the position's value beats the best seen with one of its facts, else 0. The value is
/// the root mover's, at the opponent's nodes too.
template <games::Game G>
class EvaluationNovelty final : public NoveltyMeasure<G> {
 public:
  void reset(const G& root) override { best_.reset(root, -infinity, infinity); }
  [[nodiscard]] double observe(const G& position, double value) override {
    bool novel = false;
    best_.visit(
        position, infinity, [&](double* best, int n) { novel |= raise(best, n, value); },
        [&](double& best) {
          novel |= value > best;
          best = std::max(best, value);
        });
    return novel ? 1 : 0;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  FactTable<G> best_;
};

/// N_T: how many facts have been seen in less than the fraction gamma of all positions, this one
/// included.
template <games::Game G>
class ThresholdNovelty final : public NoveltyMeasure<G> {
 public:
  /// `gamma` is read at every observation, so that it can change while a search runs.
  explicit ThresholdNovelty(const double& gamma) : gamma_(gamma) {}
  void reset(const G& root) override {
    counts_.reset(root, 0.5, infinity);
    observations_ = 1;
  }
  [[nodiscard]] double observe(const G& position, double) override {
    observations_ += 1;
    const double cut = threshold_count(gamma_, observations_);
    int novel = 0;
    counts_.visit(
        position, infinity,
        [&](double* counts, int n) { novel += count_and_compare(counts, n, cut); },
        [&](double& count) {
          count += 1;
          novel += count < cut ? 1 : 0;
        });
    return novel;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  const double& gamma_;
  FactTable<G> counts_;
  double observations_ = 1;
};

}  // namespace pitboss::engine
