#include "clients/pitboss/round_counts.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/sprt_settings.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

Scores scores_of_counts(const std::vector<std::string>& words) {
  require(words.size() == 3 || words.size() == 5,
          "expected the counts of pairs by points, five numbers, or of games won, drawn and lost, "
          "three; there are " +
              std::to_string(words.size()));
  std::array<std::int64_t, 5> counts{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto count = number_in<std::int64_t>(words[i]);
    require(count && *count >= 0 && *count <= 1'000'000'000,
            "expected a count of rounds, at most a billion, not '" + words[i] + "'");
    counts[i] = *count;
  }
  Scores scores =
      words.size() == 5 ? pentanomial(counts) : trinomial(counts[0], counts[1], counts[2]);
  require(scores.rounds() > 0, "no game was played");
  return scores;
}

SprtPlan sprt_plan(const std::string& rule, int games_per_round) {
  const SprtPlan plan = sprt_of(sprt_words(rule));
  try {
    check(plan, games_per_round);
  } catch (const std::invalid_argument& e) {
    throw UserError("--sprt: " + std::string(e.what()));
  }
  return plan;
}

}  // namespace pitboss::clients
