#pragma once

#include <optional>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/scores.hpp"
#include "clients/experiments/statistics/sprt.hpp"

namespace pitboss::clients {

/// The probability that a test of drift and deviation a round comes out worse than it did after
/// `rounds`, where its log-likelihood ratio was `llr`: that it had accepted elo0 before, or that it
/// was going on then with less. The ratio is taken for a Brownian motion, which begins at 0 and
/// ends at the bounds. `rounds` and `deviation` must be above 0, `llr` within the bounds.
[[nodiscard]] double probability_of_worse(const Interval& bounds, double drift, double deviation,
                                          double rounds, double llr);

/// Logistic Elo by the course of a test, which ends sooner the luckier it is: the difference at
/// which an outcome as good as this one is as likely as a worse one, and the ends of its 95 %
/// interval (as fishtest has it). Unlike `elo_estimate`, it is not biased away from even by the
/// stopping rule. Nothing if all rounds scored alike, and for the BayesElo model.
[[nodiscard]] std::optional<EloEstimate> sprt_corrected_estimate(const Scores& scores,
                                                                 const SprtPlan& plan);

}  // namespace pitboss::clients
