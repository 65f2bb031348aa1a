#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <limits>
#include <utility>

#include "engine/formulas.hpp"
#include "engine/novelty/fact_table.hpp"
#include "games/game.hpp"

/// The novelty measures of Novelty in MCTS (Baier, Kaisers). Scores are not scaled by alpha;
/// selection scales them, so that alpha can change during a search. Where the paper leaves a
/// choice, all measures follow the authors' program: N starts at 1, an unseen fact counts 1/2 (a
/// feature value the game's `feature_prior`), and both colours share one memory.
namespace pitboss::engine {

/// Slot: tells how new a position is, and remembers every position. Asked once a simulation. One
/// thread at a time.
template <games::Game G>
class NoveltyMeasure {
 public:
  virtual ~NoveltyMeasure() = default;
  /// Forgets all positions. Later positions must be of the game of `root`.
  virtual void reset(const G& root) = 0;
  /// The novelty of `position` (>= 0), which then counts as seen. `value` is the position's value
  /// for the colour to move at the root; only the N_E measures read it.
  [[nodiscard]] virtual double observe(const G& position, double value) = 0;
  /// For searches by several threads, each with its own measure: adds to `common` what this measure
  /// has seen since its last exchange or reset, and takes over what others have added. Then both
  /// hold everything exchanged since `common` was reset. `common` must be of the same type and have
  /// been reset with the same root.
  virtual void exchange(NoveltyMeasure& common) = 0;
};

/// N_C on raw facts: the density of a position is the product over its facts of count / N.
template <games::Game G>
class PseudocountNovelty final : public NoveltyMeasure<G> {
 public:
  void reset(const G& root) override { counts_.reset(root); }
  [[nodiscard]] double observe(const G& position, double) override {
    return counts_.count_and_score(position);
  }
  void exchange(NoveltyMeasure<G>& common) override {
    counts_.exchange(static_cast<PseudocountNovelty&>(common).counts_);
  }

 private:
  FactCounts<G> counts_;
};

/// The features of the positions that a measure observes. Finished positions have none: their
/// novelty is 0 and they are not counted.
template <games::HasFeatures G>
class ObservedFeatures {
 public:
  /// `judged` is null, or holds the features of each observed unfinished position, as its
  /// evaluation left them (FeatureEvaluator); it must outlive this.
  explicit ObservedFeatures(const typename G::Features* judged) : judged_(judged) {
    assert(games::HasFeatureValue<G> || judged == nullptr);
  }

  /// The novelty that `score` gives to an unfinished position; it is called with a function that
  /// tells the value of variable i.
  template <class Score>
  [[nodiscard]] double novelty_of(const G& position, Score&& score) const {
    if (position.result().finished()) return 0;
    if constexpr (games::HasFeatureValue<G>) {
      if (judged_ != nullptr) return score([&](int i) { return (*judged_)[i]; });
    }
    if constexpr (games::HasSingleFeatures<G>) {
      return score([&](int i) { return position.feature(i); });
    } else {
      typename G::Features values;
      position.features(values);
      return score([&](int i) { return values[i]; });
    }
  }

 private:
  const typename G::Features* judged_;
};

/// In how many positions each feature has had each value; none counts as G::feature_prior.
template <games::HasFeatures G>
class FeatureCounts {
 public:
  void reset() {
    for (auto& of_variable : counts_) of_variable.fill(G::feature_prior);
    n_ = 1;
    value_bits_ = 0;
    exchanged_ = false;
  }
  /// N: the number of positions counted, plus 1.
  [[nodiscard]] double n() const { return n_; }
  /// Counts a position, of whose variables `of` then has to be raised by 1 each.
  void add_position() { n_ += 1; }
  [[nodiscard]] double& of(int variable, std::uint16_t value) {
    if constexpr (notes_values) value_bits_ |= value;
    return counts_[variable][value];
  }
  /// As NoveltyMeasure::exchange.
  void exchange(FeatureCounts& common) {
    if (!exchanged_) {
      for (auto& of_variable : last_counts_) of_variable.fill(G::feature_prior);
      last_n_ = 1;
      exchanged_ = true;
    }
    value_bits_ = common.value_bits_ |= value_bits_;
    const int values = notes_values ? std::min(1 << std::bit_width(value_bits_), G::feature_values)
                                    : G::feature_values;
    common.n_ += n_ - last_n_;
    n_ = last_n_ = common.n_;
    for (int variable = 0; variable < G::feature_count; ++variable) {
      for (int value = 0; value < values; ++value) {
        const double count = counts_[variable][value] - last_counts_[variable][value];
        counts_[variable][value] = last_counts_[variable][value] =
            common.counts_[variable][value] += count;
      }
    }
  }

