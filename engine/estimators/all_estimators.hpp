#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "engine/estimators/abstractors.hpp"

namespace pitboss::engine {

template <class... Types>
struct EstimatorList {
  static constexpr int count = sizeof...(Types);
  static constexpr std::array<EstimatorRow, count> rows{Types::row...};

  /// Calls `visit.operator()<Type>()` for the type of that estimator.
  template <class Visit>
  static void with(Estimator estimator, Visit&& visit) {
    (void)((Types::estimator == estimator && (visit.template operator()<Types>(), true)) || ...);
  }
  /// Whether the types stand in the order of Estimator, each with its factor and all but the first
  /// with its bias.
  static constexpr bool is_whole() {
    int place = 0;
    return ((static_cast<int>(Types::estimator) == place && Types::row.exploration != nullptr &&
             (Types::row.bias != nullptr) == (place++ > 0)) &&
            ...);
  }
};

/// THE list of estimators, from which searches, the option `estimators`, the options of each and
/// the documents derive. A type has `estimator`, its place, and `row`, all that is told of it
/// (options.hpp); an abstractor has `context(trail, mover)`, if contexts do not depend on the move,
/// else `contexts`, as Block.
using AllEstimators =
    EstimatorList<History, Global, Block, OwnMoves, TwoGram, ThreeGram, Rave, State, WideBlock>;
static_assert(AllEstimators::is_whole());
static_assert(AllEstimators::count <= 8 * sizeof(EstimatorSet));

/// A context function, in a game.
template <games::Game G>
class Abstractor {
 public:
  virtual ~Abstractor() = default;
  /// Writes the contexts of a position's `moves`. Called once a ply.
  virtual void contexts(const G& position, const Trail& trail, std::span<const games::Move> moves,
                        std::uint64_t* context) const = 0;
};

template <class Type, games::Game G>
class AbstractorOf final : public Abstractor<G> {
 public:
  void contexts(const G& position, const Trail& trail, std::span<const games::Move> moves,
                std::uint64_t* context) const override {
    if constexpr (requires { Type::context(trail, position.to_move()); }) {
      std::fill_n(context, moves.size(), Type::context(trail, position.to_move()));
    } else {
      Type::contexts(position, trail, moves, context);
    }
  }
};

/// The context function of an estimator; null for `history`, and for an estimator that the game
/// does not support (check_options refuses it).
template <games::Game G>
[[nodiscard]] std::unique_ptr<Abstractor<G>> make_abstractor(Estimator estimator) {
  std::unique_ptr<Abstractor<G>> made;
  AllEstimators::with(estimator, [&]<class Type>() {
    constexpr bool is_supported = games::HasTarget<G> || !Type::row.needs_target;
    if constexpr (Type::estimator != Estimator::history && is_supported) {
      made = std::make_unique<AbstractorOf<Type, G>>();
    }
  });
  return made;
}

}  // namespace pitboss::engine
