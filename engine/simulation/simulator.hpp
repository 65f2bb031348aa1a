#pragma once

#include <utility>

#include "engine/leaf/evaluation.hpp"
#include "engine/leaf/flight.hpp"
#include "engine/simulation/slots.hpp"
#include "engine/tree/selector.hpp"
#include "engine/tree/solver.hpp"
#include "games/halves.hpp"
#include "games/random.hpp"

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

/// The result of a simulation.
template <games::Game G>
struct Finding {
  Values<G> values;
  double novelty;
  int depth;  ///< moves chosen
};

/// One thread's simulations in a tree for games of type G: Monte Carlo tree search with one
/// evaluation a simulation (UCT; Kocsis, Szepesvari 2006), novelty mixed into selection (Novelty in
/// MCTS, eqs. 9 and 10).
///
/// One simulation has two halves: `descend` selects moves until a position is new, the leaf;
/// `arrive` takes the leaf's evaluation and novelty and backs both up along the path. `simulate`
/// does both at once. Novelty is asked before an evaluation that is a playout or comes later,
/// unless it depends on the value. Between `depart` and `arrive` a simulation is in flight, and
/// others may be made. Positions are not merged: a tree. One thread at a time.
template <games::Game G>
class Simulator {
  static_assert(G::max_moves <= 65528);  // MoveBlock::padded

 public:
  explicit Simulator(const G& any) : selector_(G::max_moves), flight_(any) {}
  // Not copied: the slots refer to the options.
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  ~Simulator() = default;

  /// Sets the simulator up for a new search from a position after `ply` plies with `mover` to move.
  /// `source` and `later` are as for make_slots. The options must have been checked.
  void begin(const Options& options, int ply, games::Colour mover, games::Random random,
             const EvaluatorSource<G>* source = nullptr, const BatchEvaluator<G>* later = nullptr) {
    options_ = options;
    outdated_ = std::exchange(slots_, {});
    slots_ = make_slots<G>(options_, ply, mover, std::move(outdated_), source, later);
    random_ = random;
    flight_.above = 0;
    selector_.set(options_, 0);
  }
  /// Takes over the live options. May throw std::bad_alloc; then only `begin` and `forget` may be
  /// called.
  void set(const Options& options, std::uint32_t epoch) {
    const Options before = std::exchange(options_, options);
    update_slots(slots_, options_, before);
    selector_.set(options_, epoch);
  }
  /// Follows `begin`, for a search from `root`, of a game with these parameters: frees what only
  /// the last search has used, and does what prepare_slots does.
  void prepare(const G& root, const std::string& parameters) {
    outdated_ = {};
    prepare_slots(slots_, root, parameters);
  }
  /// Prepares for the simulations of an emptied tree. May throw std::bad_alloc.
  void reset(Tree& tree) {
    if (has_estimators()) slots_.estimators->make_room();
    tree_ = &tree;
    writer_.reset(tree, has_prior_room());
  }

  /// Whether the blocks of the tree have priors: the evaluator's, those of features, or, for PUCT
  /// alone, equal ones.
  [[nodiscard]] bool has_prior_room() const {
    return slots_.has_priors || slots_.has_feature_priors || options_.selection == Selection::puct;
  }

  /// The next search begins without what the last one has learned. Frees nothing large.
  void forget() {
    Slots<G> kept;
    kept.estimators = std::move(slots_.estimators);
    kept.move_means = std::move(slots_.move_means);
    if (kept.estimators) kept.estimators->forget();
    slots_ = std::move(kept);
  }
  /// Sets how many simulations the search has made so far.
  void count_from(std::int64_t simulations) { simulations_ = simulations; }
  /// The simulations to come begin after these moves, those of the last walk.
  void begin_below(std::span<const Step> path) {
    std::ranges::copy(path, flight_.steps.begin());
    flight_.above = path.size();
    if (has_estimators()) slots_.estimators->begin_here();
  }

  /// Begins a walk from the root of the search, in its t-th simulation; `follow` tells the
  /// estimators its moves.
  void begin_at_root(std::int64_t t) {
    if (has_estimators()) slots_.estimators->begin_at_root(t);
  }
  /// The walk plays the move that `next_node` has found for the position with this block.
  void follow(const G& position, MoveBlock& block) {
    if (!has_estimators()) return;
    slots_.estimators->follow(position, block.move()[block.next], block.next, true);
  }
  /// The node of the move to try next in the position with this block; 0 if there is no room.
  /// MoveBlock::next is the move.
  [[nodiscard]] Index next_node(const G& position, MoveBlock& block) {
    if (!has_estimators()) return access().next_node(block);
    choose(position, block);
    const int chosen = block.next;
    const Index node = access().next_node(block);
    if (block.next == chosen) return node;
    // No room for a new node: only moves that have one are left.
    choose(position, block);
    return block.next_node;
  }