 private:
  /// Whether an exchange covers only values up to the highest one seen.
  static constexpr bool notes_values = G::feature_values > 32;
  using Counts = std::array<std::array<double, G::feature_values>, G::feature_count>;

  Counts counts_;
  double n_ = 1;
  std::uint32_t value_bits_ = 0;  ///< bits set in any value counted
  bool exchanged_ = false;
  Counts last_counts_;  ///< at the last exchange, as is last_n_
  double last_n_;
};

/// N_C on evaluation features, each a categorical variable.
template <games::HasFeatures G>
class FeaturePseudocountNovelty final : public NoveltyMeasure<G> {
 public:
  explicit FeaturePseudocountNovelty(const typename G::Features* judged) : features_(judged) {}

  void reset(const G&) override {
    counts_.reset();
    set_scale();
  }
  [[nodiscard]] double observe(const G& position, double) override {
    return features_.novelty_of(position, [&](auto&& value_of) { return score(value_of); });
  }
  void exchange(NoveltyMeasure<G>& common) override {
    auto& all = static_cast<FeaturePseudocountNovelty&>(common);
    counts_.exchange(all.counts_);
    all.set_scale();
    set_scale();
  }

 private:
  // Counts, at most 4e9 each, are multiplied without scaling. Since each multiplication waits for
  // the one before, there are four products side by side: two for black's half of the features, two
  // for white's.
  static constexpr int half = G::feature_count / 2;
  static_assert(G::feature_count % 2 == 0 && G::feature_count < 32);
  /// The densities after and before the position is counted, side by side: storing the first
  /// element alone is cheaper than storing the second.
  using Densities [[gnu::vector_size(2 * sizeof(double))]] = double;

  template <class ValueOf>
  [[nodiscard]] double score(ValueOf&& value_of) {
    const double scale = scale_;
    counts_.add_position();
    set_scale();
    Densities black[2] = {{1, 1}, {1, 1}};
    Densities white[2] = {{1, 1}, {1, 1}};
    const auto count_all = [&]<int... I>(std::integer_sequence<int, I...>) {
      ((count(I, value_of(I), black[I % 2]), count(half + I, value_of(half + I), white[I % 2])),
       ...);
    };
    count_all(std::make_integer_sequence<int, half>());
    const Densities all = (black[0] * black[1]) * (white[0] * white[1]) * Densities{scale_, scale};
    return inverse_root_pseudocount(all[1], all[0]);
  }
  void set_scale() { scale_ = power<G::feature_count>(1 / counts_.n()); }
  void count(int variable, std::uint16_t value, Densities& product) {
    double& seen = counts_.of(variable, value);
    const Densities both = Densities{seen, seen} + Densities{1, 0};
    seen = both[0];
    product = multiplied(product, both);
  }
  /// x y, computed at once: GCC would delay the product until all factors are known, and keep them
  /// in memory.
  [[nodiscard]] static Densities multiplied(Densities x, Densities y) {
#if defined(__has_builtin) && __has_builtin(__builtin_assoc_barrier)
    return __builtin_assoc_barrier(x * y);
#else
    return x * y;
#endif
  }

  ObservedFeatures<G> features_;
  FeatureCounts<G> counts_;
  double scale_ = 1;  ///< N to the power of minus the number of features
};

/// N_E on evaluation features: 1 if the position's value beats the best value seen with one of its
/// features' values, else 0.
template <games::HasFeatures G>
class FeatureEvaluationNovelty final : public NoveltyMeasure<G> {
 public:
  explicit FeatureEvaluationNovelty(const typename G::Features* judged) : features_(judged) {}

