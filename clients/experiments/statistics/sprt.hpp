#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "clients/experiments/statistics/scores.hpp"

namespace pitboss::clients {

/// The scale of a test's bounds.
enum class EloModel {
  normalized,  ///< Normalized Elo: the same test length whatever the share of draws
  logistic,    ///< Elo of the expected score
  bayesian,    ///< BayesElo, with the draw parameter fitted to the games; rounds of one game only
};

/// "normalized", "logistic", "bayesian".
[[nodiscard]] std::string_view name_of(EloModel model);
[[nodiscard]] std::optional<EloModel> elo_model_named(std::string_view name);

/// A sequential probability ratio test of "the difference is elo0" against "it is elo1".
struct SprtPlan {
  double elo0 = 0.0;
  double elo1 = 5.0;
  double alpha = 0.05;  ///< the probability to accept elo1 although elo0 is true
  double beta = 0.05;   ///< the probability to accept elo0 although elo1 is true
  EloModel model = EloModel::normalized;
};

enum class SprtVerdict { undecided, accept_elo0, accept_elo1 };

/// Throws std::invalid_argument unless elo0 < elo1, both within [-200, 200], alpha and beta in (0,
/// 1/2), and the model allows rounds of `games_per_round` games.
void check(const SprtPlan& plan, int games_per_round);

/// Where the test ends: elo0 is accepted at `low` or below, elo1 at `high` or above (Wald 1945).
[[nodiscard]] Interval sprt_bounds(const SprtPlan& plan);

/// The scores per game that the test compares, if a game's score has this deviation; nothing for
/// BayesElo, which has no such scores.
[[nodiscard]] std::optional<Interval> compared_scores(const SprtPlan& plan,
                                                      double deviation_of_game);

/// The shares of the classes of scores under which the seen scores are most likely, if the
/// difference is `elo` (within [-200, 200]). A class that was never seen counts a thousandth of a
/// round.
[[nodiscard]] std::vector<double> most_likely_shares(const Scores& scores, double elo,
                                                     EloModel model);

/// The generalised log-likelihood ratio of elo1 to elo0, each with its most likely distribution of
/// scores (Van den Bergh, support_MLE_multinomial.pdf and normalized_elo_practical.pdf at
/// cantate.be/Fishtest). A class that was never seen counts a thousandth of a round. 0 without
/// rounds. Throws as `check` does.
[[nodiscard]] double log_likelihood_ratio(const Scores& scores, const SprtPlan& plan);

[[nodiscard]] SprtVerdict sprt_verdict(double log_likelihood_ratio, const SprtPlan& plan);

}  // namespace pitboss::clients