  /// One whole simulation, whose leaf is evaluated at once.
  Finding<G> simulate(const Origin<G>& origin);

  /// The first half: plays the next moves from the origin on until a position is new (and has got a
  /// node), finished, proven, or has no room for its moves.
  void descend(const Origin<G>& origin, Flight<G>& flight);
  /// Counts the flight's visits as pending; another flight may then descend.
  void depart(Flight<G>& flight);
  /// The second half: backs up the leaf's `evaluation`, which a proof of the flight overwrites.
  void arrive(const Origin<G>& origin, Flight<G>& flight, Evaluation<G>& evaluation);
  /// Takes back the visits of a departed flight whose evaluation will not come.
  void withdraw(Flight<G>& flight);

  /// Makes a block with the moves of an unfinished position, whose evaluation for its mover is
  /// `value`; 0 if there is no room. With priors, one for each move, the likeliest move comes
  /// first.
  [[nodiscard]] Index expand(const G& position, double value = 0.5,
                             std::span<const float> priors = {});
  /// What the moves of a position that end the game prove (solver.hpp).
  [[nodiscard]] Proof prove_ends(const G& position, MoveBlock& block) {
    return engine::prove_ends(access(), position, block);
  }

  [[nodiscard]] TreeAccess access() { return {*tree_, selector_, writer_, random_}; }
  [[nodiscard]] Selector& selector() { return selector_; }
  [[nodiscard]] Slots<G>& slots() { return slots_; }
  [[nodiscard]] const Slots<G>& slots() const { return slots_; }
  [[nodiscard]] const TreeWriter& writer() const { return writer_; }
  [[nodiscard]] games::Random& random() { return random_; }

 private:
  [[nodiscard]] bool has_estimators() const { return !options_.estimators.empty(); }
  void choose(const G& position, MoveBlock& block);
  template <bool Guided>
  void follow_next(const Origin<G>& origin, Flight<G>& flight);
  [[nodiscard]] bool give_moves(const G& position, Flight<G>& flight, Node& node, Proof& proof);
  [[nodiscard]] Index expand_between(const G& position, Flight<G>& flight);
  void ask_novelty_first(Flight<G>& flight) {
    if (slots_.novelty && slots_.novelty_first) flight.novelty = observe(flight.leaf, 0);
  }
  [[nodiscard]] double observe(const G& leaf, double value) {
    return slots_.novelty->observe(leaf, value);
  }
  void back_up(Flight<G>& flight, const Values<G>& values);
  [[nodiscard]] Proof open_leaf(const Origin<G>& origin, Flight<G>& flight,
                                const Evaluation<G>& evaluation);

  Options options_;
  Selector selector_;
  Slots<G> slots_;
  Slots<G> outdated_;  ///< what the last search had and this one has not, until `prepare`
  Tree* tree_ = nullptr;
  TreeWriter writer_;
  games::Random random_{0};
  Flight<G> flight_;  ///< used by `simulate`
  std::int64_t simulations_ = 0;
};

template <games::Game G>
Finding<G> Simulator<G>::simulate(const Origin<G>& origin) {
  descend(origin, flight_);
  ask_novelty_first(flight_);
  Evaluation<G> evaluation;
  if (flight_.proof == Proof::none) slots_.evaluator->evaluate(flight_, random_, evaluation);
  arrive(origin, flight_, evaluation);
  return {evaluation.values, flight_.novelty, static_cast<int>(flight_.own_path().size())};
}

template <games::Game G>
[[gnu::always_inline]] inline void Simulator<G>::descend(const Origin<G>& origin,
                                                         Flight<G>& flight) {
  ++simulations_;
  flight.novelty = 0;
  if (has_estimators()) {
    slots_.estimators->start(simulations_);
    follow_next<true>(origin, flight);
  } else {
    follow_next<false>(origin, flight);
  }
  // A proof stays valid when the solver is switched off.
  const Proof known = flight.own_path().empty() ? origin.proof : flight.path().back().node->proof;
  flight.proof = known == Proof::none && options_.solver ? proof_of(flight.leaf.result()) : known;
}