  void reset(const G&) override {
    for (auto& of_variable : best_) of_variable.fill(-std::numeric_limits<double>::infinity());
  }
  [[nodiscard]] double observe(const G& position, double value) override {
    return features_.novelty_of(position, [&](auto&& value_of) {
      bool is_better = false;
      for (int i = 0; i < G::feature_count; ++i) {
        double& best = best_[i][value_of(i)];
        is_better |= value > best;
        best = std::max(best, value);
      }
      return is_better ? 1.0 : 0.0;
    });
  }
  void exchange(NoveltyMeasure<G>& common) override {
    auto& all = static_cast<FeatureEvaluationNovelty&>(common).best_;
    for (int i = 0; i < G::feature_count; ++i) {
      for (int value = 0; value < G::feature_values; ++value) {
        best_[i][value] = all[i][value] = std::max(all[i][value], best_[i][value]);
      }
    }
  }

 private:
  ObservedFeatures<G> features_;
  std::array<std::array<double, G::feature_values>, G::feature_count> best_;
};

/// N_T on evaluation features: how many of them have a value that they have had in less than the
/// fraction gamma of all positions, including this one.
template <games::HasFeatures G>
class FeatureThresholdNovelty final : public NoveltyMeasure<G> {
 public:
  /// `gamma`, in [0, 1], is read at every observation, so that it can change during a search.
  FeatureThresholdNovelty(const double& gamma, const typename G::Features* judged)
      : gamma_(gamma), features_(judged) {}

  void reset(const G&) override { counts_.reset(); }
  [[nodiscard]] double observe(const G& position, double) override {
    return features_.novelty_of(position, [&](auto&& value_of) {
      counts_.add_position();
      int novel = 0;
      for (int i = 0; i < G::feature_count; ++i) {
        const double seen = counts_.of(i, value_of(i)) += 1;
        novel += seen / counts_.n() < gamma_ ? 1 : 0;
      }
      return static_cast<double>(novel);
    });
  }
  void exchange(NoveltyMeasure<G>& common) override {
    counts_.exchange(static_cast<FeatureThresholdNovelty&>(common).counts_);
  }

 private:
  const double& gamma_;
  ObservedFeatures<G> features_;
  FeatureCounts<G> counts_;
};

/// N_E: 1 if the position's value beats the best value seen with one of its facts, else 0. The
/// value is always the root mover's, rounded to single precision: a value that exceeds the best by
/// a factor of at most 1 + 6e-8 may count as equal.
template <games::Game G>
class EvaluationNovelty final : public NoveltyMeasure<G> {
 public:
  void reset(const G& root) override { best_.reset(root); }
  [[nodiscard]] double observe(const G& position, double value) override {
    return best_.raise(position, value) ? 1 : 0;
  }
  void exchange(NoveltyMeasure<G>& common) override {
    best_.exchange(static_cast<EvaluationNovelty&>(common).best_);
  }

 private:
  FactBest<G> best_;
};

/// N_T: how many facts have been seen in less than the fraction gamma of all positions, including
/// this one.
template <games::Game G>
class ThresholdNovelty final : public NoveltyMeasure<G> {
 public:
  /// `gamma`, in [0, 1], is read at every observation, so that it can change during a search.
  explicit ThresholdNovelty(const double& gamma) : gamma_(gamma) {}
  void reset(const G& root) override {
    counts_.reset(root);
    bound_ = 0;
  }
  [[nodiscard]] double observe(const G& position, double) override {
    const double n = counts_.n() + 1;
    if (gamma_ != gamma_of_bound_) {
      gamma_of_bound_ = gamma_;
      bound_ = threshold_count(gamma_of_bound_, n);
    }
    while ((bound_ + 0.5) / n < gamma_of_bound_) bound_ += 1;  // the bound grows with N
    return counts_.count_and_compare(position, static_cast<std::uint32_t>(bound_));
  }
  void exchange(NoveltyMeasure<G>& common) override {
    counts_.exchange(static_cast<ThresholdNovelty&>(common).counts_);
  }

 private:
  const double& gamma_;
  double gamma_of_bound_ = 0;
  double bound_ = 0;  ///< threshold_count at the last observation
  FactCounts<G> counts_;
};

}  // namespace pitboss::engine
