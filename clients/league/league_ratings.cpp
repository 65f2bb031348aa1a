#include "clients/league/league_ratings.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "clients/experiments/statistics/concave_maximum.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/intervals.hpp"

namespace pitboss::clients {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double count_of(const Outcomes& games) { return games.wins + games.draws + games.losses; }

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
    for (const RoundTally& tally : games.rounds) {
      draws_ += tally.rounds * (tally.first.draws + tally.second.draws);
    }
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
    for (const RoundTally& tally : games_.rounds) {
      for (const auto& [seat_sign, games] : seats_of(tally)) {
        const double lead = lead_in(x, tally, seat_sign);
        sum -= tally.rounds * (games.wins + games.draws) * soft_plus(d - lead);
        sum -= tally.rounds * (games.losses + games.draws) * soft_plus(d + lead);
      }
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
    for (const RoundTally& tally : games_.rounds) {
      for (const auto& [seat_sign, games] : seats_of(tally)) {
        const double lead = lead_in(x, tally, seat_sign);
        const double count = tally.rounds;
        add(out, tally, 1, seat_sign, count * (games.wins + games.draws), lead - d);
        add(out, tally, -1, -seat_sign, count * (games.losses + games.draws), -lead - d);
      }
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

  /// Of the player's lead over the opponent: the derivative of the log-likelihood of one of these
  /// rounds, and the variance that it has by the model.
  struct Score {
    double slope = 0;
    double variance = 0;
  };
  [[nodiscard]] Score score_of(const VectorXd& x, const RoundTally& tally) const {
    const double d = draw(x);
    Score out;
    for (const auto& [seat_sign, games] : seats_of(tally)) {
      const double lead = lead_in(x, tally, seat_sign);
      out.slope += (games.wins + games.draws) / (1 + std::exp(lead - d));
      out.slope -= (games.losses + games.draws) / (1 + std::exp(-lead - d));
      out.variance += count_of(games) * information_of_game(lead, d);
    }
    return out;
  }

 private:
  static constexpr double prior = prior_elo / elo_scale;

  [[nodiscard]] static std::array<std::pair<double, Outcomes>, 2> seats_of(
      const RoundTally& tally) {
    return {{{1, tally.first}, {-1, tally.second}}};
  }
  [[nodiscard]] double lead_in(const VectorXd& x, const RoundTally& tally, double seat_sign) const {
    return rating(x, tally.player) - rating(x, tally.opponent) + seat_sign * seat(x);
  }

  /// Adds `count` times ln f(at), where `at` is `sign` times the player's lead, less the draws'
  /// parameter.
  void add(Derivatives& to, const RoundTally& tally, double sign, double seat_sign, double count,
           double at) const {
    if (count == 0) return;
    const double rest = 1 / (1 + std::exp(at));
    const double slope = count * rest;
    const double curvature = slope * (1 - rest);
    const std::array<std::pair<Index, double>, 4> terms{{{free_[tally.player], sign},
                                                         {free_[tally.opponent], -sign},
                                                         {seat_, seat_sign},
                                                         {draw_, -1}}};
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

/// What the rounds of a pair, or of all, say of how much scores vary.
struct Variation {
  double squares = 0;   // of the rounds' scores
  double expected = 0;  // by the model
  double rounds = 0;    // as many of even games would expect as much

  void add(const Posterior::Score& score, const RoundTally& tally) {
    squares += tally.rounds * score.slope * score.slope;
    expected += tally.rounds * score.variance;
    const double games = count_of(tally.first) + count_of(tally.second);
    rounds += tally.rounds * score.variance / (games * information_of_game(0, 0));
  }
};

/// The covariances of the parameters, in units of log odds: A^-1 B A^-1, where A is the information
/// by the model, and B the variance of the whole score: A, with the variance that each pair's
/// rounds have instead of the one they should have.
MatrixXd robust_covariances(const Posterior& posterior, const LeagueGames& games, const VectorXd& x,
                            double& dispersion) {
  std::map<std::pair<int, int>, Variation> pairs;
  Variation all;
  for (const RoundTally& tally : games.rounds) {
    if (count_of(tally.first) + count_of(tally.second) == 0) continue;
    const auto score = posterior.score_of(x, tally);
    pairs[std::minmax(tally.player, tally.opponent)].add(score, tally);
    all.add(score, tally);
  }
  const MatrixXd inverse =
      posterior.derivatives(x).information.ldlt().solve(MatrixXd::Identity(x.size(), x.size()));
  MatrixXd out = inverse;
  if (all.expected == 0) return out;
  // Each parameter takes up what a round tells of it.
  const double taken = std::min(1.0, static_cast<double>(x.size()) / all.rounds);
  dispersion = all.squares / all.expected + taken;
  // So many rounds of its own count as much for a pair as those of all others.
  constexpr double few = 10;
  for (const auto& [players, pair] : pairs) {
    if (pair.expected == 0) continue;
    const double own = pair.squares / pair.expected + taken;
    const double factor = (pair.rounds * own + few * dispersion) / (pair.rounds + few);
    VectorXd along = VectorXd::Zero(x.size());
    const Index player = posterior.place_of(players.first);
    const Index opponent = posterior.place_of(players.second);
    if (player >= 0) along += inverse.col(player);
    if (opponent >= 0) along -= inverse.col(opponent);
    out += (factor - 1) * pair.expected * along * along.transpose();
  }
  return out;
}

}  // namespace

double LeagueRatings::error(int player) const {
  return exact_normal_95 * std::sqrt(std::max(0.0, covariance(player, player)));
}

EloEstimate LeagueRatings::difference(int player, int other) const {
  const double lead = elo[player] - elo[other];
  const double width = exact_normal_95 * deviation(player, other);
  return {lead, lead - width, lead + width};
}

double LeagueRatings::superiority(int player, int other) const {
  const double lead = elo[player] - elo[other];
  const double width = deviation(player, other);
  if (width == 0) return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
  return probability_positive(lead, width);
}

double LeagueRatings::deviation(int player, int other) const {
  const double variance =
      covariance(player, player) + covariance(other, other) - 2 * covariance(player, other);
  return std::sqrt(std::max(0.0, variance));
}

double information_of_game(double lead, double draw) {
  const double win = 1 / (1 + std::exp(draw - lead));
  const double loss = 1 / (1 + std::exp(draw + lead));
  return (1 - loss) * win * (1 - win) + (1 - win) * loss * (1 - loss);
}

LeagueRatings rate_league(const LeagueGames& games) {
  const Posterior posterior(games);
  const VectorXd x = concave_maximum(posterior, 1e-11, [](const Derivatives& here) {
                       return here.information.ldlt().solve(here.gradient).eval();
                     }).x;
  LeagueRatings out;
  const MatrixXd covariances =
      robust_covariances(posterior, games, x, out.dispersion) * elo_scale * elo_scale;
  out.seat = posterior.seat(x) * elo_scale;
  out.draw = posterior.draw(x) * elo_scale;
  for (int i = 0; i < games.players(); ++i) {
    out.elo.push_back(games.anchors[i].value_or(posterior.rating(x, i) * elo_scale));
    for (int j = 0; j < games.players(); ++j) {
      const Index a = posterior.place_of(i);
      const Index b = posterior.place_of(j);
      out.covariances.push_back(a < 0 || b < 0 ? 0 : covariances(a, b));
    }
  }
  return out;
}

}  // namespace pitboss::clients
