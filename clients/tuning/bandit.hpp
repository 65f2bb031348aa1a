#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/formulas.hpp"
#include "games/random.hpp"

namespace pitboss::clients {

/// A value, or combination of values, with the scores that it had. It begins with one sample of
/// 1/2, which stays in the mean (the NoveltyMCTS authors' tuner).
struct Arm {
  double sum = 0.5;
  double squares = 0.25;
  int samples = 1;

  /// A sample is begun: until its score is known it counts as a score of 0 (virtual loss).
  void begin() { ++samples; }
  /// The score of a sample that was begun.
  void learn(double score) {
    sum += score;
    squares += score * score;
  }
  [[nodiscard]] double mean() const { return sum / samples; }
  /// UCB1-Tuned's bound with the factor C on the exploration term, for n samples of all arms.
  [[nodiscard]] double bound(double factor, double n) const {
    return mean() +
           engine::ucb1_tuned_bonus(factor, n, samples, squares / samples - mean() * mean());
  }
};

/// UCB1-Tuned over arms 0 .. size-1, of which only those that have been tried are held: an arm that
/// has not has the bound of its one sample of 1/2.
class Bandit {
 public:
  /// `n` counts all samples; it begins at `n`.
  Bandit(std::int64_t size, double factor, std::int64_t n) : size_(size), factor_(factor), n_(n) {}

  /// A random arm that has not been tried, if there is one and its bound is not below all others';
  /// else an arm with the highest bound, at random among equals.
  [[nodiscard]] std::int64_t choose(games::Random& random) const;
  void begin(std::int64_t arm) {
    arms_[arm].begin();
    ++n_;
  }
  void learn(std::int64_t arm, double score) { arms_[arm].learn(score); }

  [[nodiscard]] bool has_untried() const { return std::ssize(arms_) < size_; }
  [[nodiscard]] std::int64_t random_untried(games::Random& random) const;
  /// The arms that have been tried.
  [[nodiscard]] const std::map<std::int64_t, Arm>& arms() const { return arms_; }
  [[nodiscard]] double mean(std::int64_t arm) const {
    const auto found = arms_.find(arm);
    return found == arms_.end() ? Arm{}.mean() : found->second.mean();
  }
  /// The bound of an arm, tried or not.
  [[nodiscard]] double bound(std::int64_t arm) const {
    const auto found = arms_.find(arm);
    return (found == arms_.end() ? Arm{} : found->second).bound(factor_, static_cast<double>(n_));
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> best() const;

  std::int64_t size_;
  double factor_;
  std::int64_t n_;
  std::map<std::int64_t, Arm> arms_;
};

}  // namespace pitboss::clients
