#pragma once

#include <utility>

#include "engine/leaf/evaluation.hpp"
#include "engine/leaf/trajectory.hpp"
#include "engine/search/knowledge.hpp"
#include "engine/search/slots.hpp"
#include "engine/tree/selector.hpp"
#include "engine/tree/solver.hpp"
#include "games/halves.hpp"
#include "games/random.hpp"

/// Monte Carlo tree search with one evaluation a simulation (UCT: Kocsis, Szepesvari 2006; the four
/// steps: Browne et al. 2012, "A Survey of Monte Carlo Tree Search Methods", sec. 3.1). This file
/// has the steps in their order, for one thread:
///
///   1. Select. From the root on, play the move with the highest bound until a position is new:
///      that is the leaf. The bound is V + x(n, N), where x is the exploration term of the option
///      `selection` (UCB1, UCB1-tuned, PUCT). V is the mean Q of the results, or with novelty as
///      `novelty_mix` says, b alpha N + (1 - b) Q in the paper (Novelty in MCTS, eqs. 9 and 10).
///      With `estimators` the highest combined bound of several estimators takes its place
///      (ME-MCTS: Baier, Kaisers 2021).
///   2. Expand. A position gets its node at the first visit and a block of its moves at the second.
///      In a search with an evaluator's priors it gets the block with the first evaluation.
///   3. Evaluate. The evaluator gives the leaf a value for each colour, and perhaps priors of its
///      moves; the novelty measure gives it a novelty.
///   4. Back up. Value and novelty are added to every node of the path, each for the mover of its
///      move, and the next move of every position on the path is chosen.
///
/// The solver (MCTS-Solver: Winands et al. 2008) backs proven wins up, which are not searched on.
/// With `knowledge`, what is known of a position that has been visited often proves more of them,
/// and closes moves (knowledge.hpp).
///
/// Not supported: chance, hidden information and simultaneous moves; positions that several paths
/// reach are not merged: the graph is a tree.
namespace pitboss::engine {

/// Where simulations begin: the root of the search, or the node of a lease. Of the node itself a
/// simulation changes `moves` only.
template <games::Game G>
struct Origin {
  const G& position;
  Node& node;
  Proof& proof;        ///< proven winner of the position
  games::Colour seat;  ///< who moves at the root of the search
};

template <games::Game G>
struct SimulationResult {
  Values<G> values;  ///< by colour
  double novelty;    ///< of the leaf, not scaled by alpha
  int depth;         ///< moves selected
};

/// Makes one thread's simulations in a tree for games of type G. Several simulators may work on
/// separate parts of one tree; one thread at a time uses a simulator. Nothing here blocks, except
/// that an evaluator may.
///
/// `simulate` makes a whole simulation. Where leaves are evaluated with those of other searches it
/// has two steps, `ask` and `answer`. Where evaluations come later it falls into two halves:
/// `select`, then `add_virtual_visits`; and when the leaf's evaluation has come, `back_up`. In
/// between the simulation is in flight, and others may be made.
template <games::Game G>
class Simulator {
  static_assert(G::max_moves <= 65528);  // MoveBlock::padded

 public:
  explicit Simulator(const G& any) : selector_(G::max_moves), trajectory_(any) {}
  // Not copied: the slots refer to the options.
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  ~Simulator() = default;

  // Setting up a search: `begin`, `prepare`, `reset`, in this order.

