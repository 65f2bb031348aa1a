#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "engine/options/options.hpp"
#include "engine/tree/exploration.hpp"
#include "engine/tree/scoring.hpp"
#include "engine/tree/tree.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// An edge of the tree on a simulation's path: one selected move.
struct Edge {
  MoveBlock* block;
  Node* node;  ///< of the move
  int move;    ///< its index in the block
  games::Colour mover;
};

/// Sums of the results of some simulations, for one colour.
struct Samples {
  std::uint32_t count = 0;
  double sum = 0;
  double squares = 0;
  double novelty = 0;

  void add(double value, double novelty_score) {
    ++count;
    sum += value;
    squares += value * value;
    novelty += novelty_score;
  }
  void add(const Samples& others) {
    count += others.count;
    sum += others.sum;
    squares += others.squares;
    novelty += others.novelty;
  }
};

/// The same for every colour of the game.
using ColourSamples = std::array<Samples, games::most_players>;

/// Keeps the statistics of a tree's moves and chooses each node's next move: the one with the
/// highest bound, which is the value part (mean, or `novelty_mix`) plus the exploration term
/// (Novelty in MCTS, eqs. 9 and 10). Independent of the game. One thread at a time; several
/// selectors of the same epoch may work on separate parts of one tree.
class Selector {
 public:
  /// For nodes with up to `max_moves` moves.
  explicit Selector(int max_moves);

  /// Takes over the options that selection reads, in a game of so many players. A block of
  /// another epoch is scored anew when a simulation reaches it (`next_node`).
  void set(const Options& options, std::uint32_t epoch, int players = 2);
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
  /// Whether the selector chooses the next moves; else estimators do.
  [[nodiscard]] bool chooses() const { return chooses_; }

  /// Fills a block with untried moves, all equally likely if the block has room for priors; a
  /// random one comes first. `value` is the position's evaluation for its mover.
  void open(MoveBlock& block, const games::Move* moves, double value, games::Random& random) const;
  /// Fills a block that has room for priors; `priors` has one for each move. The move with the
  /// largest prior comes first, a random one among equals.
  void open(MoveBlock& block, const games::Move* moves, double value, std::span<const float> priors,
            games::Random& random) const;
  /// A node without visits; `value` is that of its virtual sample, if it has one.
  [[nodiscard]] static Node untried(double value = 0.5) {
    return {value, value * value, 0, 0, 0, 0, Proof::none, false, 0};
  }

  /// The value of a virtual sample.
  [[nodiscard]] double virtual_value() const { return virtual_value_; }

  /// Backs up one simulation: adds its result to the nodes and blocks of its path and chooses the
  /// next move of each block, unless estimators choose. `values` has one for each colour.
  void back_up(std::span<const Edge> path, const double* values, double novelty,
               games::Random& random) {
    const auto score = static_cast<float>(novelty);
    with_novelty_ ? back_up_path<true>(path, values, score, random)
                  : back_up_path<false>(path, values, score, random);
  }

  /// The node of a block's next move, made if the move has none. If there is no room for a node,
  /// closes all moves without one and chooses another; 0 if no move is left. A block of another
  /// epoch is scored anew first.
  [[nodiscard]] Index next_node(Tree& tree, MoveBlock& block, TreeWriter& writer,
                                games::Random& random);

  /// Scores a block of another epoch anew, and makes a choice that was delayed.
  void bring_up_to_date(const Tree& tree, MoveBlock& block, games::Random& random) {
    if (block.epoch != epoch_) catch_up(tree, block, random);
  }

  /// Chooses a block's next move; among equals the first one from a random place on, as in the
  /// authors' program.
  void choose(MoveBlock& block, games::Random& random);
  /// Chooses the best move after those that `choose` and this function have chosen, from the scores
  /// left by `choose`. The selector must not have chosen for another block since.
  void choose_next_best(MoveBlock& block, games::Random& random);
  /// The score of the move that `choose` or `choose_next_best` has just chosen, if there was one.
  [[nodiscard]] float chosen_score(const MoveBlock& block) const {
    return scores_.data()->score[block.next];
  }
  /// Puts a block's choice off until a simulation reaches it.
  static void put_off_choice(MoveBlock& block) { block.epoch |= unchosen; }
  /// Scores a block of another epoch anew and chooses; among equals the move chosen before stays.
  /// Closed moves stay closed.
  void renew(const Tree& tree, MoveBlock& block);

