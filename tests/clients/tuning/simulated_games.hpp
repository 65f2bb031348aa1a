#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/tally.hpp"
#include "clients/tuning/proposals.hpp"
#include "games/logistic.hpp"
#include "games/random.hpp"

namespace pitboss::clients {

[[nodiscard]] inline std::vector<double> numbers_of(const Values& values) {
  std::vector<double> numbers;
  for (const std::string& value : values) numbers.push_back(*number_in<double>(value));
  return numbers;
}

/// Games without rules: who wins depends on the log odds that `Strength` gives to the players'
/// numbers, an opponent's being 0. A game depends on the seed, its opening and its place alone.
template <class Strength>
struct SimulatedGames {
  Strength strength;
  std::uint64_t seed = 1;
  double opening_bias = 0;  ///< in Elo: so much or as little for the first seating

  [[nodiscard]] double of(const Values& values) const { return strength(numbers_of(values)); }
  [[nodiscard]] Outcome play(const Proposal& games, std::int64_t number) const {
    games::Random random(games::mix(seed) + static_cast<std::uint64_t>(number));
    const double bias = (random.below(2) == 0 ? opening_bias : -opening_bias) / elo_scale;
    Outcome outcome;
    for (const ProposedGame& game : games) {
      const auto* const second = std::get_if<Values>(&game.second);
      const double lead = of(game.first) - (second == nullptr ? 0 : of(*second)) +
                          (game.seating % 2 == 0 ? bias : -bias);
      outcome.push_back(random.uniform() < games::logistic(lead) ? whole_point : 0);
    }
    return outcome;
  }
  /// Plays until the method is finished; returns the number of games.
  std::int64_t play_all(Method& method, int lag = 1) const {
    Proposals proposals(method, lag);
    std::int64_t games = 0;
    while (auto task = proposals.next()) {
      games += std::ssize(task->games);
      proposals.add(task->number, play(task->games, task->number));
    }
    return games;
  }
};
template <class Strength>
SimulatedGames(Strength, std::uint64_t) -> SimulatedGames<Strength>;
template <class Strength>
SimulatedGames(Strength, std::uint64_t, double) -> SimulatedGames<Strength>;

/// Parameters a, b, c, ... with such a range.
[[nodiscard]] inline SearchSpace ranges(int n, double low, double high) {
  SearchSpace space;
  for (int i = 0; i < n; ++i) {
    space.push_back({std::string(1, static_cast<char>('a' + i)), {}, {low, high}});
  }
  return space;
}
/// Parameters with so many values at equal distances.
[[nodiscard]] inline SearchSpace grids(int n, int values, double low, double high) {
  SearchSpace space = ranges(n, low, high);
  for (TunedParameter& parameter : space) {
    for (int i = 0; i < values; ++i) {
      parameter.values.push_back(parameter.range.text_at(low + (high - low) * i / (values - 1)));
    }
  }
  return space;
}

}  // namespace pitboss::clients
