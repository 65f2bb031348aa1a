#include "clients/training/root_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pitboss::clients {

namespace {

constexpr double visit_offset = 50;

std::int64_t most_visits(std::span<const engine::RootMove> moves) {
  return std::ranges::max_element(moves, {}, &engine::RootMove::visits)->visits;
}

}  // namespace

std::int64_t visits_of(std::span<const engine::RootMove> moves) {
  std::int64_t sum = 0;
  for (const engine::RootMove& move : moves) sum += move.visits;
  return sum;
}

double forced_visits(double k, double prior, std::int64_t visits) {
  return std::sqrt(k * prior * static_cast<double>(visits));
}

engine::RootRule forced_playouts(double k) {
  return [k](std::span<const engine::RootMove> moves) {
    const std::int64_t visits = visits_of(moves);
    int chosen = -1;
    double most_missing = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (moves[i].visits == 0 || moves[i].is_closed) continue;
      const double missing =
          forced_visits(k, moves[i].prior, visits) - static_cast<double>(moves[i].visits);
      if (missing <= most_missing) continue;
      most_missing = missing;
      chosen = static_cast<int>(i);
    }
    return chosen;
  };
}

double prior_logit(double prior) {
  constexpr double least = 1e-12;
  return std::log(std::max(prior, least));
}

double value_logit(double scale, std::int64_t most_visits, double value) {
  return scale * (visit_offset + static_cast<double>(most_visits)) * value;
}

int SequentialHalving::operator()(std::span<const engine::RootMove> moves) {
  if (gumbel_.empty()) begin(moves);
  for (;;) {
    if (const int move = next(moves); move >= 0) return move;
    std::erase_if(considered_, [&](int i) { return moves[static_cast<std::size_t>(i)].is_closed; });
    if (considered_.empty()) return -1;
    rank(moves, true);
    const std::size_t half = std::max<std::size_t>(2, considered_.size() / 2);
    considered_.resize(std::min(considered_.size(), half));
    begin_phase(moves);
  }
}

void SequentialHalving::begin(std::span<const engine::RootMove> moves) {
  for (std::size_t i = 0; i < moves.size(); ++i) {
    gumbel_.push_back(-std::log(-std::log(random_.uniform())));
    targets_.push_back(moves[i].visits);
    if (!moves[i].is_closed) considered_.push_back(static_cast<int>(i));
  }
  rank(moves, false);
  const auto count = std::min(considered_.size(), static_cast<std::size_t>(most_moves_));
  considered_.resize(count);
  phases_ = std::max(1, static_cast<int>(std::bit_width(std::max<std::size_t>(count, 1) - 1)));
  begin_phase(moves);
}

/// All moves considered get the same number of simulations.
void SequentialHalving::begin_phase(std::span<const engine::RootMove> moves) {
  if (considered_.empty()) return;
  const int shares = phases_ * static_cast<int>(considered_.size());
  const int visits = std::max(1, simulations_ / shares);
  for (const int i : considered_) {
    const auto place = static_cast<std::size_t>(i);
    targets_[place] = moves[place].visits + visits;
  }
}

/// Orders the moves considered, the best first.
void SequentialHalving::rank(std::span<const engine::RootMove> moves, bool with_values) {
  const std::int64_t most = most_visits(moves);
  std::ranges::stable_sort(considered_, std::ranges::greater{}, [&](int i) {
    const auto place = static_cast<std::size_t>(i);
    const engine::RootMove& move = moves[place];
    const double logit = gumbel_[place] + prior_logit(move.prior);
    return with_values ? logit + value_logit(scale_, most, move.value) : logit;
  });
}

/// The move of those considered that has most visits to come in this phase; -1 if none has any.
int SequentialHalving::next(std::span<const engine::RootMove> moves) const {
  int chosen = -1;
  std::int64_t most = 0;
  for (const int i : considered_) {
    const auto place = static_cast<std::size_t>(i);
    const std::int64_t missing = targets_[place] - moves[place].visits;
    if (moves[place].is_closed || missing <= most) continue;
    most = missing;
    chosen = i;
  }
  return chosen;
}

}  // namespace pitboss::clients
