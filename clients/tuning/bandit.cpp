#include "clients/tuning/bandit.hpp"
#include "games/random.hpp"

namespace pitboss::clients {

std::vector<std::int64_t> Bandit::best() const {
  std::vector<std::int64_t> best;
  double highest = 0;
  for (const auto& [number, arm] : arms_) {
    const double bound = arm.bound(factor_, static_cast<double>(n_));
    if (!best.empty() && bound < highest) continue;
    if (bound > highest) best.clear();
    highest = bound;
    best.push_back(number);
  }
  return best;
}

std::int64_t Bandit::choose(games::Random& random) const {
  const auto tried = best();
  const double untried = Arm{}.bound(factor_, static_cast<double>(n_));
  if (tried.empty() || (has_untried() && untried >= bound(tried.front()))) {
    return random_untried(random);
  }
  return games::random_element(tried, random);
}

std::int64_t Bandit::random_untried(games::Random& random) const {
  std::int64_t arm = random.below(static_cast<int>(size_ - std::ssize(arms_)));
  for (const auto& [number, tried] : arms_) {
    if (number > arm) break;
    ++arm;
  }
  return arm;
}

}  // namespace pitboss::clients
