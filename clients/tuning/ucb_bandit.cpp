#include "clients/tuning/ucb_bandit.hpp"

#include <algorithm>
#include <utility>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

UcbBandit::UcbBandit(SearchSpace space, Conditions conditions, const UcbSettings& settings)
    : space_(std::move(space)),
      conditions_(std::move(conditions)),
      samples_(settings.games / games_per_sample(conditions_)),
      bandit_(0, 0, 0) {
  check_values(space_);
  require(space_.size() == 1, "parameters: ucb1-tuned tunes one parameter, not " +
                                  std::to_string(space_.size()) + "; use n-tuple");
  const std::int64_t arms = std::ssize(space_.front().values);
  require_games("games", settings.games, arms * games_per_sample(conditions_),
                "to try each value once");
  bandit_ = {arms, settings.factor, arms};
}

std::optional<Proposal> UcbBandit::propose() {
  const auto number = static_cast<std::int64_t>(begun_.size());
  if (number == samples_) return std::nullopt;
  auto random = random_of(conditions_, number);
  begun_.push_back(bandit_.has_untried() ? bandit_.random_untried(random) : bandit_.choose(random));
  bandit_.begin(begun_.back());
  return sample_of({space_.front().values[begun_.back()]}, conditions_, number);
}

void UcbBandit::learn(const Outcome& outcome) {
  bandit_.learn(begun_[learned_++], score_of(outcome));
}

std::vector<Values> UcbBandit::recommended() const {
  const auto& arms = bandit_.arms();
  if (arms.empty()) return {conditions_.start};
  const auto best = std::ranges::max_element(
      arms, {}, [](const auto& numbered) { return numbered.second.samples; });
  return {{space_.front().values[best->first]}};
}

}  // namespace pitboss::clients
