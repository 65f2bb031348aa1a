#pragma once

// The members of Searcher<G> that report. Included only by the sources that instantiate it.

#include <algorithm>
#include <utility>

#include "engine/search/searcher.hpp"

namespace pitboss::engine {

template <games::Game G>
TreeReport Searcher<G>::tree_report() const {
  return {*state_.tree, options().final_move, seed_,
          [this](const Node& node) { return leasing_.is_leased(node); }};
}

/// The root move to play; -1 if none has been tried. Calls between the same simulations give the
/// same move.
template <games::Game G>
int Searcher<G>::chosen() const {
  games::Random ties(games::mix(seed_) + static_cast<std::uint64_t>(state_.simulations));
  if (!started_ || state_.root_node.moves == 0) return -1;
  return tree_report().favourite(state_.tree->block(state_.root_node.moves), state_.root.to_move(),
                                 ties, avoided_);
}

template <games::Game G>
std::string Searcher<G>::best_move() const {
  if (const int best = chosen(); best >= 0) {
    return state_.root.text(state_.tree->block(state_.root_node.moves).move()[best]);
  }
  // No simulation has been made: any move that is not avoided.
  const std::vector<std::string>& avoided = state_.control.limits().avoided;
  games::Random any(seed_);
  if (avoided.empty()) return state_.root.text(games::random_move(state_.root, any));
  games::MoveList<G::max_moves> moves;
  state_.root.legal_moves(moves);
  std::vector<std::string> allowed;
  for (const games::Move move : moves) allowed.push_back(state_.root.text(move));
  std::erase_if(allowed, [&](const auto& move) { return std::ranges::count(avoided, move) > 0; });
  return allowed.at(static_cast<std::size_t>(any.below(static_cast<int>(allowed.size()))));
}

template <games::Game G>
std::optional<double> Searcher<G>::best_value() const {
  const int best = chosen();
  if (best < 0) return std::nullopt;
  MoveBlock& root = state_.tree->block(state_.root_node.moves);
  return tree_report().describe(root, TextPositionOf<G>(state_.root), best).value;
}

/// Reports on the estimators in force. A thread without a turn since they changed still has its old
/// tables, of which those of estimators in force count.
template <games::Game G>
std::vector<TableReport> Searcher<G>::tables() const {
  std::vector<TableReport> list;
  for (int i = 0; i < estimator_count; ++i) {
    const auto kind = static_cast<Estimator>(i);
    if (!options().estimators.has(kind)) continue;
    TableReport sum{std::string(estimator_rows()[static_cast<std::size_t>(i)].name)};
    for (const auto& lane : state_.lanes) {
      for (const TableUsage& table : lane->memory.tables) {
        if (table.estimator != kind) continue;
        sum.bytes += static_cast<std::int64_t>(table.bytes);
        sum.entries += static_cast<std::int64_t>(table.entries);
        sum.evictions += table.evictions;
      }
    }
    if (sum.bytes > 0) list.push_back(std::move(sum));
  }
  return list;
}

template <games::Game G>
std::optional<NetworkUse> Searcher<G>::network_use() const {
  std::optional<NetworkUse> sum;
  for (const auto& lane : state_.lanes) {
    const auto& use = lane->memory.network;
    if (!use) continue;
    if (!sum) {
      sum = use;
    } else {
      sum->evaluations += use->evaluations;
      sum->cached += use->cached;
    }
  }
  return sum;
}

template <games::Game G>
Report Searcher<G>::report(int continuations) const {
  const auto lock = leasing_.lock_with_root();
  Report report;
  report.game = std::string(G::name);
  report.options = options();
  report.simulations = state_.simulations;
  report.seconds = std::chrono::duration<double>(spent_).count();
  report.seed = seed_;
  report.reused = state_.reused;
  if (!started_) return report;  // the tree is that of the search before
  std::size_t units = state_.tree->units();
  for (const auto& lane : state_.lanes) {
    report.nodes += lane->memory.nodes;
    units -= lane->memory.spare;
  }
  report.bytes = static_cast<std::int64_t>(units * Tree::unit);
  report.max_depth = state_.max_depth;
  report.tree_full = state_.tree->full();
  report.tables = tables();
  report.network = network_use();
  if (state_.root_node.moves == 0) return report;

  MoveBlock& root = state_.tree->block(state_.root_node.moves);
  const TextPositionOf<G> position(state_.root);
  report.moves = tree_report().moves(root, position, continuations);
  report.move = best_move();
  if (const int best = chosen(); best >= 0) {
    report.pv = tree_report().with_continuation(root, position, best).pv;
  }
  return report;
}

}  // namespace pitboss::engine