/// `Guided`: estimators choose. An origin without results is the leaf itself. A position between
/// two half moves is a leaf only if there is no room for its moves, or no evaluation yet.
template <games::Game G>
template <bool Guided>
void Simulator<G>::follow_next(const Origin<G>& origin, Flight<G>& flight) {
  G position = origin.position;
  Step* const begin = flight.steps.data() + flight.above;
  Step* step = begin;
  Node* node = &origin.node;
  for (bool is_leaf = node->settled() == 0 && !games::is_between(position); !is_leaf;
       is_leaf = node->visits == 0 && !games::is_between(position)) {
    if (node->moves == 0) {
      Proof& proof = step == begin ? origin.proof : node->proof;
      if (!give_moves(position, flight, *node, proof)) break;
    }
    MoveBlock& block = tree_->block(node->moves);
    const Index child = Guided ? next_node(position, block) : access().next_node(block);
    if (child == 0) break;
    node = &tree_->node(child);
    *step++ = {&block, node, block.next, position.to_move()};
    if constexpr (Guided) follow(position, block);
    position.play(block.move()[block.next]);
  }
  flight.length = static_cast<std::size_t>(step - flight.steps.data());
  flight.leaf = position;
}

/// Gives `node`, which has none, its moves, and its proof if they show one; false if the descent
/// ends at the node.
template <games::Game G>
bool Simulator<G>::give_moves(const G& position, Flight<G>& flight, Node& node, Proof& proof) {
  const bool asks_at_once = slots_.has_priors && games::is_between(position);
  // With priors a whole position gets its moves when its evaluation arrives.
  if (!asks_at_once && (slots_.has_priors || position.result().finished())) return false;
  node.moves = asks_at_once ? expand_between(position, flight) : expand(position);
  if (node.moves == 0) return false;
  if (options_.solver) proof = prove_ends(position, tree_->block(node.moves));
  return !options_.solver || proof == Proof::none;
}

/// The block of a position between two half moves in a search with priors; 0 if there is no room,
/// or its evaluation comes later.
template <games::Game G>
Index Simulator<G>::expand_between(const G& position, Flight<G>& flight) {
  if (!slots_.evaluator) return 0;
  Evaluation<G> evaluation;
  flight.leaf = position;
  slots_.evaluator->evaluate(flight, random_, evaluation);
  const double value = evaluation.values[games::index(position.to_move())];
  return expand(position, value, evaluation.priors);
}

template <games::Game G>
void Simulator<G>::depart(Flight<G>& flight) {
  ask_novelty_first(flight);
  if (has_estimators()) slots_.estimators->exchange(flight.trajectory);
  selector_.depart(flight.own_path(), 1);
  flight.departed = true;
}

template <games::Game G>
[[gnu::always_inline]] inline void Simulator<G>::arrive(const Origin<G>& origin, Flight<G>& flight,
                                                        Evaluation<G>& evaluation) {
  if (flight.proof != Proof::none) evaluation = {values_of<G>(flight.proof), {}};
  if (slots_.novelty && !slots_.novelty_first) {
    flight.novelty = observe(flight.leaf, evaluation.values[games::index(origin.seat)]);
  }
  back_up(flight, evaluation.values);
  if (slots_.has_priors && !evaluation.priors.empty()) {
    flight.proof = open_leaf(origin, flight, evaluation);
  }
  if (flight.proof != Proof::none) {
    prove(access(), flight.own_path(), origin.proof, flight.proof);
  }
}

template <games::Game G>
[[gnu::always_inline]] inline void Simulator<G>::back_up(Flight<G>& flight,
                                                         const Values<G>& values) {
  if (flight.departed) {
    ColourSamples samples;
    for (int c = 0; c < G::players; ++c) samples[c].add(values[c], flight.novelty);
    selector_.arrive(flight.own_path(), 1, samples);
    if (has_estimators()) slots_.estimators->exchange(flight.trajectory);
    flight.departed = false;
  } else {
    selector_.back_up(flight.own_path(), values.data(), flight.novelty, random_);
  }
  if (has_estimators()) slots_.estimators->learn(values);
}

template <games::Game G>
void Simulator<G>::withdraw(Flight<G>& flight) {
  selector_.arrive(flight.own_path(), 1, {});
  flight.departed = false;
}

/// Gives the leaf its moves, unless there is no room. Returns what they prove of the leaf.
template <games::Game G>
Proof Simulator<G>::open_leaf(const Origin<G>& origin, Flight<G>& flight,
                              const Evaluation<G>& evaluation) {
  Node& node = flight.own_path().empty() ? origin.node : *flight.path().back().node;
  const double value = evaluation.values[games::index(flight.leaf.to_move())];
  if (node.moves == 0) node.moves = expand(flight.leaf, value, evaluation.priors);
  if (node.moves == 0 || !options_.solver) return Proof::none;
  return prove_ends(flight.leaf, tree_->block(node.moves));
}

/// The estimators choose anew at every visit, by what they know now.
template <games::Game G>
void Simulator<G>::choose(const G& position, MoveBlock& block) {
  selector_.bring_up_to_date(*tree_, block, random_);
  const std::span<const games::Move> moves(block.move(), block.count);
  block.set_next(slots_.estimators->choose(position, moves, &block, random_));
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

}  // namespace pitboss::engine
