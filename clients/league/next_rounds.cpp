#include "clients/league/next_rounds.hpp"

#include <Eigen/Dense>

#include "clients/experiments/statistics/elo.hpp"

namespace pitboss::clients {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A pool, and what its variances would be after the rounds that were chosen.
class Choice {
 public:
  explicit Choice(const LeaguePool& pool) : pool_(pool), size_(std::ssize(pool.ratings.elo)) {
    covariances_ = MatrixXd(size_, size_);
    counted_ = VectorXd(size_);
    for (int i = 0; i < size_; ++i) {
      counted_(i) = pool.counts[i] ? 1 : 0;
      for (int j = 0; j < size_; ++j) covariances_(i, j) = pool.ratings.covariance(i, j);
    }
    products_ = covariances_ * counted_.asDiagonal() * covariances_;
    informations_ = MatrixXd::Zero(size_, size_);
    for (int i = 0; i < size_; ++i) {
      for (int j = 0; j < size_; ++j) informations_(i, j) = round_information(i, j);
    }
    find_best();
  }

  /// By how much the sum of the variances falls for each game of the best round; 0: there is none.
  [[nodiscard]] double gain() const { return gain_; }
  [[nodiscard]] int player() const { return player_; }
  [[nodiscard]] int opponent() const { return opponent_; }

  /// As if the best round had been played.
  void play_best() {
    const VectorXd along = covariances_.col(player_) - covariances_.col(opponent_);
    const double share = informations_(player_, opponent_) /
                         (1 + informations_(player_, opponent_) * variance(player_, opponent_));
    covariances_ -= share * along * along.transpose();
    products_ = covariances_ * counted_.asDiagonal() * covariances_;
    find_best();
  }

 private:
  /// An inverse variance in square Elo.
  [[nodiscard]] double round_information(int i, int j) const {
    const LeagueRatings& ratings = pool_.ratings;
    const double lead = (ratings.elo[i] - ratings.elo[j]) / elo_scale;
    const double draw = ratings.draw / elo_scale;
    const double seat = ratings.seat / elo_scale;  // 0 where there are no seats
    const double game =
        (information_of_game(lead + seat, draw) + information_of_game(lead - seat, draw)) / 2;
    return pool_.games_a_round * game / (ratings.dispersion * elo_scale * elo_scale);
  }
  [[nodiscard]] double variance(int i, int j) const {
    return covariances_(i, i) + covariances_(j, j) - 2 * covariances_(i, j);
  }

  void find_best() {
    gain_ = 0;
    for (int i = 0; i < size_; ++i) {
      if (!pool_.plays[i]) continue;
      for (int j = i + 1; j < size_; ++j) {
        if (!pool_.plays[j]) continue;
        const double fall = products_(i, i) + products_(j, j) - 2 * products_(i, j);
        const double gain = fall * informations_(i, j) /
                            (1 + informations_(i, j) * variance(i, j)) / pool_.games_a_round;
        if (gain <= gain_) continue;
        gain_ = gain;
        player_ = i;
        opponent_ = j;
      }
    }
  }

  const LeaguePool& pool_;
  Eigen::Index size_;
  MatrixXd covariances_;
  VectorXd counted_;
  MatrixXd products_;  // of the covariances with themselves, over the players that count
  MatrixXd informations_;
  double gain_ = 0;
  int player_ = 0;
  int opponent_ = 0;
};

}  // namespace

std::vector<NextRound> next_rounds(const std::vector<LeaguePool>& pools, int rounds) {
  std::vector<Choice> choices;
  choices.reserve(pools.size());
  for (const LeaguePool& pool : pools) choices.emplace_back(pool);
  std::vector<NextRound> out;
  while (static_cast<int>(out.size()) < rounds) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < choices.size(); ++i) {
      if (choices[i].gain() > choices[best].gain()) best = i;
    }
    if (choices.empty() || choices[best].gain() == 0) break;
    out.push_back({static_cast<int>(best), choices[best].player(), choices[best].opponent()});
    choices[best].play_best();
  }
  return out;
}

}  // namespace pitboss::clients
