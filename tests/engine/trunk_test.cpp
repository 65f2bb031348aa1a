#include "engine/trunk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/simulator.hpp"
#include "games/amazons.hpp"
#include "games/any_game.hpp"
#include "games/breakthrough.hpp"
#include "games/connect4.hpp"
#include "games/pentalath.hpp"
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
      if (lane->leases.held > 0) give_back(*lane);
    }
  }
  /// Leases whose subtree lay in another one's, or around it.
  [[nodiscard]] int overlaps() const { return overlaps_; }
  /// How often a thread got more than one subtree.
  [[nodiscard]] int several() const { return several_; }
  [[nodiscard]] int made() const { return made_; }
  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] MoveBlock& moves() { return tree_.block(root_.moves); }
  [[nodiscard]] const Node& node(Index i) const { return tree_.node(i); }

 private:
  struct Lane {
    explicit Lane(const G& any) : leases(any) {}
    Simulator<G> simulator;
    Leases<G> leases;
    std::size_t current = 0;  ///< which of them it works on
    int stalled = 0;          ///< turns to come in which it does nothing
  };

  void step(Lane& lane) {
    if (lane.stalled > 0) {
      --lane.stalled;
    } else if (lane.leases.held == 0) {
      take(lane);
    } else {
      Lease<G>& lease = lane.leases.all[lane.current];
      const auto [values, novelty, depth] =
          lane.simulator.simulate(lease.position, *lease.node, lease.proof, position_->to_move());
      for (int c = 0; c < G::players; ++c) lease.samples[c].add(values[c], novelty);
      ++made_;
      const auto count = static_cast<int>(lease.samples[0].count);
      if (count < lease.simulations && !lease.wanted) return;
      if (++lane.current == lane.leases.held) give_back(lane);
    }
  }
  void take(Lane& lane) {
    Simulator<G>& s = lane.simulator;
    if (!trunk_.lease(lane.leases, 100000, s)) return;
    lane.current = 0;
    for (std::size_t i = 0; i < lane.leases.held; ++i) {
      lane.leases.all[i].samples = {};
      for (const auto& other : lanes_) {
        // Its own leases must not overlap either.
        const std::size_t others = other.get() == &lane ? i : other->leases.held;
        for (std::size_t j = 0; j < others; ++j)
          check_apart(lane.leases.all[i], other->leases.all[j]);
      }
    }
    if (random_.below(10) == 0) lane.stalled = random_.below(400);
    if (lane.leases.held > 1) ++several_;
  }
  void check_apart(const Lease<G>& a, const Lease<G>& b) {
    if (a.node == b.node || is_above(a, b) || is_above(b, a)) ++overlaps_;
  }
  [[nodiscard]] bool is_above(const Lease<G>& upper, const Lease<G>& lower) const {
    return upper.node == &root_ ||
           std::ranges::find(lower.path, upper.node, &Step::node) != lower.path.end();
  }
  void give_back(Lane& lane) {
    for (std::size_t& held = lane.leases.held; held > 0; --held) {
      trunk_.give_back(lane.leases.all[held - 1], lane.simulator);
    }
  }

  games::Random random_;
  std::unique_ptr<G> position_;
  Tree tree_;
  Node root_{};
  Trunk<G> trunk_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  int made_ = 0;
  int overlaps_ = 0;
  int several_ = 0;
};

template <games::Game G>
void check_leases(double k, bool several) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Interleaving<G> search(8, k, seed);
    search.run(60000);
    CHECK(search.overlaps() == 0);
    CHECK((search.several() > 0) == several);
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
  check_leases<games::Breakthrough>(0.05, false);
  check_leases<games::Connect4>(0.3, false);
  check_leases<games::Pentalath>(0.3, true);
  check_leases<games::Amazons>(0.3, true);
}