  /// Takes over the options, which must have been checked, for a search from `root`, a position
  /// after `ply` plies. `source` and `later` are as for make_slots. Quick.
  void begin(const Options& options, int ply, const G& root, games::Random random,
             const EvaluatorSource<G>* source = nullptr, const BatchEvaluator<G>* later = nullptr) {
    options_ = options;
    players_ = games::seats_of(root);
    outdated_ = std::exchange(slots_, {});
    slots_ = make_slots<G>(options_, ply, root.to_move(), std::move(outdated_), source, later);
    random_ = random;
    trajectory_.above = 0;
    selector_.set(options_, 0, players_);
  }
  /// Frees what only the last search has used, and does what prepare_slots does, for a search from
  /// `root`, of a game with these parameters.
  void prepare(const G& root, const std::string& parameters) {
    outdated_ = {};
    prepare_slots(slots_, root, parameters);
    if constexpr (HasKnowledge<G>) {
      if (slots_.knowledge) slots_.knowledge->prepare(root);
    }
  }
  /// Prepares for the simulations of an emptied tree. May throw std::bad_alloc.
  void reset(Tree& tree) {
    if (has_estimators()) slots_.estimators->make_room();
    tree_ = &tree;
    writer_.reset(tree, has_prior_room());
  }
  /// Takes over the live options. May throw std::bad_alloc; then only `begin` and `forget` may be
  /// called.
  void set(const Options& options, std::uint32_t epoch) {
    const Options before = std::exchange(options_, options);
    update_slots(slots_, options_, before);
    selector_.set(options_, epoch, players_);
  }
  /// The next search begins without what the last one has learned. Frees nothing large.
  void forget() {
    Slots<G> kept;
    kept.estimators = std::move(slots_.estimators);
    kept.move_means = std::move(slots_.move_means);
    kept.knowledge = std::move(slots_.knowledge);
    if (kept.estimators) kept.estimators->forget();
    slots_ = std::move(kept);
  }
  /// Sets how many simulations the search has made so far.
  void count_from(std::int64_t simulations) { simulations_ = simulations; }

  // A simulation.

  /// One whole simulation, whose leaf is evaluated at once.
  SimulationResult<G> simulate(const Origin<G>& origin);
  /// The same in two steps: leaves in the batch what a network is to say of the leaf; false if
  /// there is nothing to ask. `answer` ends the simulation when the batch has been evaluated. Only
  /// if the evaluator has these steps; in between nothing but `slots` may be called.
  [[nodiscard]] bool ask(const Origin<G>& origin, LeafBatch& batch);
  SimulationResult<G> answer(const Origin<G>& origin);
  /// That of the last such simulation.
  [[nodiscard]] const Trajectory<G>& trajectory() const { return trajectory_; }

  /// Steps 1 and 2: plays the next moves from the origin on until a position is new (and has got a
  /// node), finished, proven, or has no room for its moves. Overwrites the trajectory.
  void select(const Origin<G>& origin, Trajectory<G>& trajectory);
  /// Counts the visits of a selected trajectory before its result is there, so that the next
  /// simulations select as if the leaf's value were the mean so far.
  void add_virtual_visits(Trajectory<G>& trajectory);
  /// Step 4: backs up the leaf's `evaluation`, which a proof of the leaf overwrites.
  void back_up(const Origin<G>& origin, Trajectory<G>& trajectory, Evaluation<G>& evaluation);
  /// Takes back the virtual visits of a trajectory whose evaluation will not come.
  void take_back(Trajectory<G>& trajectory);

  /// Makes a block with the moves of an unfinished position, whose evaluation for its mover is
  /// `value`; 0 if there is no room. With priors, one for each move, the likeliest move comes
  /// first.
  [[nodiscard]] Index expand(const G& position, double value = 0.5,
                             std::span<const float> priors = {});
  /// What the moves of a position that end the game prove (solver.hpp).
  [[nodiscard]] Proof prove_ends(const G& position, MoveBlock& block) {
    return engine::prove_ends(access(), position, block);
  }

  /// Closes the moves of the root that need not be tried, and proves it if a winning one is known
  /// or each of them loses. A root that is lost without that is searched on, for a move that
  /// resists.
  void study_root(const G& position, Node& root) requires HasKnowledge<G> {
    const Proof won = won_by(position.to_move());
    if (!slots_.knowledge || root.moves == 0 || root.proof == won) return;
    MoveBlock& block = tree_->block(root.moves);
    root.proof = study(position, block) == won ? won : common_winner(*tree_, block);
  }

  // A walk from the root of the search, for a thread that looks for a part of the tree to search:
  // estimators choose by the moves that led to a position.

