#include "clients/referee/results.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace pitboss::clients {

MatchResults::MatchResults(const Match& match, const std::optional<SprtPlan>& sprt)
    : match_(&match), sprt_(sprt), standings_(match) {}

void MatchResults::add(int round, std::vector<PlayedGame> games) {
  if (!added_.insert(round).second) {
    throw std::logic_error("round " + std::to_string(round) + " was counted before");
  }
  if (!sprt_) {
    standings_.add_round(games);
    return;
  }
  waiting_.emplace(round, std::move(games));
  while (verdict_ == SprtVerdict::undecided && waiting_.contains(next_round_)) {
    standings_.add_round(waiting_.extract(next_round_++).mapped());
    if (const auto ratio = llr()) verdict_ = sprt_verdict(*ratio, *sprt_);
  }
  if (verdict_ == SprtVerdict::undecided) return;
  for (const auto& [number, beyond] : std::exchange(waiting_, {})) {
    games_beyond_ += static_cast<int>(beyond.size());
  }
}

std::optional<double> MatchResults::llr() const {
  if (!sprt_) return std::nullopt;
  return standings_.llr(*sprt_);
}

std::optional<double> MatchResults::processor_share(int player) const {
  const Player& who = match_->players[player];
  const auto processors = standings_.processors(player);
  if (!processors || !is_timed(who, declared_[player])) return std::nullopt;
  if (standings_.evaluations(player).remote > 0) return std::nullopt;
  return *processors / threads_of(who, declared_[player]);
}

bool MatchResults::has_unlike_shares() const {
  const auto first = processor_share(0);
  const auto second = processor_share(1);
  return first && second && std::min(*first, *second) < least_share * std::max(*first, *second);
}

bool MatchResults::has_short_shares() const {
  return std::ranges::any_of(std::array{0, 1}, [&](int player) {
    return processor_share(player).value_or(1) < least_share;
  });
}

Results::Results(const Experiment& experiment) : experiment_(&experiment) {
  matches_.reserve(experiment.matches.size());
  for (const Match& match : experiment.matches) matches_.emplace_back(match, experiment.sprt);
}

void Results::add(int match, int round, std::vector<PlayedGame> games) {
  matches_.at(match).add(round, std::move(games));
}

void Results::set_declared(const Declarations& declared) {
  for (std::size_t i = 0; i < matches_.size(); ++i) matches_[i].set_declared(declared.at(i));
}

int Results::games() const {
  return std::accumulate(
      matches_.begin(), matches_.end(), 0,
      [](int sum, const MatchResults& match) { return sum + match.standings().games(); });
}

int Results::forfeits() const {
  return std::accumulate(
      matches_.begin(), matches_.end(), 0,
      [](int sum, const MatchResults& match) { return sum + match.standings().forfeits(); });
}

bool Results::is_over() const { return std::ranges::all_of(matches_, &MatchResults::is_over); }

bool Results::has_given_up() const {
  return std::ranges::any_of(matches_, &MatchResults::is_given_up);
}

}  // namespace pitboss::clients
