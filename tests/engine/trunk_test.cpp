#include "engine/trunk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/simulator.hpp"
#include "games/any_game.hpp"
#include "games/breakthrough.hpp"
#include "games/connect4.hpp"
#include "tests/engine/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using pitboss::tests::inside;

namespace {

/// Lanes that take turns at random in one thread; now and then one stalls with its lease, as a
/// thread does that has lost its processor.
template <games::Game G>
class Interleaving {
 public:
  Interleaving(std::size_t lanes, double k, std::uint64_t seed) : random_(seed) {
    const auto game = games::make_game(G::name);
    position_ = std::make_unique<G>(inside<G>(*game));
    Options options;
    options.k = k;
    tree_.reset(64);
    for (std::size_t i = 0; i < lanes; ++i) {
      lanes_.push_back(std::make_unique<Lane>(*position_));
      lanes_[i]->simulator.begin(options, 0, position_->to_move(), games::Random(seed + 1 + i));
      lanes_[i]->simulator.reset(tree_);
    }
    root_ = Selector::untried();
    root_.visits = 1;
    root_.moves = lanes_[0]->simulator.expand(*position_);
    trunk_.reset(tree_, *position_, root_, static_cast<int>(lanes));
  }

  /// Makes about that many simulations; all leases are then back.
  void run(int simulations) {
    while (made_ < simulations) step(*lanes_[random_.below(static_cast<int>(lanes_.size()))]);
    for (const auto& lane : lanes_) {
      if (lane->holds) give_back(*lane);
    }
  }
  /// Leases whose subtree lay in another one's, or around it.
  [[nodiscard]] int overlaps() const { return overlaps_; }
  [[nodiscard]] int made() const { return made_; }
  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] MoveBlock& moves() { return tree_.block(root_.moves); }
  [[nodiscard]] const Node& node(Index i) const { return tree_.node(i); }

 private:
  struct Lane {
    explicit Lane(const G& any) : lease(any) {}
    Simulator<G> simulator;
    Lease<G> lease;
    bool holds = false;
    int stalled = 0;  ///< turns to come in which it does nothing
  };

  void step(Lane& lane) {
    if (lane.stalled > 0) {
      --lane.stalled;
    } else if (!lane.holds) {
      take(lane);
    } else {
      const auto [values, novelty, depth] = lane.simulator.simulate(
          lane.lease.position, *lane.lease.node, lane.lease.proof, position_->to_move());
      for (int c = 0; c < G::players; ++c) lane.lease.samples[c].add(values[c], novelty);
      ++made_;
      const auto count = static_cast<int>(lane.lease.samples[0].count);
      if (count == lane.lease.simulations || lane.lease.wanted) give_back(lane);
    }
  }
  void take(Lane& lane) {
    Simulator<G>& s = lane.simulator;
    if (!trunk_.lease(lane.lease, 100000, s)) return;
    lane.lease.samples = {};
    lane.holds = true;
    if (random_.below(10) == 0) lane.stalled = random_.below(400);
    for (const auto& other : lanes_) {
      if (other.get() == &lane || !other->holds) continue;
      if (is_above(lane.lease, other->lease) || is_above(other->lease, lane.lease)) ++overlaps_;
    }
  }
  [[nodiscard]] bool is_above(const Lease<G>& upper, const Lease<G>& lower) const {
    return upper.node == &root_ ||
           std::ranges::find(lower.path, upper.node, &Step::node) != lower.path.end();
  }
  void give_back(Lane& lane) {
    trunk_.give_back(lane.lease, lane.simulator);
    lane.holds = false;
  }

  games::Random random_;
  std::unique_ptr<G> position_;
  Tree tree_;
  Node root_{};
  Trunk<G> trunk_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  int made_ = 0;
  int overlaps_ = 0;
};

template <games::Game G>
void check_leases(double k) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Interleaving<G> search(8, k, seed);
    search.run(60000);
    CHECK(search.overlaps() == 0);
    // Nothing is lost, and nothing is counted twice.
    CHECK(search.root().visits == static_cast<std::uint32_t>(search.made()) + 1);
    CHECK(search.root().pending == 0);
    MoveBlock& moves = search.moves();
    CHECK(moves.visits == static_cast<std::uint32_t>(search.made()));
    std::uint32_t visits = 0;
    for (int i = 0; i < moves.count; ++i) {
      if (moves.node()[i] == 0) continue;
      const Node& node = search.node(moves.node()[i]);
      visits += node.visits;
      CHECK(node.pending == 0);
      CHECK(node.mean >= 0);
      CHECK(node.mean <= 1);
    }
    CHECK(visits == moves.visits);
  }
}

}  // namespace

TEST_CASE("Trunk: no lease lies within another, however the threads progress") {
  check_leases<games::Breakthrough>(0.05);
  check_leases<games::Connect4>(0.3);
}