  /// Begins a walk at the root, in the search's t-th simulation.
  void begin_at_root(std::int64_t t) {
    if (has_estimators()) slots_.estimators->begin_at_root(t);
  }
  /// The node of the move to try next in the position with this block; 0 if there is no room.
  /// MoveBlock::next is the move.
  [[nodiscard]] Index next_node(const G& position, MoveBlock& block);
  /// The walk plays the move that `next_node` has found for the position with this block.
  void follow(const G& position, MoveBlock& block) {
    if (!has_estimators()) return;
    slots_.estimators->follow(position, block.move()[block.next], block.next, true);
  }
  /// The simulations to come begin after these moves, those of the last walk.
  void begin_below(std::span<const Edge> path) {
    std::ranges::copy(path, trajectory_.edges.begin());
    trajectory_.above = path.size();
    if (has_estimators()) slots_.estimators->begin_here();
  }

  /// Whether the blocks of the tree have priors: the evaluator's, those of features, or, for a
  /// selection rule by priors, equal ones.
  [[nodiscard]] bool has_prior_room() const {
    return slots_.has_priors || slots_.has_feature_priors ||
           selection_row(options_.selection).has_priors;
  }
  [[nodiscard]] TreeAccess access() { return {*tree_, selector_, writer_, random_}; }
  [[nodiscard]] Selector& selector() { return selector_; }
  [[nodiscard]] Slots<G>& slots() { return slots_; }
  [[nodiscard]] const Slots<G>& slots() const { return slots_; }
  [[nodiscard]] const TreeWriter& writer() const { return writer_; }
  [[nodiscard]] games::Random& random() { return random_; }

 private:
  [[nodiscard]] bool has_estimators() const { return !options_.estimators.empty(); }
  template <bool Guided>
  void select_path(const Origin<G>& origin, Trajectory<G>& trajectory);
  void choose(const G& position, MoveBlock& block);
  [[nodiscard]] Proof study(const G& position, MoveBlock& block) requires HasKnowledge<G> {
    return engine::study(access(), *slots_.knowledge, position, block);
  }
  [[nodiscard]] bool is_to_be_studied(const MoveBlock& block) const {
    return slots_.knowledge && !block.is_studied && block.visits >= options_.knowledge;
  }
  [[nodiscard]] bool expand_selected(const G& position, Trajectory<G>& trajectory, Node& node,
                                     Proof& proof);
  [[nodiscard]] Index expand_between(const G& position, Trajectory<G>& trajectory);
  [[nodiscard]] Proof expand_leaf(const Origin<G>& origin, Trajectory<G>& trajectory,
                                  const Evaluation<G>& evaluation);
  void observe_first(Trajectory<G>& trajectory) {
    if (slots_.novelty && slots_.novelty_first) trajectory.novelty = observe(trajectory.leaf, 0);
  }
  [[nodiscard]] double observe(const G& leaf, double value) {
    return slots_.novelty->observe(leaf, value);
  }
  void add_result(Trajectory<G>& trajectory, const Values<G>& values);

