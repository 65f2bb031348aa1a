#include "engine/search/shared_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/search/mcts.hpp"
#include "games/amazons.hpp"
#include "games/any_game.hpp"
#include "games/breakthrough.hpp"
#include "games/connect4.hpp"
#include "games/hex.hpp"
#include "games/pentalath.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/sanitized.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using pitboss::tests::inside;

namespace {

/// Simulated threads that take turns at random in one real thread; if they stall, then one does
/// nothing for a while with its lease now and then, as a thread that has lost its processor.
template <games::Game G>
class Interleaving {
 public:
  Interleaving(std::size_t threads, double k, std::uint64_t seed, bool they_stall = true)
      : random_(seed), they_stall_(they_stall) {
    const auto game = games::make_game(G::name);
    position_ = std::make_unique<G>(inside<G>(*game));
    Options options;
    options.k = k;
    tree_.reset(64);
    for (std::size_t i = 0; i < threads; ++i) {
      threads_.push_back(std::make_unique<Thread>(*position_, i + 1));
      threads_[i]->simulator.begin(options, 0, *position_, games::Random(seed + 1 + i));
      threads_[i]->simulator.prepare(*position_, "");
      threads_[i]->simulator.reset(tree_);
    }
    root_ = Selector::untried();
    root_.visits = 1;
    root_.moves = threads_[0]->simulator.expand(*position_);
    shared_tree_.reset(tree_, root_, static_cast<int>(threads));
  }

  /// Makes about that many simulations; all leases are then back.
  void run(int simulations) {
    while (made_ < simulations) step(*threads_[random_.below(static_cast<int>(threads_.size()))]);
    for (const auto& thread : threads_) {
      if (!thread->leases.empty())
        shared_tree_.give_back(thread->leases, thread->simulator.access());
    }
  }
  /// Leases whose subtree lay in another one's, or around it.
  [[nodiscard]] int overlaps() const { return overlaps_; }
  /// Leases whose position was not that at their node.
  [[nodiscard]] int misplaced() const { return misplaced_; }
  /// How often a thread asked for leases, and how often it got none.
  [[nodiscard]] int asked() const { return asked_; }
  [[nodiscard]] int refused() const { return refused_; }
  /// How often a thread got more than one subtree.
  [[nodiscard]] int several() const { return several_; }
  /// How often a thread got a large subtree that it had had before, or that another one had.
  [[nodiscard]] int stayed() const { return stayed_; }
  [[nodiscard]] int moved() const { return moved_; }
  [[nodiscard]] int made() const { return made_; }
  /// The values of all simulations for the colour that moves at the root, added up.
  [[nodiscard]] double won() const { return won_; }
  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] MoveBlock& moves() { return tree_.block(root_.moves); }
  [[nodiscard]] const Node& node(Index i) const { return tree_.node(i); }

 private:
  struct Thread {
    Thread(const G& any, int thread) : simulator(any), leases(thread), positions(any) {}
    Simulator<G> simulator;
    Leases leases;
    LeasedPositions<G> positions;
    std::array<std::vector<Edge>, Leases::most> paths;  ///< to each of them
    std::size_t current = 0;                            ///< which of them it works on
    int stalled = 0;                                    ///< turns to come in which it does nothing
  };

