#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/policy/features/feature_match.hpp"
#include "engine/policy/features/feature_plan.hpp"

namespace pitboss::engine {

/// Matches a plan's features with positions of any game. One thread at a time; the plan is shared.
class FeatureMatcher {
 public:
  explicit FeatureMatcher(std::shared_ptr<const FeaturePlan> plan) : plan_(std::move(plan)) {}

  [[nodiscard]] const FeaturePlan& plan() const { return *plan_; }

  /// Takes a position: `pieces` are the words of the sets of points of each kind of piece.
  void see(std::span<const std::uint64_t> pieces, int mover);
  /// The sum of the weights of the move's active features in the position seen last; 0 for a move
  /// without a target.
  [[nodiscard]] float logit(const MovePoints& move) {
    float logit = 0;
    for_each_part(move, [&](std::size_t part, int point) {
      logit += sums_of(part)[static_cast<std::size_t>(point)];
    });
    return logit;
  }
  /// Appends the active features of the move to `features`, in no order.
  void add_active(const MovePoints& move, std::vector<std::uint32_t>& features);

 private:
  /// Calls `visit(part, point)` for each part with features for the move.
  template <class Visit>
  void for_each_part(const MovePoints& move, Visit&& visit) const {
    using Key = FeaturePlan::Part::Key;
    const auto visit_part = [&](int part, int point) {
      if (part >= 0) visit(static_cast<std::size_t>(part), point);
    };
    if (move.to < 0) return;
    visit_part(plan_->part(Key::target), move.to);
    if (move.from < 0) return;
    visit_part(plan_->part(Key::origin), move.from);
    visit_part(plan_->part(Key::both, move.from - move.to), move.to);
  }
  [[nodiscard]] const std::vector<float>& sums_of(std::size_t part) {
    if (!is_summed_[part]) sum(part);
    return sums_[part];
  }
  void sum(std::size_t part);

  std::shared_ptr<const FeaturePlan> plan_;
  int column_ = 0;
  std::vector<std::uint64_t> planes_;
  std::vector<std::uint64_t> shifted_;
  std::vector<std::uint8_t> is_summed_;
  std::vector<std::vector<float>> sums_;            ///< by part and point
  std::vector<std::vector<std::uint64_t>> active_;  ///< by part; empty: not matched yet
};

}  // namespace pitboss::engine
