#include "clients/experiments/statistics/scores.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "clients/experiments/statistics/tally.hpp"

namespace pitboss::clients {

Scores::Scores(int games_per_round) : games_per_round_(games_per_round) {
  if (games_per_round < 1) throw std::invalid_argument("a round has at least one game");
  for (int halves = 0; halves <= 2 * games_per_round; ++halves) {
    classes_.push_back({halves * (whole_point / 2), 0});
  }
}

void Scores::add(int twelfths, std::int64_t rounds) {
  if (twelfths < 0 || twelfths > whole_point * games_per_round_ || rounds < 0) {
    throw std::invalid_argument("no such score of a round");
  }
  auto found = std::ranges::lower_bound(classes_, twelfths, {}, &ScoreClass::twelfths);
  if (found->twelfths != twelfths) found = classes_.insert(found, {twelfths, 0});
  found->rounds += rounds;
  rounds_ += rounds;
}

double Scores::score(const ScoreClass& of) const {
  return static_cast<double>(of.twelfths) / (whole_point * games_per_round_);
}

bool Scores::all_alike() const {
  return std::ranges::any_of(classes_, [&](const ScoreClass& c) { return c.rounds == rounds_; });
}

double Scores::mean() const {
  if (rounds_ == 0) return 0.5;
  double twelfths = 0;
  for (const ScoreClass& c : classes_) twelfths += c.twelfths * static_cast<double>(c.rounds);
  return twelfths / (static_cast<double>(games()) * whole_point);
}

double Scores::variance() const {
  if (all_alike()) return 0;
  const double middle = mean();
  double squares = 0;
  for (const ScoreClass& c : classes_) {
    const double deviation = score(c) - middle;
    squares += static_cast<double>(c.rounds) * deviation * deviation;
  }
  return squares / static_cast<double>(rounds_);
}

double Scores::standard_error() const {
  return rounds_ == 0 ? 0.0 : std::sqrt(variance() / static_cast<double>(rounds_));
}

Interval Scores::interval() const {
  if (rounds_ == 0) return {0.0, 1.0};
  const double middle = mean();
  if (all_alike()) {
    const double others = std::min(1.0, -std::log(0.05) / static_cast<double>(rounds_));
    return {middle * (1.0 - others), middle * (1.0 - others) + others};
  }
  const double half_width = exact_normal_95 * standard_error();
  return {std::max(0.0, middle - half_width), std::min(1.0, middle + half_width)};
}

Scores Scores::reversed() const {
  Scores out = *this;
  std::ranges::reverse(out.classes_);
  for (ScoreClass& c : out.classes_) c.twelfths = whole_point * games_per_round_ - c.twelfths;
  return out;
}

Scores trinomial(std::int64_t wins, std::int64_t draws, std::int64_t losses) {
  Scores scores(1);
  scores.add(whole_point, wins);
  scores.add(whole_point / 2, draws);
  scores.add(0, losses);
  return scores;
}

Scores pentanomial(const std::array<std::int64_t, 5>& pairs) {
  Scores scores(2);
  for (int halves = 0; halves < 5; ++halves) scores.add(halves * whole_point / 2, pairs[halves]);
  return scores;
}

}  // namespace pitboss::clients
