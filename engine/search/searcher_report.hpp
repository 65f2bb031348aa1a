#pragma once

// The members of Searcher<G> that tell what has been found. Included only by the sources that
// instantiate it.

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/search/searcher.hpp"

namespace pitboss::engine {

/// The move of a position with `mover` to move that is best by the option `final_move`, among those
/// that have been tried or are proven: by visits (equal visits: by mean) or by mean; one that is
/// proven to win before, those proven to lose after all others. Remaining ties are broken at
/// random. -1 if there is none.
template <games::Game G>
int Searcher<G>::favourite(MoveBlock& block, games::Colour mover, games::Random& ties,
                           std::span<const int> avoided) const {
  int best = -1;
  int equal = 0;
  std::tuple<int, double, double> best_key;
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0 || std::ranges::count(avoided, i) > 0) continue;
    const Node& node = tree_->node(block.node()[i]);
    const int sure = certainty(node, mover);
    if (node.settled() == 0 && sure == 0) continue;  // another thread's first simulation
    const auto visits = static_cast<double>(node.settled());
    const auto key = options_.final_move == FinalMove::visits ? std::tuple{sure, visits, node.mean}
                                                              : std::tuple{sure, node.mean, 0.0};
    if (best < 0 || key > best_key) {
      best = i;
      best_key = key;
      equal = 1;
    } else if (key == best_key && ties.below(++equal) == 0) {
      best = i;
    }
  }
  return best;
}

/// The root move to play; -1 if none has been tried. Always the same one for the same search.
template <games::Game G>
int Searcher<G>::chosen() const {
  games::Random ties(games::mix(seed_) + static_cast<std::uint64_t>(simulations_));
  if (!started_ || root_node_.moves == 0) return -1;
  return favourite(tree_->block(root_node_.moves), root_.to_move(), ties, avoided_);
}

template <games::Game G>
std::string Searcher<G>::best_move() const {
  if (const int best = chosen(); best >= 0) {
    return root_.text(tree_->block(root_node_.moves).move()[best]);
  }
  games::Random any(seed_);
  return root_.text(games::random_move(root_, any));
}

/// Appends what is expected behind a move: `node` is the move's, `position` the one it leads to.
/// Ends where another thread is searching.
template <games::Game G>
void Searcher<G>::tell_continuation(MoveReport& move, Index node, G position,
                                    games::Random& ties) const {
  for (;;) {
    move.pv_visits.push_back(node == 0 ? 0 : tree_->node(node).settled());
    if (node == 0 || trunk_.is_leased(tree_->node(node)) || tree_->node(node).moves == 0) return;
    MoveBlock& block = tree_->block(tree_->node(node).moves);
    const int best = favourite(block, position.to_move(), ties);
    if (best < 0) return;
    move.pv.push_back(position.text(block.move()[best]));
    position.play(block.move()[best]);
    node = block.node()[best];
  }
}

/// Of the estimators in force. A thread that had no turn since they came into force still has those
/// of before, of which the ones of a kind in force count.
template <games::Game G>
void Searcher<G>::tell_tables(Report& report) const {
  for (int i = 0; i < estimator_count; ++i) {
    const auto kind = static_cast<Estimator>(i);
    if (!options_.estimators.has(kind)) continue;
    TableReport sum{std::string(estimator_rows()[static_cast<std::size_t>(i)].name)};
    for (const auto& lane : lanes_) {
      for (const auto& table : lane->memory.tables) {
        if (table.estimator != kind) continue;
        sum.bytes += static_cast<std::int64_t>(table.bytes);
        sum.entries += static_cast<std::int64_t>(table.entries);
        sum.evictions += table.evictions;
      }
    }
    if (sum.bytes > 0) report.tables.push_back(std::move(sum));
  }
}

template <games::Game G>
Report Searcher<G>::report(int continuations) const {
  const auto lock = locked_with_root();
  Report report;
  report.game = std::string(G::name);
  report.options = options_;
  report.simulations = simulations_;
  report.seconds = std::chrono::duration<double>(spent_).count();
  report.seed = seed_;
  report.reused = reused_;
  if (!started_) return report;  // what is in the tree belongs to the search before
  std::size_t units = tree_->units();
  for (const auto& lane : lanes_) {
    report.nodes += lane->memory.nodes;
    units -= lane->memory.spare;
  }
  report.bytes = static_cast<std::int64_t>(units * Tree::unit);
  report.max_depth = max_depth_;
  report.tree_full = tree_->full();
  tell_tables(report);
  if (root_node_.moves == 0) return report;

  MoveBlock& root = tree_->block(root_node_.moves);
  std::vector<int> order(root.count);
  std::iota(order.begin(), order.end(), 0);
  const auto visits = [&](int i) {
    return root.node()[i] == 0 ? 0 : tree_->node(root.node()[i]).settled();
  };
  const auto sure = [&](int i) {
    return root.node()[i] == 0 ? 0 : certainty(tree_->node(root.node()[i]), root_.to_move());
  };
  std::ranges::stable_sort(order, std::greater{},
                           [&](int i) { return std::pair(sure(i), visits(i)); });
  const auto describe = [&](int i) {
    MoveReport move{root_.text(root.move()[i]), visits(i), 0.5, 0};
    if (const Index child = root.node()[i]; child != 0) {
      const Node& node = tree_->node(child);
      move.value = node.mean;
      move.novelty = node.novelty;
      move.variance = std::max(node.square - node.mean * node.mean, 0.0);
      if (sure(i) != 0) {
        const bool is_won = sure(i) > 0;
        move.proven = is_won ? Proven::win : Proven::loss;
        move.value = is_won ? 1 : 0;
        move.variance = 0;
      }
    }
    return move;
  };
  const auto with_continuation = [&](MoveReport move, int i) {
    G position = root_;
    position.play(root.move()[i]);
    games::Random ties(seed_);
    move.pv.push_back(move.move);
    tell_continuation(move, root.node()[i], position, ties);
    return move;
  };
  for (const int i : order) {
    const bool told = continuations-- > 0;
    report.moves.push_back(told ? with_continuation(describe(i), i) : describe(i));
  }
  report.move = best_move();
  if (const int best = chosen(); best >= 0) {
    report.pv = with_continuation(describe(best), best).pv;
  }
  return report;
}

}  // namespace pitboss::engine
