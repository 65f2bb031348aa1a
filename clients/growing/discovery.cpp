#include "clients/growing/discovery.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pitboss::clients {

namespace {

using engine::MoveFeature;

/// A move of a position of the batch.
struct Case {
  const Weighed* position;
  std::size_t move;
  double error;  ///< probability less target

  [[nodiscard]] const engine::MovePoints& points() const { return position->sample->moves[move]; }
  [[nodiscard]] double heaviness(const Instance& instance) const {
    return std::abs(position->weights[instance.feature]);
  }
};

std::vector<Case> cases_of(std::span<const Weighed> batch) {
  std::vector<Case> cases;
  for (const Weighed& position : batch) {
    const auto all = probabilities(*position.sample, position.weights);
    for (std::size_t i = 0; i < all.size(); ++i) {
      cases.push_back({&position, i, all[i] - static_cast<double>(position.sample->target[i])});
    }
  }
  return cases;
}

/// The instances that match the case, the heaviest first.
std::vector<Instance> instances_of(const Case& c, const Instances& instances) {
  auto all = instances.matching(*c.position->sample, c.move);
  std::ranges::stable_sort(all, std::greater{}, [&](const Instance& i) { return c.heaviness(i); });
  if (all.size() > most_instances) all.resize(most_instances);
  return all;
}

/// The new features that `first` makes with any other instance.
std::vector<std::uint32_t> candidates_with(const Instance& first, const std::vector<Instance>& all,
                                           const Case& c, Instances& instances) {
  std::vector<std::uint32_t> candidates;
  for (const Instance& other : all) {
    if (other == first) continue;
    if (const auto number = instances.merged(first, other, c.points())) {
      candidates.push_back(*number);
    }
  }
  return candidates;
}

/// A new feature from the first case, in the order of `cases`, that yields one.
std::optional<MoveFeature> combine(const std::vector<Case>& cases, bool heaviest_first,
                                   Instances& instances, games::Random& random) {
  for (const Case& c : cases) {
    auto firsts = instances_of(c, instances);
    const std::vector<Instance> all = firsts;
    // A random order makes all pairs equally likely, except those that make nothing new.
    for (std::size_t i = firsts.size(); !heaviest_first && i > 1; --i) {
      std::swap(firsts[i - 1], firsts[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    }
    for (const Instance& first : firsts) {
      const auto candidates = candidates_with(first, all, c, instances);
      if (!candidates.empty())
        return instances.candidate(games::random_element(candidates, random));
    }
  }
  return std::nullopt;
}

/// What is known of a candidate: the counts of the cases where it matches, and the first pair of
/// features that made it.
struct Pair {
  double both = 0;
  double error = 0;
  std::size_t last_case = 0;  ///< the last case in which it was counted, from 1
  std::uint32_t one = 0;
  std::uint32_t other = 0;
};

/// The counts for eq. 7 over a batch.
class PairTable {
 public:
  PairTable(std::size_t cases, std::size_t features)
      : active_(features), sums_{static_cast<double>(cases), 0, 0, 0, 0, 0, 0} {}

  void add(const Case& c, Instances& instances) {
    ++cases_;
    sums_.error += c.error;
    sums_.squares += c.error * c.error;
    for (const std::uint32_t feature : c.position->sample->active[c.move]) ++active_[feature];
    const auto all = instances_of(c, instances);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        const auto number = instances.merged(all[i], all[j], c.points());
        if (number) count(*number, all[i].feature, all[j].feature, c.error);
      }
    }
  }
  /// The scores of all counted candidates, by number; nothing for one without a score.
  [[nodiscard]] std::vector<std::optional<double>> scores() const {
    std::vector<std::optional<double>> all;
    for (const Pair& pair : pairs_) {
      PairCounts counts = sums_;
      counts.both = pair.both;
      counts.one = active_[pair.one];
      counts.other = active_[pair.other];
      counts.error_of_both = pair.error;
      all.push_back(pair.both == 0 ? std::nullopt : correlation_score(counts));
    }
    return all;
  }

 private:
  void count(std::uint32_t number, std::uint32_t one, std::uint32_t other, double error) {
    if (number >= pairs_.size()) pairs_.resize(number + 1);
    Pair& pair = pairs_[number];
    if (pair.last_case == cases_) return;
    if (pair.both == 0) {
      pair.one = one;
      pair.other = other;
    }
    pair.last_case = cases_;
    ++pair.both;
    pair.error += error;
  }

  std::vector<double> active_;  ///< by feature: the cases in which it is active
  std::vector<Pair> pairs_;     ///< by candidate
  PairCounts sums_;
  std::size_t cases_ = 0;
};

std::optional<MoveFeature> by_correlation(const std::vector<Case>& cases, Instances& instances) {
  PairTable table(cases.size(), instances.features().size());
  for (const Case& c : cases) table.add(c, instances);
  const MoveFeature* best = nullptr;
  double best_score = 0;
  const auto scores = table.scores();
  for (std::uint32_t number = 0; number < scores.size(); ++number) {
    const double score = scores[number].value_or(0);
    if (score == 0 || score < best_score) continue;
    // Ties are broken by the features, as numbers differ in a run that goes on from files.
    const MoveFeature& candidate = instances.candidate(number);
    if (score > best_score || candidate < *best) {
      best_score = score;
      best = &candidate;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace

std::optional<double> correlation_score(const PairCounts& c) {
  const auto spread = [&](double count) { return std::sqrt(count * (c.n - count)); };
  const double of_both = spread(c.both);
  const double of_errors = std::sqrt(std::max(0., c.n * c.squares - c.error * c.error));
  const double of_one = spread(c.one);
  const double of_other = spread(c.other);
  if (of_both == 0 || of_errors == 0 || of_one == 0 || of_other == 0) return std::nullopt;
  const double with_error = (c.n * c.error_of_both - c.both * c.error) / (of_both * of_errors);
  const double with_one = c.both * (c.n - c.one) / (of_both * of_one);
  const double with_other = c.both * (c.n - c.other) / (of_both * of_other);
  const double with_either = std::max(std::abs(with_one), std::abs(with_other));
  constexpr double rounding = 1e-12;  // for a pair that is always active with one of the two
  return with_either > 1 - rounding ? 0 : std::abs(with_error) * (1 - with_either);
}

std::optional<MoveFeature> discover(Strategy strategy, std::span<const Weighed> batch,
                                    Instances& instances, games::Random& random) {
  instances.forget_candidates();
  std::vector<Case> cases = cases_of(batch);
  if (strategy == Strategy::correlation) return by_correlation(cases, instances);
  if (strategy == Strategy::random) {
    for (std::size_t i = cases.size(); i > 1; --i) {
      std::swap(cases[i - 1], cases[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    }
  } else {
    std::ranges::stable_sort(cases, std::greater{},
                             [](const Case& c) { return std::abs(c.error); });
  }
  return combine(cases, strategy == Strategy::combine_max, instances, random);
}

}  // namespace pitboss::clients
