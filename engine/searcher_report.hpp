#pragma once

// The members of Searcher<G> that tell what has been found. Included only by the sources that
// instantiate it.

#include <algorithm>
#include <utility>

#include "engine/searcher.hpp"

namespace pitboss::engine {

/// The tried move that is best by the option `final_move`: by visits (equal visits: by mean) or by
/// mean; remaining ties are broken at random. -1 if none has been tried.
template <games::Game G>
int Searcher<G>::favourite(MoveBlock& block, games::Random& ties) const {
  int best = -1;
  int equal = 0;
  std::pair<double, double> best_key;
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0) continue;
    const Node& node = tree_->node(block.node()[i]);
    const std::pair<double, double> key =
        options_.final_move == FinalMove::visits
            ? std::pair{static_cast<double>(node.visits), node.mean}
            : std::pair{node.mean, 0.0};
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
  return favourite(tree_->block(root_node_.moves), ties);
}

template <games::Game G>
std::string Searcher<G>::best_move() const {
  if (const int best = chosen(); best >= 0) {
    return root_.text(tree_->block(root_node_.moves).move()[best]);
  }
  games::Random any(seed_);
  return root_.text(games::random_move(root_, any));
}

template <games::Game G>
Report Searcher<G>::report() const {
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
    report.nodes += lane->simulator.writer().nodes();
    units -= lane->simulator.writer().spare();
  }
  report.bytes = static_cast<std::int64_t>(units * Tree::unit);
  report.max_depth = max_depth_;
  report.tree_full = tree_->full();
  if (root_node_.moves == 0) return report;
  MoveBlock& root = tree_->block(root_node_.moves);
  for (int i = 0; i < root.count; ++i) {
    MoveReport move{root_.text(root.move()[i]), 0, 0.5, 0};
    if (const Index child = root.node()[i]; child != 0) {
      const Node& node = tree_->node(child);
      move = {move.move, node.visits, node.mean, node.novelty};
    }
    report.moves.push_back(move);
  }
  std::ranges::stable_sort(report.moves, std::greater{}, &MoveReport::visits);
  report.move = best_move();
  G position = root_;
  games::Random ties(seed_);
  for (Index b = root_node_.moves; b != 0;) {
    MoveBlock& block = tree_->block(b);
    const int best = b == root_node_.moves ? chosen() : favourite(block, ties);
    if (best < 0) break;
    report.pv.push_back(position.text(block.move()[best]));
    position.play(block.move()[best]);
    b = tree_->node(block.node()[best]).moves;
  }
  return report;
}

}  // namespace pitboss::engine
