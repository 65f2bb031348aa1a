#pragma once

// The members of Searcher<G> that report and assess; part of searcher.hpp.

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/leaf/network/leaf_batch.hpp"
#include "engine/search/company.hpp"
#include "engine/search/searcher.hpp"
#include "engine/search/tree_report.hpp"
#include "engine/wakeup.hpp"
#include "games/halves.hpp"

namespace pitboss::engine {

template <games::Game G>
TreeReport Searcher<G>::tree_report() const {
  return {*state_.tree, options().final_move, seed_,
          [this](const Node& node) { return has_helpers() && several_threads_.is_leased(node); }};
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

/// The best move that the i-th move of a block, whose position this is, makes or begins; perhaps
/// with its principal variation.
template <games::Game G>
MoveReport Searcher<G>::describe(MoveBlock& block, const G& position, int i, bool with_pv) const {
  const ReportPositionOf<G> told(position);
  if constexpr (games::is_halved<G>) {
    return HalvesReport(tree_report(), block, told, seed_).favourite(i, with_pv);
  } else {
    return with_pv ? tree_report().with_continuation(block, told, i)
                   : tree_report().describe(block, told, i);
  }
}

/// All moves of a block, whose position this is, as Report::moves has them.
template <games::Game G>
std::vector<MoveReport> Searcher<G>::moves(MoveBlock& block, const G& position,
                                           int continuations) const {
  const ReportPositionOf<G> told(position);
  if constexpr (games::is_halved<G>) {
    return HalvesReport(tree_report(), block, told, seed_).moves(continuations);
  } else {
    return tree_report().moves(block, told, continuations);
  }
}

/// The move to play, perhaps with its principal variation; nothing before the first simulation.
template <games::Game G>
std::optional<MoveReport> Searcher<G>::best(bool with_pv) const {
  const int best = chosen();
  if (best < 0) return std::nullopt;
  return describe(state_.tree->block(state_.root_node.moves), state_.root, best, with_pv);
}

template <games::Game G>
games::Move Searcher<G>::best_move() const {
  if (const auto move = best(false)) return move->code;
  // No simulation has been made: any move that is not avoided.
  const std::set<std::string>& avoided = state_.control.limits().avoided;
  games::Random any(seed_);
  const games::Whole<G>& root = games::whole(state_.root);
  if (avoided.empty()) return games::random_move(root, any);
  auto allowed = ReportPositionOf<games::Whole<G>>(root).moves();
  std::erase_if(allowed, [&](const auto& move) { return avoided.contains(root.text(move)); });
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
  for (int i = 0; i < AllEstimators::count; ++i) {
    const auto kind = static_cast<Estimator>(i);
    if (!options().estimators.has(kind)) continue;
    TableReport sum{std::string(AllEstimators::rows[i].name)};
    for (const auto& thread : state_.threads) {
      for (const TableUsage& table : thread->memory.tables) {
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
  for (const auto& thread : state_.threads) {
    const auto& use = thread->memory.network;
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
Effort Searcher<G>::effort() const {
  const auto lock = this->lock();
  return {state_.simulations, games::plies_of<G>(state_.max_depth), state_.processor_time,
          state_.time};
}

/// What a report tells of the search, without its moves.
template <games::Game G>
Report Searcher<G>::summary() const {
  Report report;
  report.game = std::string(G::name);
  report.players = games::seats_of(state_.root);
  report.options = options();
  report.simulations = state_.simulations;
  report.seconds = std::chrono::duration<double>(spent_).count();
  report.seed = seed_;
  report.reused = state_.reused;
  report.visits = state_.simulations + state_.reused;
  if (!started_) return report;  // the tree is that of the search before
  std::size_t units = state_.tree->units();
  for (const auto& thread : state_.threads) {
    report.nodes += thread->memory.nodes;
    units -= thread->memory.spare;
  }
  report.bytes = static_cast<std::int64_t>(units * Tree::unit);
  report.max_depth = games::plies_of<G>(state_.max_depth);
  report.tree_full = state_.tree->full();
  report.tables = tables();
  report.network = network_use();
  report.features = features_;
  return report;
}

template <games::Game G>
Report Searcher<G>::report(int continuations) const {
  std::unique_lock<std::mutex> lock;
  if (has_helpers()) {
    // The second halves of the root's moves are not the root's.
    lock =
        games::is_halved<G> ? several_threads_.lock_with_tree() : several_threads_.lock_with_root();
  }
  Report report = summary();
  report.paths.assign(state_.paths.begin(), state_.paths.end());
  if (!started_ || state_.root_node.moves == 0) return report;
  report.moves = moves(state_.tree->block(state_.root_node.moves), state_.root, continuations);
  const auto best = this->best(true);
  report.move = best ? best->move : games::whole(state_.root).text(best_move());
  if (best) report.pv = best->pv;
  return report;
}

template <games::Game G>
std::optional<Report> Searcher<G>::report_below(std::span<const games::Move> path) const {
  const auto lock = this->lock();
  Report report = summary();
  ReportPositionOf<games::Whole<G>> told(games::whole(state_.root));
  report.path = play_line(told, path);
  std::vector<games::Move> edges;
  for (const games::Move move : path) {
    std::ranges::copy(games::moves_in<G>(move), std::back_inserter(edges));
  }
  const TreeReport tree = tree_report();
  const Node* const node = started_ ? tree.find(state_.root_node, edges) : nullptr;
  if (node == nullptr) return std::nullopt;
  if (!path.empty()) report.visits = node->settled();
  if (node->moves == 0) {
    report.moves = untried_moves(told);
    return report;
  }
  const G position(told.game());
  MoveBlock& block = state_.tree->block(node->moves);
  report.moves = moves(block, position, 0);
  games::Random ties(games::mix(seed_) + node->visits);
  if (const int i = tree.favourite(block, position.to_move(), ties); i >= 0) {
    MoveReport best = describe(block, position, i, true);
    report.move = std::move(best.move);
    report.pv = std::move(best.pv);
  }
  return report;
}

/// What an evaluation of a position says by colour and by move.
template <games::Game G>
[[nodiscard]] Assessment assessment_of(const G& position, const Slots<G>& slots,
                                       const Options& options, Evaluation<G>& evaluation) {
  Assessment assessment;
  const auto seats = static_cast<std::size_t>(games::seats_of(position));
  assessment.values.assign(evaluation.values.begin(), evaluation.values.begin() + seats);
  games::MoveList<G::max_moves> moves;
  if (!slots.has_priors) evaluation.priors = {};
  if (slots.has_feature_priors || !evaluation.priors.empty()) position.legal_moves(moves);
  if (slots.has_feature_priors) {
    evaluation.priors = slots.features->policy().probabilities(
        position, {moves.begin(), moves.end()}, static_cast<float>(options.prior_temperature));
  }
  for (int i = 0; i < moves.size(); ++i) {
    assessment.policy.emplace_back(position.text(moves[i]), evaluation.priors[i]);
  }
  assessment.features = features_in_use(slots, options);
  return assessment;
}

[[nodiscard]] inline std::optional<NetworkUse> copy_of(const NetworkUse* use) {
  return use != nullptr ? std::optional(*use) : std::nullopt;
}

template <games::Game G>
std::vector<Assessment> Searcher<G>::evaluate_all(std::span<const games::AnyGame* const> positions,
                                                  const Options& options,
                                                  const std::stop_token& stop) const {
  check(options);
  const Options seeded = with_seed(options);
  Wakeup wakeup;
  const auto later = source_ ? source_->batch_evaluator(seeded, wakeup.waker()) : nullptr;
  std::vector<Trajectory<G>> leaves;
  std::vector<Slots<G>> slots;  // an evaluator remembers one question
  for (const games::AnyGame* const position : positions) {
    const G leaf(dynamic_cast<const games::BoxedGame<games::Whole<G>>&>(*position).game());
    leaves.emplace_back(leaf);
    slots.push_back(make_slots<G>(seeded, 0, leaf.to_move(), {}, source_.get(), later.get()));
    prepare_slots(slots.back(), leaf, position->parameters().line());
  }
  std::vector<Assessment> assessments(positions.size());
  Evaluation<G> evaluation;
  if (later) {
    later->prepare(leaves.at(0).leaf, positions[0]->parameters().line());
    for (std::size_t i = 0; i < leaves.size(); ++i)
      later->submit(static_cast<Ticket>(i), leaves[i]);
    for (std::size_t missing = leaves.size(); missing > 0;) {
      const std::optional<NetworkUse> before = copy_of(later->network());
      if (Ticket ticket = 0; later->collect(ticket, evaluation)) {
        const auto i = static_cast<std::size_t>(ticket);
        assessments[i] = assessment_of(leaves[i].leaf, slots[i], options, evaluation);
        if (before) assessments[i].network = later->network()->since(*before);
        --missing;
      } else if (!wakeup.await(Progress::waiting(), stop)) {
        throw Interrupted("interrupted");
      }
    }
    return assessments;
  }
  LeafBatch batch(std::min(static_cast<int>(leaves.size()), Company::most));
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (slots[i].evaluator->has_questions()) {
      static_cast<void>(slots[i].evaluator->ask(leaves[i], batch));
    }
  }
  batch.evaluate();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    Evaluator<G>& evaluator = *slots[i].evaluator;
    if (evaluator.has_questions()) {
      evaluator.answer(leaves[i], evaluation);
    } else {
      games::Random random(static_cast<std::uint64_t>(seeded.seed));
      evaluator.evaluate(leaves[i], random, evaluation);
    }
    assessments[i] = assessment_of(leaves[i].leaf, slots[i], options, evaluation);
    assessments[i].network = copy_of(evaluator.network());
  }
  return assessments;
}

}  // namespace pitboss::engine
