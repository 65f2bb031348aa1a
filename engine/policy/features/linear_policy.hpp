#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/policy/features/feature_match.hpp"
#include "engine/policy/features/feature_plan.hpp"
#include "games/halves.hpp"
#include "games/random.hpp"
#include "games/target.hpp"

namespace pitboss::engine {

/// The points of a move of G. Features know whole moves: the second half of one has no points.
template <games::HasTarget G>
[[nodiscard]] MovePoints points_of(const G& game, games::Move move) {
  if (games::is_between(game)) return {};
  return {static_cast<std::int16_t>(game.target(move)),
          static_cast<std::int16_t>(games::origin_of(game, move))};
}

/// Softmax over the legal moves of a position: the logit of a move is the sum of the weights of its
/// active features (Biasing MCTS with Features for General Games, eqs. 1 and 2); a move without a
/// target has the logit 0. One thread at a time; the plan is shared.
template <games::HasTarget G>
class LinearPolicy {
 public:
  explicit LinearPolicy(std::shared_ptr<const FeaturePlan> plan) : plan_(std::move(plan)) {}

  [[nodiscard]] const FeaturePlan& plan() const { return *plan_; }

  /// In the order of `moves`, legal ones; valid until the next call.
  [[nodiscard]] std::span<const float> logits(const G& game, std::span<const games::Move> moves) {
    const int mover = index(game.to_move());
    see(game, mover);
    const int column = plan_->parts.empty() || plan_->parts[0].weights.size() == 1 ? 0 : mover;
    summed_.assign(plan_->parts.size(), false);
    sums_.resize(plan_->parts.size());
    logits_.clear();
    for (const games::Move move : moves) {
      const MovePoints points = points_of(game, move);
      float logit = 0;
      for_each_part(points, [&](int part, int point) {
        if (!summed_[part]) {
          sum_part(*plan_, plan_->parts[part], column, shifted_, sums_[part]);
          summed_[part] = true;
        }
        logit += sums_[part][static_cast<std::size_t>(point)];
      });
      logits_.push_back(logit);
    }
    return logits_;
  }

  /// The probabilities of the moves; valid until the next call.
  [[nodiscard]] std::span<const float> probabilities(const G& game,
                                                     std::span<const games::Move> moves) {
    static_cast<void>(logits(game, moves));
    const float largest = *std::ranges::max_element(logits_);
    float sum = 0;
    for (float& logit : logits_) sum += logit = std::exp(logit - largest);
    for (float& probability : logits_) probability /= sum;
    return logits_;
  }

  /// A move drawn with these probabilities; the position must not be finished.
  [[nodiscard]] games::Move draw(const G& game, games::Random& random) {
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    const auto all = probabilities(game, {moves.begin(), moves.end()});
    constexpr int steps = 1 << 30;
    auto rest = static_cast<float>(random.below(steps)) / steps;
    int i = 0;
    for (; i + 1 < moves.size() && rest >= all[i]; ++i) rest -= all[i];
    return moves[i];
  }

  /// For each move the features that are active, ascending.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> active(const G& game,
                                                               std::span<const games::Move> moves) {
    see(game, index(game.to_move()));
    std::vector<std::vector<std::uint64_t>> matched(plan_->parts.size());
    std::vector<std::vector<std::uint32_t>> all;
    for (const games::Move move : moves) {
      std::vector<std::uint32_t>& features = all.emplace_back();
      for_each_part(points_of(game, move), [&](int part, int point) {
        const FeaturePlan::Part& entries = plan_->parts[part];
        if (matched[part].empty()) match_part(*plan_, entries, shifted_, matched[part]);
        for (std::size_t e = 0; e < entries.entries.size(); ++e) {
          const std::uint64_t word = matched[part][e * plan_->words + point / 64];
          if ((word >> point % 64 & 1U) != 0) features.push_back(entries.entries[e].feature);
        }
      });
      std::ranges::sort(features);
    }
    return all;
  }

 private:
  void see(const G& game, int mover) {
    const auto words = static_cast<std::size_t>(plan_->words);
    pieces_.resize(words * games::kinds_of<G>);
    for (int kind = 0; kind < games::kinds_of<G>; ++kind) {
      const auto board = game.pieces(kind);
      for (std::size_t w = 0; w < words; ++w) {
        pieces_[words * kind + w] = board.word(static_cast<int>(w));
      }
    }
    shift_planes(*plan_, pieces_, mover, planes_, shifted_);
  }

  /// Calls `visit(part, point)` for the parts that have features for the move.
  template <class Visit>
  void for_each_part(const MovePoints& points, Visit&& visit) const {
    using Key = FeaturePlan::Part::Key;
    if (points.to < 0) return;
    if (const int part = plan_->part(Key::target); part >= 0) visit(part, points.to);
    if (points.from < 0) return;
    if (const int part = plan_->part(Key::origin); part >= 0) visit(part, points.from);
    const int part = plan_->part(Key::both, points.from - points.to);
    if (part >= 0) visit(part, points.to);
  }

  std::shared_ptr<const FeaturePlan> plan_;
  std::vector<std::uint64_t> pieces_;
  std::vector<std::uint64_t> planes_;
  std::vector<std::uint64_t> shifted_;
  std::vector<bool> summed_;
  std::vector<std::vector<float>> sums_;  ///< by part and point
  std::vector<float> logits_;
};

}  // namespace pitboss::engine
