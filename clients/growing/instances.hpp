#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "clients/growing/samples.hpp"
#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"

namespace pitboss::clients {

/// One placement of a feature on the board. Two instances that match the same move can become one
/// feature (sec. III-D).
struct Instance {
  std::uint32_t feature;
  std::uint32_t form;  ///< among the feature's forms
  friend auto operator<=>(const Instance&, const Instance&) = default;
};

/// The features of a policy that grows, with their instances.
class Instances {
 public:
  explicit Instances(engine::FeatureGame game) : game_(std::move(game)) {}

  // Not copied: `candidates_` points to the keys of `numbers_`.
  Instances(const Instances&) = delete;
  Instances& operator=(const Instances&) = delete;
  Instances(Instances&&) = default;
  Instances& operator=(Instances&&) = default;
  ~Instances() = default;

  [[nodiscard]] const engine::FeatureGame& game() const { return game_; }
  [[nodiscard]] const std::vector<engine::MoveFeature>& features() const { return features_; }
  [[nodiscard]] bool has(const engine::MoveFeature& feature) const {
    return known_.contains(feature);
  }
  /// Adds a canonical feature that is not there yet.
  void add(engine::MoveFeature feature);

  /// The instances of the move's active features, all of which match the move.
  [[nodiscard]] std::vector<Instance> matching(const Sample& sample, std::size_t move) const;
  /// The number of a new feature that has the elements of both instances, which match `move`;
  /// nothing if that feature is known or too large. Equal features have equal numbers.
  [[nodiscard]] std::optional<std::uint32_t> merged(const Instance& one, const Instance& other,
                                                    const engine::MovePoints& move);
  [[nodiscard]] const engine::MoveFeature& candidate(std::uint32_t number) const {
    return *candidates_[number];
  }
  /// Forgets all candidates and frees their memory; numbers begin at 0 again.
  void forget_candidates();

 private:
  [[nodiscard]] const engine::MoveFeature& form(const Instance& i) const {
    return forms_[i.feature][i.form];
  }
  [[nodiscard]] std::optional<engine::MoveFeature> merge(const Instance& one, const Instance& other,
                                                         const engine::MovePoints& move) const;

  engine::FeatureGame game_;
  std::vector<engine::MoveFeature> features_;
  std::set<engine::MoveFeature> known_;
  std::vector<std::vector<engine::MoveFeature>> forms_;
  std::map<engine::MoveFeature, std::uint32_t> numbers_;  ///< of candidates
  std::vector<const engine::MoveFeature*> candidates_;
  /// Results of `merged`: by both instances and, where anchors differ, by target and origin.
  std::map<std::tuple<Instance, Instance, int, int>, std::optional<std::uint32_t>> merged_;
};

}  // namespace pitboss::clients
