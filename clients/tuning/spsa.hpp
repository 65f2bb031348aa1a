#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clients/tuning/method.hpp"

namespace pitboss::clients {

/// What is guessed and wanted of SPSA with constant gains, from which Van den Bergh's theory
/// (vdbergh/spsa_simul, theoretical_basis.pdf) makes its constants.
struct SpsaSettings {
  double precision = 5;  ///< Elo; the last point loses less with 95 %
  /// Elo that a parameter loses at half its range from the best. A guess below the truth costs
  /// games, one above it precision.
  double loss_at_half_range = 50;
  double draw_ratio = 0;  ///< the share of draws
  /// The root mean square difference from 1/2 of the first colour's expected score.
  double opening_bias = 0;
  /// 0: as many as the design needs. More than these are used, too; fewer are refused.
  std::int64_t games = 0;
};

/// The constants. K = 800/ln 10; E the loss at half the range, h half the range in coordinates, and
/// z the 95 % quantile of chi-square with a degree of freedom for each parameter.
///
/// Against itself a step is one game of theta + c f against theta - c f. Against an opponent it is
/// two, and as their difference is twice as noisy, the gain is half and the games are fourfold.
struct SpsaDesign {
  double gain;                ///< r = 8 P / (K z (1 - d - 4 b^2)), P the precision
  std::vector<double> steps;  ///< c_j in coordinates: a sixth of the range, or the range's own
  /// The standard deviation of theta_j around the best in the end, in coordinates:
  /// h_j sqrt(P / (z E)).
  std::vector<double> noise;
  double time_constant;  ///< in games: the largest K h_j^2 / (4 r E c_j^2), twice if a step is two
  std::int64_t games;    ///< three time constants
};
/// Throws UserError, which names the key, for settings out of range and parameters without a range.
[[nodiscard]] SpsaDesign design(const SpsaSettings& settings, const SearchSpace& space,
                                bool against_itself);
/// The games of a proposal, and how many proposals have at least so many games.
[[nodiscard]] int games_per_step(const Conditions& conditions);
[[nodiscard]] std::int64_t proposals_of(std::int64_t games, const Conditions& conditions);
/// The precision that so many games are designed for, all else being equal.
[[nodiscard]] double precision_of(std::int64_t games, const SpsaSettings& settings,
                                  const SearchSpace& space, bool against_itself);

/// A loss in Elo: its mean, and what it stays below with 95 %.
struct EloLoss {
  double mean;
  double bound;
};
/// The loss to expect after three time constants if the guesses are right and the start loses
/// `start` Elo, as much in each parameter: of the last point, or of the mean over the last time
/// constant, which is the answer.
[[nodiscard]] EloLoss loss_of_last_point(const SpsaSettings& settings, int parameters,
                                         double start);
[[nodiscard]] EloLoss loss_of_answer(const SpsaSettings& settings, int parameters, double start);

/// What a tuned player scored.
struct Scored {
  double points = 0;
  int games = 0;
};
/// A sentence if the last proposals, which are a step from the answer, lose more against its
/// opponents than the guess allows at three steps: the steps are wider than the hill.
[[nodiscard]] std::optional<std::string> remark_on_steps(const SpsaSettings& settings,
                                                         int parameters, const Scored& proposals,
                                                         const Scored& answer);

/// Simultaneous perturbation stochastic approximation (Spall 1992) with constant gains: proposal i
/// draws flips f = +-1 from seed and i, plays theta + c f and theta - c f from one opening in all
/// seatings, and theta += r c f w with w = wins - losses. Values are clipped to their ranges, after
/// rounding. The answer is the mean of theta over the last time constant.
class Spsa : public Method {
 public:
  /// Throws UserError as `design` does, for a start that is no number in its range, and for fewer
  /// games than the design needs.
  Spsa(SearchSpace space, Conditions conditions, const SpsaSettings& settings);

  [[nodiscard]] std::optional<Proposal> propose() override;
  void learn(const Outcome& outcome) override;
  [[nodiscard]] std::vector<Values> recommended() const override;
  /// Parameters that still drift: over the last time constant, the mean of theta's second half
  /// differs from the first's by more than the noise of its steps explains (t test, 5 %). And those
  /// nearer to a bound than their noise. And draws and openings that made the games quieter than
  /// designed; that scores far from 1/2 make them quiet, too, is no advice on either.
  [[nodiscard]] std::vector<std::string> remarks() const override;

  [[nodiscard]] std::int64_t learned() const { return learned_; }
  /// In coordinates, after so many outcomes.
  [[nodiscard]] std::span<const double> theta(std::int64_t outcomes) const;
  /// The mean square of a proposal's w, by its games: the 1 - d - 4 b^2 of the design, as measured.
  [[nodiscard]] double measured_noise() const;
  /// The answer in coordinates.
  [[nodiscard]] std::vector<double> mean_theta() const;

 private:
  [[nodiscard]] bool plays_against_itself() const { return conditions_.opponents == 0; }
  [[nodiscard]] std::vector<int> flips(games::Random& random) const;
  [[nodiscard]] Values played(const std::vector<int>& flips, int sign, games::Random& random) const;
  [[nodiscard]] std::int64_t window() const;
  [[nodiscard]] bool drifts(std::size_t parameter) const;

  /// What the games against an opponent, or itself, were like.
  struct Tried {
    int games = 0;
    double points = 0;
    double drawn = 0;  ///< 1 for a draw, 0 for a win or a loss
  };
  /// Of the noise that the design counts on, 1: what draws, scores far from 1/2, and uneven
  /// openings have each taken.
  struct Quiet {
    double by_draws;
    double by_scores;
    double by_openings;
  };
  [[nodiscard]] Quiet measured_quiet() const;

  SearchSpace space_;
  Conditions conditions_;
  SpsaSettings settings_;
  SpsaDesign design_;
  std::int64_t proposals_;
  std::int64_t made_ = 0;
  std::int64_t learned_ = 0;
  double squares_ = 0;           // of w, summed over the outcomes, each by its games
  std::vector<Tried> tried_;     // by opponent
  std::vector<double> history_;  // theta after each outcome
};

}  // namespace pitboss::clients
