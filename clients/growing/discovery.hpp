#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "clients/growing/instances.hpp"
#include "clients/growing/samples.hpp"
#include "games/random.hpp"

/// New features for a linear policy (Biasing MCTS with Features for General Games, sec. IV): each
/// combines two instances that match the same move of a position played.
namespace pitboss::clients {

/// How the two are chosen.
enum class Strategy : std::uint8_t {
  random,          ///< at random, of a random move
  combine_random,  ///< at random, of the move whose probability is most wrong
  combine_max,     ///< of that move, one of the heaviest feature and one at random
  correlation      ///< by eq. 7, of all moves
};

/// Instances of a move that are considered: those of its heaviest features. Ludii 1.0.8 has 75.
inline constexpr std::size_t most_instances = 75;

/// A position of the batch with its mover's weights.
struct Weighed {
  const Sample* sample;
  std::span<const double> weights;
};

/// A feature that is none of `instances` yet; nothing if the batch has none.
[[nodiscard]] std::optional<engine::MoveFeature> discover(Strategy strategy,
                                                          std::span<const Weighed> batch,
                                                          Instances& instances,
                                                          games::Random& random);

/// What is counted of a pair of instances over all moves of a batch.
struct PairCounts {
  double n;              ///< moves
  double both;           ///< moves at which both match
  double one;            ///< at which the first's feature is active,
  double other;          ///< the second's
  double error_of_both;  ///< sum of the errors where both match,
  double error;          ///< of all errors,
  double squares;        ///< of their squares
};
/// |r(pair, error)| (1 - max(|r(pair, one)|, |r(pair, other)|)), r being the correlation (eq. 7);
/// nothing where a correlation is none, since one side never changes.
[[nodiscard]] std::optional<double> correlation_score(const PairCounts& counts);

}  // namespace pitboss::clients
