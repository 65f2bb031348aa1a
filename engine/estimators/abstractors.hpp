#pragma once

#include <algorithm>
#include <span>

#include "engine/estimators/trail.hpp"
#include "engine/options/options.hpp"
#include "games/game.hpp"
#include "games/position_hash.hpp"
#include "games/target.hpp"

/// The estimators of ME-MCTS, one type each. An abstractor, which is every estimator but `History`,
/// is a context function f(h, a): it maps a history and a move to a context. The key in its table
/// adds the move and its mover.
namespace pitboss::engine {

struct History {
  static constexpr Estimator estimator = Estimator::history;
  static constexpr EstimatorRow row{.name = "history",
                                    .context = "the position in the tree",
                                    .remark = "the tree's own statistics; its bias is 0",
                                    .exploration = &Options::c_history,
                                    .bias = nullptr};
};

/// The mean of a move wherever it is played (Progressive History in the tree, MAST in playouts).
struct Global {
  static constexpr Estimator estimator = Estimator::global;
  static constexpr EstimatorRow row{.name = "global",
                                    .context = "none",
                                    .remark = "a move's mean wherever it was played",
                                    .exploration = &Options::c_global,
                                    .bias = &Options::bias_global};

  static std::uint64_t context(const Trail&, games::Colour) { return 1; }
};

namespace detail {

/// What lies around the targets of the moves. A move without a target has the context 0.
template <int Side, games::HasTarget G>
void blocks_around(const G& position, std::span<const games::Move> moves, std::uint64_t* context) {
  const games::Neighbourhoods<G, Side> blocks(position);
  for (const games::Move move : moves) {
    const int target = position.target(move);
    *context++ = target < 0 ? 0 : blocks(target);
  }
}

}  // namespace detail

/// 3x3.
struct Block {
  static constexpr Estimator estimator = Estimator::block;
  static constexpr EstimatorRow row{
      .name = "3x3",
      .context = "what lies on the nine points around the target of the move",
      .remark = "a pass and a swap have no target and share one context",
      .exploration = &Options::c_block,
      .bias = &Options::bias_block,
      .needs_target = true};

  template <games::HasTarget G>
  static void contexts(const G& position, const Trail&, std::span<const games::Move> moves,
                       std::uint64_t* context) {
    detail::blocks_around<3>(position, moves, context);
  }
};

/// OMA (Baier, Kaisers 2020): without the other players' moves.
struct OwnMoves {
  static constexpr Estimator estimator = Estimator::own_moves;
  static constexpr EstimatorRow row{
      .name = "oma",
      .context = "all earlier moves of the same player since the root, in their order",
      .remark = "",
      .exploration = &Options::c_own_moves,
      .bias = &Options::bias_own_moves,
      .begins_at_root = true,
      .nests = true};

  static std::uint64_t context(const Trail& trail, games::Colour mover) {
    return trail.own[static_cast<std::size_t>(games::index(mover))];
  }
};

struct TwoGram {
  static constexpr Estimator estimator = Estimator::two_gram;
  static constexpr EstimatorRow row{
      .name = "2gram",
      .context = "the move before",
      .remark = "N-gram selection (Tak, Winands, Bjornsson 2012); not in the paper's experiments",
      .exploration = &Options::c_two_gram,
      .bias = &Options::bias_two_gram};

  static std::uint64_t context(const Trail& trail, games::Colour) { return trail.last; }
};

struct ThreeGram {
  static constexpr Estimator estimator = Estimator::three_gram;
  static constexpr EstimatorRow row{.name = "3gram",
                                    .context = "the two moves before",
                                    .remark = "N-gram selection, as `2gram`",
                                    .exploration = &Options::c_three_gram,
                                    .bias = &Options::bias_three_gram};

  static std::uint64_t context(const Trail& trail, games::Colour) {
    return games::mix(trail.before_last) ^ trail.last;
  }
};

/// A move also counts at earlier positions of its simulation (Estimators::learn_all_later).
struct Rave {
  static constexpr Estimator estimator = Estimator::rave;
  static constexpr EstimatorRow row{
      .name = "rave",
      .context = "the position in the tree, for all later moves of the same player",
      .remark = "minimum-MSE RAVE; not in the paper's experiments",
      .exploration = &Options::c_rave,
      .bias = &Options::bias_rave,
      .begins_at_root = true,
      .counts_all_later = true};

  static std::uint64_t context(const Trail& trail, games::Colour) { return trail.all; }
};

/// A_state. Its bias may be 0 as that of `history`: what a move leads to does not depend on how the
/// position came about.
struct State {
  static constexpr Estimator estimator = Estimator::state;
  static constexpr EstimatorRow row{
      .name = "state",
      .context = "the position, however it was reached",
      .remark = "in the tree `history` of all transpositions; not in the paper's experiments",
      .exploration = &Options::c_state,
      .bias = &Options::bias_state};

  template <games::Game G>
  static void contexts(const G& position, const Trail&, std::span<const games::Move> moves,
                       std::uint64_t* context) {
    std::fill_n(context, moves.size(), games::position_hash(position));
  }
};

/// A_nxn with n = 5.
struct WideBlock {
  static constexpr Estimator estimator = Estimator::wide_block;
  static constexpr EstimatorRow row{
      .name = "5x5",
      .context = "what lies on the 25 points around the target of the move",
      .remark = "as `3x3`; not in the paper's experiments",
      .exploration = &Options::c_wide_block,
      .bias = &Options::bias_wide_block,
      .needs_target = true};

  template <games::HasTarget G>
  static void contexts(const G& position, const Trail&, std::span<const games::Move> moves,
                       std::uint64_t* context) {
    detail::blocks_around<5>(position, moves, context);
  }
};

}  // namespace pitboss::engine
