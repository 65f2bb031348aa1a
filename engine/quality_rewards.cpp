#include "engine/quality_rewards.hpp"

#include <algorithm>
#include <array>
#include <sstream>

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

namespace {

struct Row {
  std::string_view game;
  BonusFactors own;      ///< docs/results/quality-rewards.md
  double draft;          ///< k of both in the authors' program at the time of the draft
  BonusFactors authors;  ///< a month later; 8 was tuned with a table that changes its sign
};
constexpr std::array<Row, 5> rows{{{"amazons", {2, 2}, 2.2, {2.2, 1.6}},
                                   {"breakthrough", {2, 2}, 0.4, {8, 2}},
                                   {"cannon", {2, 2}, 2, {3, 4}},
                                   {"chinesecheckers", {2, 2}, 2, {1.2, 2.8}},
                                   {"pentalath", {2, 2}, 0.9, {1, 1.6}}}};
constexpr BonusFactors not_tuned{2, 2};

}  // namespace

BonusFactors own_factors(std::string_view game) {
  const auto found = std::ranges::find(rows, game, &Row::game);
  return found != rows.end() ? found->own : not_tuned;
}

std::string factors_table() {
  std::ostringstream text;
  text << "| game | `kr` | `kq` | authors' k, draft | authors' kr, later | authors' kq, later |\n"
          "|---|---|---|---|---|---|\n";
  for (const Row& row : rows) {
    text << "| " << row.game << " | " << row.own.kr << " | " << row.own.kq << " | " << row.draft
         << " | " << row.authors.kr << " | " << row.authors.kq << " |\n";
  }
  text << "| any other | " << not_tuned.kr << " | " << not_tuned.kq << " | | | |\n";
  return text.str();
}

}  // namespace pitboss::engine
