#include "clients/referee/standings.hpp"

#include <algorithm>

#include "clients/experiments/statistics/sprt_estimate.hpp"

namespace pitboss::clients {

void Standings::add_round(std::span<const PlayedGame> games) {
  int twelfths = 0;
  for (const PlayedGame& game : games) {
    add(game);
    twelfths += game.twelfths;
  }
  scores_.add(twelfths);
}

void Standings::add(const PlayedGame& game) {
  totals_[0].add(game.twelfths);
  totals_[1].add(whole_point - game.twelfths);
  const Shares shares = shares_of(game, sides_);
  for (std::size_t c = 0; c < game.seats.size(); ++c) {
    by_colour_[game.seats[c] == sides_.players[0] ? 0 : 1][c].add(shares[c]);
  }
  for (const int player : {0, 1}) {
    evaluations_[player].remote += game.evaluations[player].remote;
    evaluations_[player].local += game.evaluations[player].local;
    add_efforts(game, player);
  }
  ++lengths_[game.plies];
  ++times_played_[game.moves];
  breakdowns_.add(game);

  if (game.winner == "draw") return;
  const int loser = game.loser() == sides_.players[0] ? 0 : 1;
  if (game.is_forfeit()) {
    // "illegal move: e9" and "illegal move: e8" count as the same failure.
    ++failures_[loser][game.reason.substr(0, game.reason.find(':'))];
    ++forfeits_;
  } else if (game.reason == "resigned") {
    ++resignations_[loser];
  }
}

void Standings::add_efforts(const PlayedGame& game, int player) {
  Efforts& sum = efforts_[player];
  for (const Effort& effort : efforts_in(game.efforts[player])) {
    if (effort.simulations && !effort.is_exact) sum.simulations.push_back(*effort.simulations);
    if (!effort.processor_us || !effort.search_us) continue;
    sum.processor_us += *effort.processor_us;
    sum.search_us += *effort.search_us;
  }
}

EloEstimate Standings::elo() const {
  return breakdowns_.decide() ? EloEstimate{} : elo_estimate(scores_);
}

EloEstimate Standings::normalized_elo() const {
  return breakdowns_.decide() ? EloEstimate{} : normalized_elo_estimate(scores_);
}

std::optional<EloEstimate> Standings::corrected_elo(const SprtPlan& plan) const {
  if (breakdowns_.decide()) return std::nullopt;
  return sprt_corrected_estimate(scores_, plan);
}

std::optional<double> Standings::superiority() const {
  if (breakdowns_.decide()) return std::nullopt;
  return clients::superiority(scores_);
}

std::optional<double> Standings::llr(const SprtPlan& plan) const {
  if (breakdowns_.decide()) return std::nullopt;
  return log_likelihood_ratio(scores_, plan);
}

std::optional<std::int64_t> Standings::simulations(int player) const {
  std::vector<std::int64_t> all = efforts_[player].simulations;
  if (all.empty()) return std::nullopt;
  const auto middle = all.begin() + (std::ssize(all) - 1) / 2;
  std::ranges::nth_element(all, middle);
  return *middle;
}

std::optional<double> Standings::processors(int player) const {
  const Efforts& sum = efforts_[player];
  if (sum.search_us == 0) return std::nullopt;
  return static_cast<double>(sum.processor_us) / static_cast<double>(sum.search_us);
}

}  // namespace pitboss::clients
