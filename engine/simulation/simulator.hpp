#pragma once

#include <utility>
#include <vector>

#include "engine/simulation/slots.hpp"
#include "engine/tree/selector.hpp"
#include "engine/tree/solver.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// One thread's simulations in a tree for games of type G: Monte Carlo tree search with one
/// evaluation a simulation (UCT; Kocsis, Szepesvari 2006), novelty mixed into selection (Novelty in
/// MCTS, eqs. 9 and 10).
///
/// One simulation: follow the moves that come next until a position is new, evaluate it, ask its
/// novelty (before a playout first), back both up along the path. Positions are not merged: a tree.
template <games::Game G>
class Simulator {
  static_assert(G::max_moves <= 65528);  // MoveBlock::padded

 public:
  Simulator() : selector_(G::max_moves), path_(G::max_plies) {}
  // The slots refer to the options.
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  ~Simulator() = default;

  /// Sets the simulator up for a new search from a position after `ply` plies with `mover` to move.
  /// Throws BadOption as check_slots; then nothing has changed.
  void begin(const Options& options, int ply, games::Colour mover, games::Random random) {
    check_slots<G>(options);
    options_ = options;
    slots_ = make_slots<G>(options_, ply, mover, std::move(slots_));
    random_ = random;
    above_ = 0;
    selector_.set(options_, 0);
  }
  /// Takes over the live options. May throw std::bad_alloc; then only `begin` and `forget` are
  /// left.
  void set(const Options& options, std::uint32_t epoch) {
    const Options before = std::exchange(options_, options);
    update_slots(slots_, options_, before);
    selector_.set(options_, epoch);
  }
  /// Prepares for the simulations of an emptied tree. May throw std::bad_alloc.
  void reset(Tree& tree) {
    if (has_estimators()) slots_.estimators->make_room();
    tree_ = &tree;
    writer_.reset(tree);
  }

  /// Forgets the last search and what its memory was.
  void forget() { slots_ = {}; }
  /// How many simulations the search has made before the ones to come.
  void count_from(std::int64_t simulations) { simulations_ = simulations; }
  /// The simulations to come begin behind these moves, those of the last walk.
  void begin_below(std::span<const Step> path) {
    std::ranges::copy(path, path_.begin());
    above_ = path.size();
    if (has_estimators()) slots_.estimators->begin_here();
  }

  /// For a walk from the root of the search, in its t-th simulation, of which the estimators are
  /// told by `follow`.
  void begin_at_root(std::int64_t t) {
    if (has_estimators()) slots_.estimators->begin_at_root(t);
  }
  /// The move that `next_node` has found for the block of a position is played.
  void follow(const G& position, MoveBlock& block) {
    if (!has_estimators()) return;
    slots_.estimators->follow(position, block.move()[block.next], block.next, true);
  }
  /// The node of the move to try next in a position, whose moves are the block; 0 if there is no
  /// room. MoveBlock::next is the move.
  [[nodiscard]] Index next_node(const G& position, MoveBlock& block) {
    if (!has_estimators()) return selector_.next_node(*tree_, block, writer_, random_);
    choose(position, block);
    const int chosen = block.next;
    const Index node = selector_.next_node(*tree_, block, writer_, random_);
    if (block.next == chosen) return node;
    // No room for a new node: only moves that have one are left.
    choose(position, block);
    return block.next_node;
  }

  /// What a simulation has found.
  struct Outcome {
    Values<G> values;
    double novelty;
    int depth;  ///< moves played
  };
  /// One simulation from `position`, whose node is `node`: into the moves behind it, or nowhere if
  /// the node has no visits yet. Updates what lies behind the node; of the node itself only
  /// `moves`, and `top`, what is known of the position. `seat` is the colour that moves at the
  /// root of the search.
  Outcome simulate(const G& position, Node& node, Proof& top, games::Colour seat);

  /// A block with the moves of an unfinished position; 0 if there is no room.
  [[nodiscard]] Index expand(const G& position);
  /// What the moves of a position that end the game prove (solver.hpp).
  [[nodiscard]] Proof prove_ends(const G& position, MoveBlock& block) {
    return engine::prove_ends(*tree_, position, block, selector_, writer_, random_);
  }

  [[nodiscard]] Selector& selector() { return selector_; }
  [[nodiscard]] Slots<G>& slots() { return slots_; }
  [[nodiscard]] TreeWriter& writer() { return writer_; }
  [[nodiscard]] games::Random& random() { return random_; }

