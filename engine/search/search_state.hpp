#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "engine/search/control.hpp"
#include "engine/search/mcts.hpp"
#include "engine/search/tree_report.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// One thread of a search: its simulator, and a copy of the memory figures for reports, which must
/// not ask the simulator while the thread searches.
template <games::Game G>
struct ThreadState {
  explicit ThreadState(const G& any) : simulator(any) {}

  Simulator<G> simulator;
  struct Memory {
    std::int64_t nodes = 0;
    std::size_t spare = 0;
    std::vector<TableUsage> tables;
    std::optional<NetworkUse> network;
  } memory;

  void note_memory() {
    memory.nodes = simulator.writer().nodes();
    memory.spare = simulator.writer().spare();
    const auto& evaluator = simulator.slots().evaluator;
    if (evaluator != nullptr && evaluator->network() != nullptr) {
      memory.network = *evaluator->network();
    }
    memory.tables.clear();
    if (simulator.slots().estimators) simulator.slots().estimators->tell_usage(memory.tables);
  }
};

/// What a search shares with its driver. Several threads guard it by the lock of their driver.
template <games::Game G>
struct SearchState {
  /// Trees and tables are reserved in `where`; null: nowhere.
  SearchState(const G& any, std::shared_ptr<MemorySource> where)
      : memory(std::move(where)), root(any) {}

  SearchControl control;
  const std::shared_ptr<MemorySource> memory;
  G root;
  std::unique_ptr<Tree> tree = std::make_unique<Tree>(memory);
  /// The tree of the search before, if it is small: the next one is made of it, without page
  /// faults.
  std::unique_ptr<Tree> spare;
  Reservation tables{};                                  ///< of the simulators' tables
  std::vector<std::unique_ptr<ThreadState<G>>> threads;  ///< one for each thread
  std::int64_t reused = 0;           ///< simulations of earlier searches that are in the tree
  std::deque<PathReport> paths;      ///< of the last simulations, as many as the limits say
  std::vector<RootMove> root_moves;  ///< that the root rule sees
  bool has_asked = false;            ///< the leaf of the simulation under way is in a batch

  // Written at every lease, so on other cache lines than what every simulation reads.
  alignas(64) Node root_node{};
  std::int64_t simulations = 0;               ///< made by this search
  int max_depth = 0;                          ///< of this search's simulations, in plies
  std::chrono::nanoseconds processor_time{};  ///< of the slices of all its threads
  std::chrono::nanoseconds time{};            ///< from the begin to the end of the last slice

  [[nodiscard]] Origin<G> origin() { return {root, root_node, root_node.proof, root.to_move()}; }
  /// Whether the root is proven.
  [[nodiscard]] bool is_proven() const {
    return proves(control.options()) && root_node.proof != Proof::none;
  }
  /// How many simulations the bounds still allow; `stop` does not count.
  [[nodiscard]] std::int64_t simulations_left() const {
    return std::min(control.most_simulations(), max_simulations - reused) - simulations;
  }
  [[nodiscard]] bool is_enough() const {
    return control.is_stopped() || is_proven() || simulations_left() <= 0;
  }
  [[nodiscard]] bool is_out_of_time(SearchControl::TimePoint now) const {
    return now >= control.deadline() || (control.limits().until_full && tree->full());
  }
  /// Has the root rule, if there is one, choose the move with which the next simulation begins.
  [[gnu::cold]] void begin_by_rule(Simulator<G>& simulator) {
    const RootRule& rule = control.limits().root_rule;
    if (!rule || root_node.moves == 0) return;
    MoveBlock& block = tree->block(root_node.moves);
    simulator.selector().bring_up_to_date(*tree, block, simulator.random());
    tell_moves(*tree, block, root_moves);
    const int chosen = rule(root_moves);
    if (chosen < 0 || root_moves.at(static_cast<std::size_t>(chosen)).is_closed) return;
    block.set_next(chosen);
  }
  /// Notes where a simulation went, which has been backed up, if the limits say so.
  [[gnu::cold]] void note_path(const Trajectory<G>& trajectory, const Values<G>& values) {
    if (control.limits().paths == 0) return;
    if (paths.size() >= control.limits().paths) paths.pop_front();
    const auto path = trajectory.path();
    PathReport& noted = paths.emplace_back();
    const auto seats = static_cast<std::size_t>(games::seats_of(root));
    noted.values.assign(values.begin(), values.begin() + seats);
    noted.expanded = !path.empty() && path.back().node->settled() == 1;
    std::vector<games::Move> moves;
    for (const Edge& edge : path) moves.push_back(edge.block->move()[edge.move]);
    ReportPositionOf<G> position(root);
    noted.moves = play_line(position, moves, games::moves_a_ply<G>);
  }
  /// Hands the live options to a simulator, one at a time. Without memory for them stops the
  /// search, which keeps its results, and returns false.
  bool hand_options_to(Simulator<G>& simulator) {
    try {
      tables.grow(table_bytes(control.options()));
      simulator.set(control.options(), control.epoch());
      return true;
    } catch (const std::bad_alloc&) {
      control.stop();
      return false;
    }
  }
};

}  // namespace pitboss::engine
