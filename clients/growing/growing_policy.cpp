#include "clients/growing/growing_policy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pitboss::clients {

namespace {

engine::FeatureMatcher matcher_of(const engine::FeatureSet& set, const engine::FeatureGame& game) {
  return engine::FeatureMatcher(std::make_shared<const engine::FeaturePlan>(set, game));
}

}  // namespace

GrowingPolicy::GrowingPolicy(const engine::FeatureSet& set, const GrowSettings& settings)
    : settings_(settings),
      head_(set),
      instances_(engine::feature_game(set)),
      weights_(static_cast<std::size_t>(set.columns)),
      matcher_(matcher_of(set, instances_.game())) {
  for (std::size_t f = 0; f < set.features.size(); ++f) {
    instances_.add(set.features[f]);
    for (int c = 0; c < set.columns; ++c) {
      weights_[static_cast<std::size_t>(c)].push_back(
          static_cast<double>(set.weight(f, static_cast<games::Colour>(c))));
    }
  }
  head_.features.clear();
  head_.weights.clear();
}

void GrowingPolicy::remember(Sample sample) {
  match(sample, matcher_);
  buffer_.push_back(std::move(sample));
  if (buffer_.size() > static_cast<std::size_t>(settings_.buffer)) buffer_.pop_front();
}

void GrowingPolicy::match_all() {
  matcher_ = matcher_of(set(), instances_.game());
  for (Sample& sample : buffer_) match(sample, matcher_);
}

/// Different positions, in random order.
std::vector<const Sample*> GrowingPolicy::drawn(int count, games::Random& random) const {
  std::vector<const Sample*> all;
  for (const Sample& sample : buffer_) all.push_back(&sample);
  const auto n = std::min(all.size(), static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < n; ++i) {
    const auto other = random.below(static_cast<int>(all.size() - i));
    std::swap(all[i], all[i + static_cast<std::size_t>(other)]);
  }
  all.resize(n);
  return all;
}

void GrowingPolicy::learn(games::Random& random) {
  const auto batch = drawn(settings_.batch, random);
  if (batch.empty()) return;
  std::vector<std::vector<double>> gradients(weights_.size());
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    for (const double weight : weights_[c]) gradients[c].push_back(2 * settings_.lambda * weight);
  }
  std::vector<double> sum(instances_.features().size());
  for (const Sample* const sample : batch) {
    std::ranges::fill(sum, 0.);
    add_gradient(*sample, column(sample->mover), sum);
    auto& gradient = gradients[settings_.by_colour ? static_cast<std::size_t>(sample->mover) : 0];
    for (std::size_t f = 0; f < sum.size(); ++f) {
      gradient[f] += sum[f] / static_cast<double>(batch.size());
    }
  }
  for (std::size_t c = 0; c < weights_.size(); ++c) {
    for (std::size_t f = 0; f < sum.size(); ++f) {
      // Rounded as in a file, so that a run that goes on from files gets the same weights.
      const double weight = weights_[c][f] - settings_.step * gradients[c][f];
      weights_[c][f] = static_cast<double>(static_cast<float>(weight));
    }
  }
}

const engine::MoveFeature* GrowingPolicy::grow(games::Random& random) {
  if (instances_.features().size() == engine::most_features) return nullptr;
  std::vector<Weighed> batch;
  for (const Sample* const sample : drawn(settings_.discovery_batch, random)) {
    batch.push_back({sample, column(sample->mover)});
  }
  auto feature = discover(strategy_of(settings_), batch, instances_, random);
  if (!feature) return nullptr;
  instances_.add(*std::move(feature));
  for (auto& weights : weights_) weights.push_back(0);
  match_all();
  return &instances_.features().back();
}

void GrowingPolicy::prune(std::size_t keep) {
  const auto heaviness = [&](std::size_t f) {
    double most = 0;
    for (const auto& weights : weights_) most = std::max(most, std::abs(weights[f]));
    return most;
  };
  std::vector<std::size_t> kept(instances_.features().size());
  std::iota(kept.begin(), kept.end(), 0);
  std::ranges::stable_sort(kept, std::greater{}, heaviness);
  kept.resize(std::min(kept.size(), keep));
  std::ranges::sort(kept);
  Instances fewer(instances_.game());
  std::vector<std::vector<double>> weights(weights_.size());
  for (const std::size_t f : kept) {
    fewer.add(instances_.features()[f]);
    for (std::size_t c = 0; c < weights.size(); ++c) weights[c].push_back(weights_[c][f]);
  }
  instances_ = std::move(fewer);
  weights_ = std::move(weights);
  match_all();
}

double GrowingPolicy::loss() const {
  double sum = 0;
  for (const Sample& sample : buffer_) sum += loss_of(sample, column(sample.mover), 0);
  return buffer_.empty() ? 0 : sum / static_cast<double>(buffer_.size());
}

engine::FeatureSet GrowingPolicy::set() const {
  engine::FeatureSet result = head_;
  result.features = instances_.features();
  for (std::size_t f = 0; f < result.features.size(); ++f) {
    for (const auto& weights : weights_) result.weights.push_back(static_cast<float>(weights[f]));
  }
  return result;
}

std::shared_ptr<const engine::FeaturePlan> GrowingPolicy::plan() const {
  auto plan = std::make_shared<engine::FeaturePlan>(matcher_.plan());
  plan->set_weights(set());
  return plan;
}

}  // namespace pitboss::clients
