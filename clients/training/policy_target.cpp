#include "clients/training/policy_target.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "clients/training/root_rules.hpp"

namespace pitboss::clients {

std::vector<double> without_forced(std::span<const engine::RootMove> moves, double k,
                                   PuctRule rule) {
  const std::int64_t visits = visits_of(moves);
  const auto samples =
      static_cast<double>(visits + rule.virtual_samples * static_cast<std::int64_t>(moves.size()));
  const auto weight_of = [&](const engine::RootMove& move) {
    return rule.c * std::sqrt(samples) * move.prior;
  };
  const engine::RootMove& best = *std::ranges::max_element(moves, {}, &engine::RootMove::visits);
  const double best_score =
      best.value + weight_of(best) / static_cast<double>(1 + best.visits + rule.virtual_samples);
  std::vector<double> kept;
  for (const engine::RootMove& move : moves) {
    const auto all = static_cast<double>(move.visits);
    const double gap = best_score - move.value;
    if (&move == &best || gap <= 0) {
      kept.push_back(all);
      continue;
    }
    // With more visits than this the score is below the best one's.
    const double bound = weight_of(move) / gap - 1 - rule.virtual_samples;
    const double unforced = all - std::floor(forced_visits(k, move.prior, visits));
    const double left = std::min(all, std::max({0.0, unforced, std::floor(bound) + 1}));
    kept.push_back(left <= 1 ? 0 : left);
  }
  return kept;
}

std::vector<double> improved_policy(std::span<const engine::RootMove> moves, double network_value,
                                    double scale) {
  double prior = 0;
  double value = 0;
  std::int64_t most = 0;
  for (const engine::RootMove& move : moves) {
    if (move.visits == 0) continue;
    prior += move.prior;
    value += move.prior * move.value;
    most = std::max(most, move.visits);
  }
  const auto visits = static_cast<double>(visits_of(moves));
  const double mean = prior > 0 ? value / prior : network_value;
  const double of_untried = (network_value + visits * mean) / (1 + visits);
  std::vector<double> policy;
  for (const engine::RootMove& move : moves) {
    const double completed = move.visits > 0 ? move.value : of_untried;
    policy.push_back(prior_logit(move.prior) + value_logit(scale, most, completed));
  }
  const double largest = std::ranges::max(policy);
  double sum = 0;
  for (double& p : policy) sum += p = std::exp(p - largest);
  for (double& p : policy) p /= sum;
  return policy;
}

double divergence(std::span<const double> target, std::span<const double> policy) {
  double sum = 0;
  for (const double weight : target) sum += weight;
  double nats = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i] <= 0) continue;
    const double share = target[i] / sum;
    nats += share * (std::log(share) - prior_logit(policy[i]));
  }
  return std::max(nats, 0.0);
}

std::vector<double> surprise_weights(std::span<const double> weights,
                                     std::span<const double> surprises, double share) {
  double all = 0;
  double surprise = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    all += weights[i];
    surprise += weights[i] * surprises[i];
  }
  std::vector<double> result(weights.begin(), weights.end());
  if (surprise <= 0) return result;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    result[i] *= 1 - share + share * all * surprises[i] / surprise;
  }
  return result;
}

}  // namespace pitboss::clients
