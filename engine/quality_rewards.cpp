#include "engine/quality_rewards.hpp"

#include <algorithm>
#include <array>

namespace pitboss::engine {

double AdaptiveBound::value(double fixed) const {
  if (count_ < least_wins || squares_ <= 0) return fixed;
  return std::min(1.0, std::abs(products_ / squares_));
}

void AdaptiveBound::add(double x, bool won) {
  ++count_;
  const double share = 1.0 / count_;
  const double y = won ? x : 0;
  const double off = x - mean_;
  mean_ += off * share;
  won_mean_ += (y - won_mean_) * share;
  squares_ += off * (x - mean_);
  products_ += off * (y - won_mean_);
}

BonusFactors own_factors(std::string_view game) {
  struct Row {
    std::string_view game;
    BonusFactors factors;
  };
  static constexpr std::array<Row, 5> rows{{{"amazons", {2.2, 1.6}},
                                            {"breakthrough", {2.0, 2.0}},
                                            {"cannon", {3.0, 4.0}},
                                            {"chinesecheckers", {1.2, 2.8}},
                                            {"pentalath", {1.0, 1.6}}}};
  const auto found = std::ranges::find(rows, game, &Row::game);
  return found != rows.end() ? found->factors : BonusFactors{2, 2};
}

}  // namespace pitboss::engine