  Options options_;
  Selector selector_;
  int players_ = G::players;  ///< of the search's game
  Slots<G> slots_;
  Slots<G> outdated_;  ///< what the last search had and this one has not, until `prepare`
  Tree* tree_ = nullptr;
  TreeWriter writer_;
  games::Random random_{0};
  Trajectory<G> trajectory_;  ///< used by `simulate`
  std::int64_t simulations_ = 0;
};

template <games::Game G>
SimulationResult<G> Simulator<G>::simulate(const Origin<G>& origin) {
  select(origin, trajectory_);
  observe_first(trajectory_);
  Evaluation<G> evaluation;
  if (trajectory_.proof == Proof::none) {
    slots_.evaluator->evaluate(trajectory_, random_, evaluation);
  }
  back_up(origin, trajectory_, evaluation);
  return {evaluation.values, trajectory_.novelty, static_cast<int>(trajectory_.own_path().size())};
}

template <games::Game G>
bool Simulator<G>::ask(const Origin<G>& origin, LeafBatch& batch) {
  select(origin, trajectory_);
  observe_first(trajectory_);
  return trajectory_.proof == Proof::none && slots_.evaluator->ask(trajectory_, batch);
}

template <games::Game G>
SimulationResult<G> Simulator<G>::answer(const Origin<G>& origin) {
  Evaluation<G> evaluation;
  if (trajectory_.proof == Proof::none) slots_.evaluator->answer(trajectory_, evaluation);
  back_up(origin, trajectory_, evaluation);
  return {evaluation.values, trajectory_.novelty, static_cast<int>(trajectory_.own_path().size())};
}

// 1. Select

template <games::Game G>
[[gnu::always_inline]] inline void Simulator<G>::select(const Origin<G>& origin,
                                                        Trajectory<G>& trajectory) {
  ++simulations_;
  trajectory.novelty = 0;
  if (has_estimators()) {
    slots_.estimators->start(simulations_);
    select_path<true>(origin, trajectory);
  } else {
    select_path<false>(origin, trajectory);
  }
  // A proof stays valid when the solver is switched off.
  const Proof known =
      trajectory.own_path().empty() ? origin.proof : trajectory.path().back().node->proof;
  trajectory.proof =
      known == Proof::none && options_.solver ? proof_of(trajectory.leaf.result()) : known;
}

/// `Guided`: estimators choose. An origin without results is the leaf itself. A position between
/// two half moves is a leaf only if there is no room for its moves, or no evaluation yet.
template <games::Game G>
template <bool Guided>
void Simulator<G>::select_path(const Origin<G>& origin, Trajectory<G>& trajectory) {
  G position = origin.position;
  Edge* const begin = trajectory.edges.data() + trajectory.above;
  Edge* edge = begin;
  Node* node = &origin.node;
  for (bool is_leaf = node->settled() == 0 && !games::is_between(position); !is_leaf;
       is_leaf = node->visits == 0 && !games::is_between(position)) {
    if (node->moves == 0) {
      Proof& proof = edge == begin ? origin.proof : node->proof;
      if (!expand_selected(position, trajectory, *node, proof)) break;
    }
    MoveBlock& block = tree_->block(node->moves);
    if constexpr (HasKnowledge<G>) {
      if (is_to_be_studied(block)) {
        Proof& known = edge == begin ? origin.proof : node->proof;
        known = study(position, block);
        if (known != Proof::none) break;
      }
    }
    const Index child = Guided ? next_node(position, block) : access().next_node(block);
    if (child == 0) break;
    node = &tree_->node(child);
    *edge++ = {&block, node, block.next, position.to_move()};
    if constexpr (Guided) follow(position, block);
    position.play(block.move()[block.next]);
  }
  trajectory.length = static_cast<std::size_t>(edge - trajectory.edges.data());
  trajectory.leaf = position;
}

template <games::Game G>
inline Index Simulator<G>::next_node(const G& position, MoveBlock& block) {
  if (!has_estimators()) return access().next_node(block);
  choose(position, block);
  const int chosen = block.next;
  const Index node = access().next_node(block);
  if (block.next == chosen) return node;
  // No room for a new node: only moves that have one are left.
  choose(position, block);
  return block.next_node;
}

/// The estimators choose anew at every visit, by what they know now.
template <games::Game G>
void Simulator<G>::choose(const G& position, MoveBlock& block) {
  selector_.bring_up_to_date(*tree_, block, random_);
  const std::span<const games::Move> moves(block.move(), block.count);
  block.set_next(slots_.estimators->choose(position, moves, &block, random_));
}

// 2. Expand

/// Gives a selected `node`, which has none, its moves, and its proof if they show one; false if the
/// selection ends at the node.
template <games::Game G>
bool Simulator<G>::expand_selected(const G& position, Trajectory<G>& trajectory, Node& node,
                                   Proof& proof) {
  const bool asks_at_once = slots_.has_priors && games::is_between(position);
  // With priors a whole position gets its moves when its evaluation is backed up.
  if (!asks_at_once && (slots_.has_priors || position.result().finished())) return false;
  node.moves = asks_at_once ? expand_between(position, trajectory) : expand(position);
  if (node.moves == 0) return false;
  if (options_.solver) proof = prove_ends(position, tree_->block(node.moves));
  return !options_.solver || proof == Proof::none;
}

/// The block of a position between two half moves in a search with priors; 0 if there is no room,
/// or its evaluation comes later.
template <games::Game G>
Index Simulator<G>::expand_between(const G& position, Trajectory<G>& trajectory) {
  if (!slots_.evaluator) return 0;
  Evaluation<G> evaluation;
  trajectory.leaf = position;
  slots_.evaluator->evaluate(trajectory, random_, evaluation);
  const double value = evaluation.values[games::index(position.to_move())];
  return expand(position, value, evaluation.priors);
}

/// Gives an evaluated leaf its moves, unless there is no room. Returns what they prove of the leaf.
template <games::Game G>
Proof Simulator<G>::expand_leaf(const Origin<G>& origin, Trajectory<G>& trajectory,
                                const Evaluation<G>& evaluation) {
  Node& node = trajectory.own_path().empty() ? origin.node : *trajectory.path().back().node;
  const double value = evaluation.values[games::index(trajectory.leaf.to_move())];
  if (node.moves == 0) node.moves = expand(trajectory.leaf, value, evaluation.priors);
  if (node.moves == 0 || !options_.solver) return Proof::none;
  return prove_ends(trajectory.leaf, tree_->block(node.moves));
}

template <games::Game G>
Index Simulator<G>::expand(const G& position, double value, std::span<const float> priors) {
  if (writer_.is_full()) return 0;  // to list moves for nothing takes most of a simulation's time
  games::MoveList<G::max_moves> moves;
  position.legal_moves(moves);
  const Index index = writer_.add_block(moves.size());
  if (index == 0) return 0;
  MoveBlock& block = tree_->block(index);
  if (slots_.has_feature_priors) {
    priors = slots_.features->policy().probabilities(
        position, {moves.begin(), moves.end()}, static_cast<float>(options_.prior_temperature));
  }
  // Priors come from outside: another number of them counts as none.
  if (!(slots_.has_priors || slots_.has_feature_priors) ||
      priors.size() != static_cast<std::size_t>(moves.size())) {
    selector_.open(block, moves.begin(), value, random_);
  } else {
    selector_.open(block, moves.begin(), value, priors, random_);
  }
  return index;
}

// 3. Evaluate: Evaluator (leaf/evaluator.hpp), or BatchEvaluator for the driver in_flight.hpp;
//    NoveltyMeasure (novelty/novelty.hpp). Novelty is observed before an evaluation that is a
//    playout or comes later, unless it depends on the value.

// 4. Back up

template <games::Game G>
[[gnu::always_inline]] inline void Simulator<G>::back_up(const Origin<G>& origin,
                                                         Trajectory<G>& trajectory,
                                                         Evaluation<G>& evaluation) {
  if (trajectory.proof != Proof::none) evaluation = {values_of<G>(trajectory.proof), {}};
  if (slots_.novelty && !slots_.novelty_first) {
    trajectory.novelty = observe(trajectory.leaf, evaluation.values[games::index(origin.seat)]);
  }
  add_result(trajectory, evaluation.values);
  if (slots_.has_priors && !evaluation.priors.empty()) {
    trajectory.proof = expand_leaf(origin, trajectory, evaluation);
  }
  if (trajectory.proof != Proof::none) {
    prove(access(), trajectory.own_path(), origin.proof, trajectory.proof);
  }
}

/// Adds the result to the nodes of the path and to what the estimators have learned.
template <games::Game G>
[[gnu::always_inline]] inline void Simulator<G>::add_result(Trajectory<G>& trajectory,
                                                            const Values<G>& values) {
  if (trajectory.is_virtual) {
    ColourSamples samples;
    for (int c = 0; c < G::players; ++c) samples[c].add(values[c], trajectory.novelty);
    selector_.complete(trajectory.own_path(), 1, samples);
    if (has_estimators()) slots_.estimators->exchange(trajectory.trace);
    trajectory.is_virtual = false;
  } else {
    selector_.back_up(trajectory.own_path(), values.data(), trajectory.novelty, random_);
  }
  if (has_estimators()) slots_.estimators->learn(values);
}

// Between selection and back-up

template <games::Game G>
void Simulator<G>::add_virtual_visits(Trajectory<G>& trajectory) {
  observe_first(trajectory);
  if (has_estimators()) slots_.estimators->exchange(trajectory.trace);
  selector_.add_virtual_visits(trajectory.own_path(), 1);
  trajectory.is_virtual = true;
}

template <games::Game G>
void Simulator<G>::take_back(Trajectory<G>& trajectory) {
  selector_.complete(trajectory.own_path(), 1, {});
  trajectory.is_virtual = false;
}

}  // namespace pitboss::engine
