#pragma once

// The members of Searcher<G> that report. Included only by the sources that instantiate it.

#include <algorithm>
#include <utility>

#include "engine/search/halves_report.hpp"
#include "engine/search/searcher.hpp"
#include "games/halves.hpp"

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
  MoveBlock& root = state_.tree->block(state_.root_node.moves);
  if (options().final_move == FinalMove::prior && root.has_priors) {
    return TreeReport::drawn(root, ties, avoided_);
  }
  return tree_report().favourite(root, state_.root.to_move(), ties, avoided_);
}

/// The move to play, perhaps with its principal variation; nothing before the first simulation.
template <games::Game G>
std::optional<MoveReport> Searcher<G>::best(bool with_pv) const {
  const int best = chosen();
  if (best < 0) return std::nullopt;
  MoveBlock& root = state_.tree->block(state_.root_node.moves);
  const TextPositionOf<G> position(state_.root);
  if constexpr (games::is_halved<G>) {
    return HalvesReport(tree_report(), root, position, seed_).favourite(best, with_pv);
  } else {
    return with_pv ? tree_report().with_continuation(root, position, best)
                   : tree_report().describe(root, position, best);
  }
}

template <games::Game G>
std::string Searcher<G>::best_move() const {
  if (const auto move = best(false)) return move->move;
  // No simulation has been made: any move that is not avoided.
  const std::set<std::string>& avoided = state_.control.limits().avoided;
  games::Random any(seed_);
  const games::Whole<G>& root = games::whole(state_.root);
  if (avoided.empty()) return root.text(games::random_move(root, any));
  std::vector<std::string> allowed = TextPositionOf<games::Whole<G>>(root).texts();
  std::erase_if(allowed, [&](const auto& move) { return avoided.contains(move); });
  return allowed.at(static_cast<std::size_t>(any.below(static_cast<int>(allowed.size()))));
}

template <games::Game G>
std::optional<double> Searcher<G>::best_value() const {
  const auto move = best(false);
  return move ? std::optional(move->value) : std::nullopt;
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
  if (in_flight_ && in_flight_->evaluator().network() != nullptr) {
    return *in_flight_->evaluator().network();
  }
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
std::int64_t Searcher<G>::simulations() const {
  const auto lock = leasing_.lock();
  return state_.simulations;
}

template <games::Game G>
Report Searcher<G>::report(int continuations) const {
  // The second halves of the root's moves are not the root's.
  const auto lock = games::is_halved<G> ? leasing_.lock_with_tree() : leasing_.lock_with_root();
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
  report.max_depth = games::plies_of<G>(state_.max_depth);
  report.tree_full = state_.tree->full();
  report.tables = tables();
  report.network = network_use();
  report.features = features_;
  if (state_.root_node.moves != 0) tell_moves(report, continuations);
  return report;
}

template <games::Game G>
void Searcher<G>::tell_moves(Report& report, int continuations) const {
  MoveBlock& root = state_.tree->block(state_.root_node.moves);
  const TextPositionOf<G> position(state_.root);
  if constexpr (games::is_halved<G>) {
    report.moves = HalvesReport(tree_report(), root, position, seed_).moves(continuations);
  } else {
    report.moves = tree_report().moves(root, position, continuations);
  }
  const auto best = this->best(true);
  report.move = best ? best->move : best_move();
  if (best) report.pv = best->pv;
}

}  // namespace pitboss::engine
