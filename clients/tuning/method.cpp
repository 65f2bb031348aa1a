#include "clients/tuning/method.hpp"

#include <algorithm>
#include <numeric>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/statistics/tally.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

std::variant<Values, int> opponent_in(const Conditions& conditions, int opponent) {
  if (conditions.opponents == 0) return conditions.start;
  return opponent;
}

Proposal all_seatings(const Values& first, const std::variant<Values, int>& second, int opening,
                      int seatings) {
  Proposal games;
  for (int seating = 0; seating < seatings; ++seating) {
    games.push_back({first, second, opening, seating});
  }
  return games;
}

int opponents_of(const Conditions& conditions) { return std::max(conditions.opponents, 1); }

int games_per_sample(const Conditions& conditions) {
  return opponents_of(conditions) * conditions.seatings;
}

Proposal sample_of(const Values& values, const Conditions& conditions, std::int64_t number) {
  const int opponents = opponents_of(conditions);
  Proposal all;
  for (int opponent = 0; opponent < opponents; ++opponent) {
    const auto opening = static_cast<int>(number * opponents + opponent);
    std::ranges::move(
        all_seatings(values, opponent_in(conditions, opponent), opening, conditions.seatings),
        std::back_inserter(all));
  }
  return all;
}

games::Random random_of(const Conditions& conditions, std::int64_t number) {
  return games::Random(
      derived_seed(conditions.seed, use_tuning, static_cast<std::uint64_t>(number)));
}

double score_of(const Outcome& outcome) {
  const int twelfths = std::accumulate(outcome.begin(), outcome.end(), 0);
  return static_cast<double>(twelfths) / (whole_point * static_cast<double>(outcome.size()));
}

void require_games(const std::string& key, std::int64_t games, std::int64_t needed,
                   const std::string& what_for) {
  require(games >= needed, key + ": " + std::to_string(games) + " are too few; " + what_for +
                               " needs " + std::to_string(needed));
}

void check_start(const SearchSpace& space, const Values& start) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    require(!space[i].has_range() || space[i].range.holds(start[i]),
            space[i].name + ": the player has " + start[i] +
                " before tuning, which is not in the range");
  }
}

void check_values(const SearchSpace& space) {
  for (const TunedParameter& parameter : space) {
    require(!parameter.has_range(),
            parameter.name + ": bandits choose among values; list them, or use spsa");
  }
}

}  // namespace pitboss::clients
