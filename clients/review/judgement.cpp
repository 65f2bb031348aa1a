#include "clients/review/judgement.hpp"

#include <algorithm>
#include <cstddef>

namespace pitboss::clients {

namespace {

/// Values that differ by a threshold count as such, however they are rounded.
constexpr double least_difference = 1e-9;

std::optional<double> loss_of(const MoveMade& move, const PositionValues& before,
                              const PositionValues& after) {
  const auto& had = before[static_cast<std::size_t>(move.mover)];
  const auto& has = after[static_cast<std::size_t>(move.mover)];
  if (!had || !has) return std::nullopt;
  return move.is_best ? 0 : std::max(0.0, *had - *has);
}

}  // namespace

bool all_known(const PositionValues& values) {
  return !values.empty() &&
         std::ranges::all_of(values, [](const auto& v) { return v.has_value(); });
}

int leader_of(const PositionValues& values, double lead) {
  if (!all_known(values)) return no_leader;
  const auto best = std::ranges::max_element(values);
  for (auto other = values.begin(); other != values.end(); ++other) {
    if (other != best && **best - **other < lead - least_difference) return no_leader;
  }
  return static_cast<int>(best - values.begin());
}

std::vector<MoveVerdict> verdicts_on(std::span<const PositionValues> values,
                                     std::span<const MoveMade> moves,
                                     const Thresholds& thresholds) {
  std::vector<MoveVerdict> verdicts;
  int leader = values.empty() ? no_leader : leader_of(values.front(), thresholds.lead);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    MoveVerdict& verdict = verdicts.emplace_back();
    verdict.loss = loss_of(moves[i], values[i], values[i + 1]);
    verdict.is_mistake =
        !moves[i].is_best && verdict.loss && *verdict.loss >= thresholds.mistake - least_difference;
    const int now = leader_of(values[i + 1], thresholds.lead);
    verdict.is_turning_point = now != no_leader && now != leader && all_known(values[i]);
    if (now != no_leader) leader = now;
  }
  return verdicts;
}

}  // namespace pitboss::clients
