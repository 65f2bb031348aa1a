#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/policy/features/feature_matcher.hpp"
#include "games/halves.hpp"
#include "games/random.hpp"
#include "games/target.hpp"

namespace pitboss::engine {

/// The points of a move of G. Features know only whole moves: a second half has no points.
template <games::HasTarget G>
[[nodiscard]] MovePoints points_of(const G& game, games::Move move) {
  if (games::is_between(game)) return {};
  return {static_cast<std::int16_t>(game.target(move)),
          static_cast<std::int16_t>(games::origin_of(game, move))};
}

/// Fills the sets of points of each kind of piece, `words` for each.
template <games::Game G>
void copy_pieces(const G& game, int words, std::vector<std::uint64_t>& pieces) {
  pieces.clear();
  for (int kind = 0; kind < games::kinds_of<G>; ++kind) {
    const auto board = game.pieces(kind);
    for (int w = 0; w < words; ++w) pieces.push_back(board.word(w));
  }
}

/// Softmax over the legal moves of a position: the logit of a move is the sum of the weights of its
/// active features (Biasing MCTS with Features for General Games, eqs. 1 and 2); a move without a
/// target has the logit 0. One thread at a time; the plan is shared.
template <games::HasTarget G>
class LinearPolicy {
 public:
  explicit LinearPolicy(std::shared_ptr<const FeaturePlan> plan) : matcher_(std::move(plan)) {}

  /// One for each of the legal `moves`; valid until the next call.
  [[nodiscard]] std::span<const float> logits(const G& game, std::span<const games::Move> moves) {
    see(game);
    logits_.clear();
    for (const games::Move move : moves) logits_.push_back(matcher_.logit(points_of(game, move)));
    return logits_;
  }

  /// The probabilities of the moves; valid until the next call. A temperature above 1 makes them
  /// more equal.
  [[nodiscard]] std::span<const float> probabilities(const G& game,
                                                     std::span<const games::Move> moves,
                                                     float temperature = 1) {
    static_cast<void>(logits(game, moves));
    const float largest = *std::ranges::max_element(logits_);
    float sum = 0;
    for (float& logit : logits_) sum += logit = std::exp((logit - largest) / temperature);
    for (float& probability : logits_) probability /= sum;
    return logits_;
  }

  /// A move drawn by these probabilities; the position must not be finished.
  [[nodiscard]] games::Move draw(const G& game, games::Random& random) {
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    const auto all = probabilities(game, {moves.begin(), moves.end()});
    constexpr int steps = 1 << 30;
    float rest = static_cast<float>(random.below(steps)) / steps;
    int i = 0;
    for (; i + 1 < moves.size() && rest >= all[i]; ++i) rest -= all[i];
    return moves[i];
  }

  /// For each move its active features, ascending.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> active(const G& game,
                                                               std::span<const games::Move> moves) {
    see(game);
    std::vector<std::vector<std::uint32_t>> all(moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
      matcher_.add_active(points_of(game, moves[i]), all[i]);
      std::ranges::sort(all[i]);
    }
    return all;
  }

 private:
  void see(const G& game) {
    copy_pieces(game, matcher_.plan().words, pieces_);
    matcher_.see(pieces_, index(game.to_move()));
  }

  FeatureMatcher matcher_;
  std::vector<std::uint64_t> pieces_;
  std::vector<float> logits_;
};

}  // namespace pitboss::engine
