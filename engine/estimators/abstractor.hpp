#pragma once

#include <algorithm>
#include <span>

#include "engine/estimators/trail.hpp"
#include "engine/options/options.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// A context function f(h, a) of ME-MCTS: maps a history and a move to a context. The estimator's
/// key adds the move and its mover.
template <games::Game G>
class Abstractor {
 public:
  virtual ~Abstractor() = default;
  /// Writes the contexts of a position's `moves`. Called once a ply.
  virtual void contexts(const G& position, const Trail& trail, std::span<const games::Move> moves,
                        std::uint64_t* context) const = 0;
};

/// An abstractor whose context does not depend on the move.
template <games::Game G>
class TrailAbstractor : public Abstractor<G> {
 public:
  void contexts(const G& position, const Trail& trail, std::span<const games::Move> moves,
                std::uint64_t* context) const final {
    std::fill_n(context, moves.size(), this->context(trail, position.to_move()));
  }

 private:
  [[nodiscard]] virtual std::uint64_t context(const Trail& trail, games::Colour mover) const = 0;
};

/// No context: the mean of a move wherever it is played (Progressive History in the tree, MAST in
/// playouts).
template <games::Game G>
class GlobalAbstractor final : public TrailAbstractor<G> {
  [[nodiscard]] std::uint64_t context(const Trail&, games::Colour) const override { return 1; }
};

/// OMA: all earlier moves of the same player, in their order, without the other players' (Baier,
/// Kaisers 2020).
template <games::Game G>
class OwnMovesAbstractor final : public TrailAbstractor<G> {
  [[nodiscard]] std::uint64_t context(const Trail& trail, games::Colour mover) const override {
    return trail.own[static_cast<std::size_t>(games::index(mover))];
  }
};

/// N-gram selection (Tak, Winands, Bjornsson 2012): the last move, or the last two.
template <games::Game G>
class TwoGramAbstractor final : public TrailAbstractor<G> {
  [[nodiscard]] std::uint64_t context(const Trail& trail, games::Colour) const override {
    return trail.last;
  }
};
template <games::Game G>
class ThreeGramAbstractor final : public TrailAbstractor<G> {
  [[nodiscard]] std::uint64_t context(const Trail& trail, games::Colour) const override {
    return games::mix(trail.before_last) ^ trail.last;
  }
};

/// RAVE: the whole history. A move also counts at earlier positions of its simulation
/// (Estimators::learn_all_later).
template <games::Game G>
class RaveAbstractor final : public TrailAbstractor<G> {
  [[nodiscard]] std::uint64_t context(const Trail& trail, games::Colour) const override {
    return trail.all;
  }
};

}  // namespace pitboss::engine