 private:
  [[nodiscard]] bool has_estimators() const { return !options_.estimators.empty(); }
  void choose(const G& position, MoveBlock& block);
  template <bool Guided>
  [[nodiscard]] int descend(G& position, Node& root, Proof& root_proof);
  [[nodiscard]] Proof proof_at(const G& leaf, std::span<const Step> path, Proof top) const;

  Options options_;
  Selector selector_;
  Slots<G> slots_;
  Tree* tree_ = nullptr;
  TreeWriter writer_;
  games::Random random_{0};
  std::vector<Step> path_;  ///< from the root of the search on
  std::size_t above_ = 0;   ///< how much of it leads to where simulations begin
  std::int64_t simulations_ = 0;
};

template <games::Game G>
auto Simulator<G>::simulate(const G& position, Node& node, Proof& top, games::Colour seat)
    -> Outcome {
  G leaf = position;
  ++simulations_;
  int length = 0;
  if (has_estimators()) {
    slots_.estimators->start(simulations_);
    if (node.settled() > 0) length = descend<true>(leaf, node, top);
  } else if (node.settled() > 0) {
    length = descend<false>(leaf, node, top);
  }
  const std::span<const Step> path(path_.data(), above_ + length);
  const Proof proof = proof_at(leaf, path, top);
  const bool novelty_first = slots_.novelty && slots_.novelty_first;
  const double novelty = novelty_first ? slots_.novelty->observe(leaf, 0) : 0;
  Outcome outcome{
      proof == Proof::none ? slots_.evaluator->evaluate(leaf, path, random_) : values_of<G>(proof),
      novelty, length};
  if (slots_.novelty && !novelty_first) {
    outcome.novelty = slots_.novelty->observe(leaf, outcome.values[games::index(seat)]);
  }
  const std::span<const Step> below = path.subspan(above_);
  selector_.back_up(below, outcome.values.data(), outcome.novelty, random_);
  if (has_estimators()) slots_.estimators->learn(outcome.values);
  if (proof != Proof::none) prove(*tree_, below, top, proof, selector_, random_);
  return outcome;
}

/// Who is sure to win the position at the end of a path; `top` is what is known of where it begins.
/// What has been proven stays so when the solver is switched off.
template <games::Game G>
Proof Simulator<G>::proof_at(const G& leaf, std::span<const Step> path, Proof top) const {
  const Proof known = path.size() > above_ ? path.back().node->proof : top;
  return known == Proof::none && options_.solver ? proof_of(leaf.result()) : known;
}

/// Plays the moves that come next until a position is new (for which it makes a node), finished,
/// proven, or has no room for its moves; leaves the way there in path_ and returns its length.
/// `Guided` by estimators or not.
template <games::Game G>
template <bool Guided>
int Simulator<G>::descend(G& position, Node& root, Proof& root_proof) {
  Step* const begin = path_.data() + above_;
  Step* step = begin;
  Node* node = &root;
  for (;;) {
    if (node->moves == 0) {
      if (position.result().finished()) break;
      node->moves = expand(position);
      if (node->moves == 0) break;
      if (options_.solver) {
        Proof& proof = step == begin ? root_proof : node->proof;
        proof = prove_ends(position, tree_->block(node->moves));
        if (proof != Proof::none) break;
      }
    }
    MoveBlock& block = tree_->block(node->moves);
    const Index child =
        Guided ? next_node(position, block) : selector_.next_node(*tree_, block, writer_, random_);
    if (child == 0) break;
    node = &tree_->node(child);
    *step++ = {&block, node, block.next, position.to_move()};
    if constexpr (Guided) follow(position, block);
    position.play(block.move()[block.next]);
    if (node->visits == 0) break;
  }
  return static_cast<int>(step - begin);
}

/// By what the estimators say now, not when the block was visited last.
template <games::Game G>
void Simulator<G>::choose(const G& position, MoveBlock& block) {
  selector_.bring_up_to_date(*tree_, block, random_);
  const std::span<const games::Move> moves(block.move(), block.count);
  block.set_next(slots_.estimators->choose(position, moves, &block, random_));
}

template <games::Game G>
Index Simulator<G>::expand(const G& position) {
  games::MoveList<G::max_moves> moves;
  position.legal_moves(moves);
  const Index index = writer_.add_block(moves.size());
  if (index != 0) selector_.open(tree_->block(index), moves.begin(), random_);
  return index;
}

}  // namespace pitboss::engine
