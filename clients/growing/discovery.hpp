#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "clients/growing/instances.hpp"
#include "clients/growing/samples.hpp"
#include "games/random.hpp"

/// New features for a linear policy (Biasing MCTS with Features for General Games, sec. IV): each
/// combines two instances that match the same move of a sample.
namespace pitboss::clients {

/// How the two instances are chosen.
enum class Strategy : std::uint8_t {
  random,          ///< at random, of a random move
  combine_random,  ///< at random, of the move whose probability has the largest error
  combine_max,     ///< of that move, one of its heaviest feature and one at random
  correlation      ///< the best pair by eq. 7 over all moves
};

/// The most instances of a move that are considered, the heaviest first. Ludii 1.0.8 has 75.
inline constexpr std::size_t most_instances = 75;

/// A position of the batch with its mover's weights.
struct Weighed {
  const Sample* sample;
  std::span<const double> weights;
};

/// A feature that `instances` lack; nothing if the batch yields none.
[[nodiscard]] std::optional<engine::MoveFeature> discover(Strategy strategy,
                                                          std::span<const Weighed> batch,
                                                          Instances& instances,
                                                          games::Random& random);

/// The counts of a pair of instances over all moves of a batch.
struct PairCounts {
  double n;              ///< moves
  double both;           ///< moves at which both match
  double one;            ///< moves at which the first's feature is active
  double other;          ///< moves at which the second's feature is active
  double error_of_both;  ///< sum of the errors where both match
  double error;          ///< sum of all errors
  double squares;        ///< sum of their squares
};
/// |r(pair, error)| (1 - max(|r(pair, one)|, |r(pair, other)|)), r being the correlation (eq. 7);
/// nothing where a correlation is undefined because one variable is constant.
[[nodiscard]] std::optional<double> correlation_score(const PairCounts& counts);

}  // namespace pitboss::clients