  /// Recomputes a move's entries in its block from its node. Opens a closed move, unless it is
  /// closed for good.
  void refresh(MoveBlock& block, int move, const Node& node) const;
  /// Excludes a move from the choice.
  static void close(MoveBlock& block, int move) { block.base()[move] = never; }
  [[nodiscard]] static bool is_closed(MoveBlock& block, int move) {
    return block.base()[move] == never;
  }

  // Virtual visits: those of leases (threads) and of leaves in flight, whose results come later.
  // They count at once, so that choices made meanwhile see the bounds as narrow as they will be
  // (virtual loss without the loss: Liu et al. 2020, "Watch the unobserved").

  /// Counts `visits` through the move of an edge, or every move of a path, whose results are to
  /// come (Node::pending), and puts off the choices of the blocks.
  void add_virtual_visits(const Edge& edge, std::uint32_t visits) const;
  void add_virtual_visits(std::span<const Edge> path, std::uint32_t visits) const {
    for (const Edge& edge : path) add_virtual_visits(edge, visits);
  }
  /// Completes virtual `visits` by the samples of each edge's mover. Visits beyond the number of
  /// samples were not made and are taken back.
  void complete(const Edge& edge, std::uint32_t visits, const ColourSamples& samples) const;
  void complete(std::span<const Edge> path, std::uint32_t visits,
                const ColourSamples& samples) const {
    for (const Edge& edge : path) complete(edge, visits, samples);
  }

 private:
  static constexpr float never = -std::numeric_limits<float>::infinity();
  static constexpr std::uint32_t unchosen = std::uint32_t{1} << 31;  ///< beside a block's epoch
  struct alignas(64) Line {
    float score[16];
  };

  void settle(Node& node, const Samples& samples) const;
  void fill(MoveBlock& block, const games::Move* moves, double value) const;
  void catch_up(const Tree& tree, MoveBlock& block, games::Random& random);
  [[nodiscard]] Index new_node(Tree& tree, MoveBlock& block, TreeWriter& writer,
                               games::Random& random);
  /// The terms that a back-up takes from a node's visit count.
  struct Shares {
    SampleShare samples;
    float visit;                ///< 1 / visits
    NoveltyWeights::Parts mix;  ///< only with novelty, as is `visit`
  };
  template <bool WithNovelty>
  [[nodiscard]] Shares shares(const Node& node) const;
  template <bool WithNovelty>
  void back_up_path(std::span<const Edge> path, const double* values, float novelty,
                    games::Random& random);
  static void enter(MoveBlock& block, int move, const Node& node, float base, float inverse_root);
  [[nodiscard]] float mixed(const Node& node, NoveltyWeights::Parts parts) const {
    return weights_.mixed(parts, node.novelty, static_cast<float>(node.mean));
  }
  template <class From>
  [[nodiscard]] int best(MoveBlock& block, From&& from);
  [[nodiscard]] NodeTerms terms_of(const MoveBlock& block) const;
  void average(MoveBlock& block, double sum, std::uint32_t count) const;
  [[nodiscard]] float untried_base() const;
  [[nodiscard]] float untried_inverse_root() const;
  /// Samples of a move as the formulas count them: n_a.
  [[nodiscard]] std::uint32_t samples(const Node& node) const {
    return node.visits + virtual_sample_;
  }

  RuleFactors factors_{Options()};
  Selection rule_ = Selection::ucb1_tuned;
  ChooseMove choose_ = choose_move_by(Selection::ucb1_tuned);
  BestOf best_of_ = best_of_scores();
  bool with_novelty_ = false;
  bool chooses_ = true;               ///< false: estimators choose at every visit
  std::uint32_t virtual_sample_ = 1;  ///< samples of a move before its first visit
  double virtual_value_ = 0.5;
  bool averages_ = false;  ///< whether MoveBlock::mean is kept
  std::uint32_t epoch_ = 0;
  NoveltyWeights weights_;
  std::vector<Line> scores_;  ///< room for the scores of one block
};

/// The objects with which one thread works on a tree.
struct TreeAccess {
  Tree& tree;
  Selector& selector;
  TreeWriter& writer;
  games::Random& random;

  /// As Selector::next_node.
  [[nodiscard]] Index next_node(MoveBlock& block) const {
    return selector.next_node(tree, block, writer, random);
  }
};

inline Index Selector::next_node(Tree& tree, MoveBlock& block, TreeWriter& writer,
                                 games::Random& random) {
  bring_up_to_date(tree, block, random);
  return block.next_node != 0 ? block.next_node : new_node(tree, block, writer, random);
}

}  // namespace pitboss::engine
