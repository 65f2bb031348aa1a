#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/models.hpp"
#include "engine/options/options.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "engine/policy/features/linear_policy.hpp"
#include "engine/policy/playout_policies.hpp"

namespace pitboss::engine {

/// The features that a search's options name, for one of its threads.
template <games::HasTarget G>
class SearchFeatures {
 public:
  SearchFeatures(std::shared_ptr<FeatureSets> sets, std::string name)
      : sets_(std::move(sets)), name_(std::move(name)) {}

  /// Called in the first slice of a search from `root`, of a game with these parameters, before the
  /// policy is used; may take long. Throws BadOption if the features cannot be used.
  void prepare(const G& root, const std::string& parameters) {
    try {
      auto [features, plan] = sets_->get(name_, feature_game(root), parameters);
      use_ = {features->name, features->sha256};
      policy_.emplace(std::move(plan));
    } catch (const BadFeatures& bad) {
      throw BadOption(bad.what());
    }
  }
  [[nodiscard]] LinearPolicy<G>& policy() { return *policy_; }
  [[nodiscard]] const FeatureUse& use() const { return use_; }

 private:
  std::shared_ptr<FeatureSets> sets_;
  std::string name_;
  std::optional<LinearPolicy<G>> policy_;
  FeatureUse use_;
};

/// Playout policy: draws the first moves of a playout from the linear policy, later ones uniformly
/// (Biasing MCTS with Features for General Games, sec. V: only the first).
template <games::HasTarget G>
class FeaturePolicy {
 public:
  /// `moves`: how many of each playout; 0: all. Both arguments must outlive the policy.
  FeaturePolicy(SearchFeatures<G>& features, const std::int64_t& moves)
      : features_(features), moves_(moves) {}

  void begin(std::span<const Edge> /*path*/) { left_ = moves_; }
  [[nodiscard]] games::Move move(const G& game, games::Random& random) {
    if (moves_ > 0 && --left_ < 0) return games::random_move(game, random);
    return features_.policy().draw(game, random);
  }
  void end(const games::Values<G>& /*results*/) {}

 private:
  SearchFeatures<G>& features_;
  const std::int64_t& moves_;
  std::int64_t left_ = 0;
};

}  // namespace pitboss::engine
