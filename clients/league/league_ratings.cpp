#include "clients/league/league_ratings.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "clients/experiments/statistics/concave_maximum.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/intervals.hpp"

namespace pitboss::clients {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The log-posterior as a function of the free parameters: the ratings of all but the anchors, the
/// mean of the prior, the seat's advantage where there are seats, and the draws' where there are
/// any. In units of log odds.
class Posterior {
 public:
  explicit Posterior(const LeagueGames& games)
      : games_(games),
        mean_(std::ranges::count(games.anchors, std::optional<double>())),
        size_(mean_ + 1) {
    double sum = 0;
    Index next = 0;
    int anchors = 0;
    for (const auto& anchor : games.anchors) {
      free_.push_back(anchor ? -1 : next++);
      fixed_.push_back(anchor.value_or(0) / elo_scale);
      sum += fixed_.back();
      anchors += anchor ? 1 : 0;
    }
    centre_ = sum / std::max(anchors, 1);
    if (games.has_seats) seat_ = size_++;
    for (const SeatTally& tally : games.tallies) draws_ += tally.draws;
    if (draws_ > 0) draw_ = size_++;
  }

  [[nodiscard]] VectorXd start() const {
    VectorXd x = VectorXd::Zero(size_);
    x.head(mean_ + 1).setConstant(centre_);
    if (draw_ >= 0) x(draw_) = 0.5;
    return x;
  }
  [[nodiscard]] double rating(const VectorXd& x, int player) const {
    return free_[player] < 0 ? fixed_[player] : x(free_[player]);
  }
  [[nodiscard]] double seat(const VectorXd& x) const { return seat_ < 0 ? 0 : x(seat_); }
  [[nodiscard]] double draw(const VectorXd& x) const { return draw_ < 0 ? 0 : x(draw_); }
  /// The place of a player's rating among the parameters; -1 of an anchor.
  [[nodiscard]] Index place_of(int player) const { return free_[player]; }

  [[nodiscard]] double value(const VectorXd& x) const {
    const double d = draw(x);
    double sum = 0;
    if (draw_ >= 0) sum = likelihood_of_draws(draws_, d);
    for (const SeatTally& tally : games_.tallies) {
      const double lead = lead_in(x, tally);
      sum -= (tally.wins + tally.draws) * soft_plus(d - lead);
      sum -= (tally.losses + tally.draws) * soft_plus(d + lead);
    }
    for (int player = 0; player < games_.players(); ++player) {
      const double away = rating(x, player) - x(mean_);
      sum -= away * away / (2 * prior * prior);
    }
    for (Index i = mean_ + 1; i < size_; ++i) sum -= x(i) * x(i) / (2 * prior * prior);
    return sum;
  }

  [[nodiscard]] Derivatives derivatives(const VectorXd& x) const {
    Derivatives out{VectorXd::Zero(size_), MatrixXd::Zero(size_, size_)};
    const double d = draw(x);
    for (const SeatTally& tally : games_.tallies) {
      const double lead = lead_in(x, tally);
      add(out, tally, 1, tally.wins + tally.draws, lead - d);
      add(out, tally, -1, tally.losses + tally.draws, -lead - d);
    }
    if (draw_ >= 0) add_draws(out, draw_, draws_, d);
    constexpr double weight = 1 / (prior * prior);
    for (int player = 0; player < games_.players(); ++player) {
      const double pull = weight * (rating(x, player) - x(mean_));
      out.gradient(mean_) += pull;
      out.information(mean_, mean_) += weight;
      const Index i = free_[player];
      if (i < 0) continue;
      out.gradient(i) -= pull;
      out.information(i, i) += weight;
      out.information(i, mean_) -= weight;
      out.information(mean_, i) -= weight;
    }
    for (Index i = mean_ + 1; i < size_; ++i) {
      out.gradient(i) -= weight * x(i);
      out.information(i, i) += weight;
    }
    return out;
  }

 private:
  static constexpr double prior = prior_elo / elo_scale;

  [[nodiscard]] double lead_in(const VectorXd& x, const SeatTally& tally) const {
    return rating(x, tally.first) - rating(x, tally.second) + seat(x);
  }

  /// Adds `count` times ln f(at), where `at` is `sign` times the first player's lead, less the
  /// draws' parameter.
  void add(Derivatives& to, const SeatTally& tally, double sign, double count, double at) const {
    if (count == 0) return;
    const double rest = 1 / (1 + std::exp(at));
    const double slope = count * rest;
    const double curvature = slope * (1 - rest);
    const std::array<std::pair<Index, double>, 4> terms{
        {{free_[tally.first], sign}, {free_[tally.second], -sign}, {seat_, sign}, {draw_, -1}}};
    for (const auto& [i, a] : terms) {
      if (i < 0) continue;
      to.gradient(i) += a * slope;
      for (const auto& [j, b] : terms) {
        if (j >= 0) to.information(i, j) += a * b * curvature;
      }
    }
  }

  const LeagueGames& games_;
  std::vector<Index> free_;    // by player; -1 of an anchor
  std::vector<double> fixed_;  // by player
  double centre_ = 0;          // of the anchors
  double draws_ = 0;
  Index mean_;  // behind the ratings
  Index size_;
  Index seat_ = -1;
  Index draw_ = -1;
};

}  // namespace

double LeagueRatings::error(int player) const {
  return exact_normal_95 * std::sqrt(std::max(0.0, covariance(player, player)));
}

LeagueRatings rate_league(const LeagueGames& games) {
  const Posterior posterior(games);
  const VectorXd x = concave_maximum(posterior, 1e-11, [](const Derivatives& here) {
                       return here.information.ldlt().solve(here.gradient).eval();
                     }).x;
  const auto at = posterior.derivatives(x);
  const MatrixXd inverse =
      at.information.ldlt().solve(MatrixXd::Identity(x.size(), x.size())) * elo_scale * elo_scale;
  LeagueRatings out;
  out.seat = posterior.seat(x) * elo_scale;
  out.draw = posterior.draw(x) * elo_scale;
  for (int i = 0; i < games.players(); ++i) {
    out.elo.push_back(games.anchors[i].value_or(posterior.rating(x, i) * elo_scale));
    for (int j = 0; j < games.players(); ++j) {
      const Index a = posterior.place_of(i);
      const Index b = posterior.place_of(j);
      out.covariances.push_back(a < 0 || b < 0 ? 0 : inverse(a, b));
    }
  }
  return out;
}

}  // namespace pitboss::clients
