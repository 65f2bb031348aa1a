#pragma once

#include <string_view>

#include "clients/experiments/published_table.hpp"
#include "clients/experiments/statistics/intervals.hpp"
#include "clients/experiments/statistics/scores.hpp"

/// Scores beside those of a paper, and of a player beside its control.
namespace pitboss::clients {

/// A score, and what intervals of its difference from others need: mean and variance with one round
/// more that was won and one more that was lost (Agresti and Caffo 2000), so that few rounds, or
/// rounds that are all alike, are not taken for certain.
struct Estimate {
  double score;
  double mean;
  double variance;  ///< of the mean
};
/// From the scores of rounds, whose games share an opening.
[[nodiscard]] Estimate estimate_of(const Scores& rounds);
/// A paper's, of which the number of games is known; draws would make its variance less.
[[nodiscard]] Estimate estimate_of(double score, int games);

/// How much one score is above another that does not depend on it. The interval is that of Agresti
/// and Caffo, whose middle is a little nearer to 0 than `value`.
struct Difference {
  double value;
  Interval interval;  ///< 95 %, or as asked
  double p;           ///< two-sided: of a difference at least as large, of either sign, by chance
};
/// The interval reaches `normal` standard errors to each side.
[[nodiscard]] Difference difference(const Estimate& one, const Estimate& other,
                                    double normal = exact_normal_95);

enum class Verdict {
  reproduced,    ///< with the paper's options the score is what the paper says
  agrees,        ///< it is, but the players have other options than the paper's
  contradicted,  ///< with the paper's options it is not
  open,          ///< it is not, but the players have other options than the paper's
  undecided,     ///< the interval is too wide to tell
  begun,         ///< not all games that are planned were played
  not_run
};
/// On a match of which all games that are planned were played. The score is what the paper says if
/// the interval of the difference holds 0 and reaches no further than 0.05 to each side; undecided
/// if it holds 0 and is wider.
[[nodiscard]] Verdict verdict_on(const Difference& difference, bool has_paper_options);
/// On the interval of a score beside words of the paper. What they say holds for `better` if the
/// interval lies above 1/2, for `worse` below it, for `even` within 0.05 of it, for `not_better`
/// below 0.55. Else it does not hold if the interval lies on one side of 1/2, for `not_better`
/// above it.
[[nodiscard]] Verdict verdict_on(const Interval& score, Wording published, bool has_paper_options);
/// "reproduced"
[[nodiscard]] std::string_view name_of(Verdict verdict);

}  // namespace pitboss::clients