  void step(Thread& thread) {
    if (thread.stalled > 0) {
      --thread.stalled;
    } else if (thread.leases.empty()) {
      take(thread);
    } else {
      Lease& lease = thread.leases[thread.current];
      const auto [values, novelty, depth] = thread.simulator.simulate(
          {thread.positions[thread.current], *lease.node, lease.proof, position_->to_move()});
      for (int c = 0; c < G::players; ++c) lease.samples[c].add(values[c], novelty);
      ++made_;
      won_ += values[games::index(position_->to_move())];
      const auto count = static_cast<int>(lease.samples[0].count);
      if (count < lease.simulations && !lease.wanted) return;
      if (++thread.current < thread.leases.size()) return;
      shared_tree_.give_back(thread.leases, thread.simulator.access());
    }
  }
  void take(Thread& thread) {
    Simulator<G>& s = thread.simulator;
    ++asked_;
    if (shared_tree_.lease(thread.leases, 100000, s.access(), nullptr) == 0) {
      ++refused_;
      return;
    }
    thread.positions.find(thread.leases, *position_);
    thread.current = 0;
    for (std::size_t i = 0; i < thread.leases.size(); ++i) {
      Lease& lease = thread.leases[i];
      lease.samples = {};
      const std::span<const Edge> path = thread.leases.path_to(lease);
      thread.paths[i].assign(path.begin(), path.end());
      misplaced_ += is_misplaced(thread.positions[i], path) ? 1 : 0;
      note_holder(lease, thread);
      for (const auto& other : threads_) {
        // Its own leases must not overlap either.
        const std::size_t others = other.get() == &thread ? i : other->leases.size();
        for (std::size_t j = 0; j < others; ++j) {
          if (is_above(thread, i, *other, j) || is_above(*other, j, thread, i)) ++overlaps_;
        }
      }
    }
    if (they_stall_ && random_.below(10) == 0) thread.stalled = random_.below(400);
    if (thread.leases.size() > 1) ++several_;
  }
  /// Of subtrees of some size that somebody has had, counts those that stay with a thread.
  void note_holder(const Lease& lease, const Thread& thread) {
    const auto [had, is_new] = last_holder_.try_emplace(lease.node, &thread);
    if (!is_new && lease.node->visits > 300) ++(had->second == &thread ? stayed_ : moved_);
    had->second = &thread;
  }
  /// Whether the one's node is on the way to the other's, or the same.
  [[nodiscard]] bool is_above(Thread& upper, std::size_t i, const Thread& lower,
                              std::size_t j) const {
    const Node* const node = upper.leases[i].node;
    return node == &root_ ||
           std::ranges::find(lower.paths[j], node, &Edge::node) != lower.paths[j].end();
  }
  /// Whether the position of a lease is another one than the moves lead to.
  [[nodiscard]] bool is_misplaced(const G& leased, std::span<const Edge> path) const {
    G position = *position_;
    for (const Edge& edge : path) {
      if (edge.mover != position.to_move()) return true;
      position.play(edge.block->move()[edge.move]);
    }
    return !(position == leased);
  }

  games::Random random_;
  bool they_stall_;
  std::unique_ptr<G> position_;
  Tree tree_;
  Node root_{};
  SharedTree shared_tree_;
  std::vector<std::unique_ptr<Thread>> threads_;
  int made_ = 0;
  double won_ = 0;
  int overlaps_ = 0;
  int misplaced_ = 0;
  int asked_ = 0;
  int refused_ = 0;
  int several_ = 0;
  std::unordered_map<const Node*, const Thread*> last_holder_;
  int stayed_ = 0;
  int moved_ = 0;
};

template <games::Game G>
void check_leases(double k, bool several) {
  for (std::uint64_t seed = 1; seed <= (tests::sanitized ? 1 : 6); ++seed) {
    Interleaving<G> search(8, k, seed);
    search.run(60000);
    CHECK(search.overlaps() == 0);
    CHECK(search.misplaced() == 0);
    CHECK((search.several() > 0) == several);
    // Nothing is lost, and nothing is counted twice.
    CHECK(search.root().visits == static_cast<std::uint32_t>(search.made()) + 1);
    CHECK(search.root().pending == 0);
    MoveBlock& moves = search.moves();
    CHECK(moves.visits == static_cast<std::uint32_t>(search.made()));
    std::uint32_t visits = 0;
    double won = 0;
    for (int i = 0; i < moves.count; ++i) {
      if (moves.node()[i] == 0) continue;
      const Node& node = search.node(moves.node()[i]);
      visits += node.visits;
      won += node.mean * (node.visits + 1) - 0.5;  // but for the virtual sample
      CHECK(node.pending == 0);
      CHECK(node.mean >= 0);
      CHECK(node.mean <= 1);
    }
    CHECK(visits == moves.visits);
    CHECK(won == doctest::Approx(search.won()).epsilon(1e-9));
  }
}

}  // namespace

TEST_CASE("SharedTree: no lease lies within another, however the threads progress") {
  check_leases<games::Breakthrough>(0.05, true);
  check_leases<games::Connect4>(0.3, false);
  check_leases<games::Pentalath>(0.3, true);
  check_leases<games::Amazons>(0.3, true);
}

TEST_CASE("SharedTree: a thread seldom waits for another one's small subtree") {
  const auto check = [](auto search) {
    search.run(60000);
    CHECK(search.asked() > 10000);
    CHECK(search.refused() < search.asked() / 8);
  };
  check(Interleaving<games::Pentalath>(2, 0.3, 1, false));
  check(Interleaving<games::Hex>(2, 0.3, 1, false));
}

TEST_CASE("SharedTree: a subtree mostly stays with the thread that had it last") {
  const auto check = [](auto search) {
    search.run(60000);
    CHECK(search.moved() < search.stayed() / 3);
  };
  check(Interleaving<games::Breakthrough>(2, 0.05, 1, false));
  check(Interleaving<games::Hex>(2, 0.3, 1, false));
}
