#include "engine/search/tree_report.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/tree/solver.hpp"

namespace pitboss::engine {

int TreeReport::favourite(MoveBlock& block, games::Colour mover, games::Random& ties,
                          std::span<const int> avoided) const {
  int best = -1;
  int equal = 0;
  std::tuple<int, double, double> best_key;
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0 || std::ranges::count(avoided, i) > 0) continue;
    const Node& node = tree_.node(block.node()[i]);
    const int sure = certainty(node, mover);
    if (node.settled() == 0 && sure == 0) continue;  // its first result is still to come
    const auto visits = static_cast<double>(node.settled());
    const auto key = final_move_ == FinalMove::value ? std::tuple{sure, node.mean, 0.0}
                                                     : std::tuple{sure, visits, node.mean};
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

int TreeReport::drawn(MoveBlock& block, games::Random& random, std::span<const int> avoided) {
  double sum = 0;
  int last = -1;
  const auto draw = [&](double rest) {
    sum = 0;
    for (int i = 0; i < block.count && sum <= rest; ++i) {
      if (std::ranges::count(avoided, i) > 0) continue;
      sum += static_cast<double>(block.prior()[i]);
      last = i;
    }
  };
  draw(std::numeric_limits<double>::infinity());
  draw(random.uniform() * sum);
  return last;
}

std::vector<MoveReport> TreeReport::moves(MoveBlock& root, const TextPosition& position,
                                          int continuations) const {
  std::vector<int> order(root.count);
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](int i) -> std::pair<int, std::uint32_t> {
    if (root.node()[i] == 0) return {0, 0};
    const Node& node = tree_.node(root.node()[i]);
    return {certainty(node, position.to_move()), node.settled()};
  };
  std::ranges::stable_sort(order, std::greater{}, rank);
  std::vector<MoveReport> moves;
  moves.reserve(order.size());
  for (const int i : order) {
    const bool is_told = continuations-- > 0;
    moves.push_back(is_told ? with_continuation(root, position, i) : describe(root, position, i));
  }
  return moves;
}

MoveReport TreeReport::describe(MoveBlock& root, const TextPosition& position, int i) const {
  MoveReport move{position.text(root.move()[i]), 0, 0.5, 0};
  if (root.has_priors) move.prior = root.prior()[i];
  if (root.node()[i] == 0) return move;
  const Node& node = tree_.node(root.node()[i]);
  move.visits = node.settled();
  move.value = node.mean;
  move.novelty = node.novelty;
  move.variance = std::max(node.square - node.mean * node.mean, 0.0);
  if (const int sure = certainty(node, position.to_move()); sure != 0) {
    const bool is_won = sure > 0;
    move.proven = is_won ? Proven::win : Proven::loss;
    move.value = is_won ? 1 : 0;
    move.variance = 0;
  }
  return move;
}

MoveBlock* TreeReport::below(MoveBlock& block, int i) const {
  if (block.node()[i] == 0) return nullptr;
  const Index moves = tree_.node(block.node()[i]).moves;
  return moves == 0 ? nullptr : &tree_.block(moves);
}

MoveReport TreeReport::with_continuation(MoveBlock& root, const TextPosition& position,
                                         int i) const {
  MoveReport move = describe(root, position, i);
  const auto next = position.clone();
  next->play(root.move()[i]);
  games::Random ties(seed_);
  move.pv.push_back(move.move);
  tell_continuation(move, root.node()[i], *next, ties);
  return move;
}

/// Appends the principal variation after a move: `node` is the move's node, `position` the position
/// it leads to. Ends at a leased node.
void TreeReport::tell_continuation(MoveReport& move, Index node, TextPosition& position,
                                   games::Random& ties) const {
  for (;;) {
    move.pv_visits.push_back(node == 0 ? 0 : tree_.node(node).settled());
    if (node == 0 || is_leased_(tree_.node(node)) || tree_.node(node).moves == 0) return;
    MoveBlock& block = tree_.block(tree_.node(node).moves);
    const int best = favourite(block, position.to_move(), ties);
    if (best < 0) return;
    move.pv.push_back(position.text(block.move()[best]));
    position.play(block.move()[best]);
    node = block.node()[best];
  }
}

}  // namespace pitboss::engine
