#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "clients/experiments/statistics/crosstable.hpp"
#include "clients/experiments/statistics/elo.hpp"

/// Ratings of any number of players on one scale, by maximum likelihood.
namespace pitboss::clients {

enum class RatingModel {
  /// Bradley-Terry (1952) with a draw as half a win and half a loss, a third of a point as a third
  /// of a win: the expected score is `score_of` the difference. The intervals ignore that draws
  /// narrow the spread of results, and are too wide if there are many.
  bradley_terry,
  /// Rao-Kupper (1967), which BayesElo uses: a player wins if its advantage exceeds `draw_elo`. Any
  /// result other than a win or loss counts as a draw.
  rao_kupper,
};

struct RatingOptions {
  RatingModel model = RatingModel::bradley_terry;
  std::optional<double> draw_elo;  ///< of Rao-Kupper, in Elo; fitted if none
  /// Draws added for each player, spread over its opponents in proportion to the games. Any
  /// positive prior gives players connected by games finite ratings, closer to each other.
  double prior_draws = 0.0;
};

/// Why a player has no finite rating, if it has none.
enum class RatingStatus {
  rated,
  no_games,
  won_all,
  lost_all,
  separated,  ///< has won all points against some, and lost all against all others
};

struct Rating {
  RatingStatus status = RatingStatus::no_games;
  double elo = 0.0;             ///< if rated; the mean of a component is 0
  std::optional<double> error;  ///< half the 95 % interval (Fisher), given the component's mean
  /// A component is a largest set of players in which everyone has taken points from everyone,
  /// directly or through others. Ratings of different components cannot be compared. A player
  /// without a rating is a component of its own. Components are numbered from 0 in order of their
  /// first players.
  int component = 0;
};

/// What `rate` finds.
struct Ratings {
  std::vector<Rating> players;
  int components = 0;
  /// Of Rao-Kupper, given or fitted; none if the fit is infinite: rated players only drew.
  std::optional<double> draw_elo;
  double log_likelihood = 0.0;      ///< of the games within components, prior included
  std::vector<double> covariances;  ///< players x players, in square Elo; empty without errors

  /// Of two players of one component; nothing for others.
  [[nodiscard]] std::optional<double> difference(int player, int other) const;
  /// Half the 95 % interval of the difference; smaller than the players' errors suggest.
  [[nodiscard]] std::optional<double> difference_error(int player, int other) const;
  /// The sum of some players' ratings, each with a weight, and its 95 % interval; the weights add
  /// up to 0, as those of a difference or a slope do. Nothing unless the players are of one
  /// component.
  [[nodiscard]] EloEstimate contrast(const std::vector<std::pair<int, double>>& weights) const;
  /// Likelihood of superiority: the probability that the player is stronger than the other.
  [[nodiscard]] std::optional<double> superiority(int player, int other) const;
};

/// Throws std::invalid_argument if `options` are negative or not finite, or if draw_elo is 0 and
/// there are draws.
[[nodiscard]] Ratings rate(const Crosstable& table, const RatingOptions& options = {});

}  // namespace pitboss::clients
