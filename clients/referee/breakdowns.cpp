#include "clients/referee/breakdowns.hpp"

#include <numeric>

namespace pitboss::clients {

std::string_view name_of(Failure failure) {
  static constexpr std::array<std::string_view, all_failures.size()> names = {
      "time forfeit", "crash", "timeout", "illegal move", "refused", "garbage", "unreachable"};
  return names[static_cast<std::size_t>(failure)];
}

Failure failure_of(std::string_view reason) {
  using enum Failure;
  for (const auto& [beginning, failure] : {std::pair<std::string_view, Failure>{time_forfeit, time},
                                           {"no answer in ", timeout},
                                           {"illegal move", illegal_move},
                                           {"refused", refused},
                                           {"garbage", garbage},
                                           {"unreachable", unreachable}}) {
    if (reason.starts_with(beginning)) return failure;
  }
  return crash;
}

void Breakdowns::add(const PlayedGame& game) {
  ++games_;
  twelfths_ += game.twelfths;
  if (!game.is_forfeit()) return;
  const int loser = game.loser() == players_[0] ? 0 : 1;
  ++by_failure_[loser][static_cast<std::size_t>(failure_of(game.reason))];
}

int Breakdowns::count(int player) const {
  const auto& counts = by_failure_[player];
  return std::accumulate(counts.begin(), counts.end(), 0) - count(player, Failure::time);
}

bool Breakdowns::decide() const {
  if (count(0) + count(1) == 0) return false;
  const double even = games_ / 2.0;
  const double points = static_cast<double>(twelfths_) / whole_point;
  return points - count(1) <= even && points + count(0) >= even;
}

}  // namespace pitboss::clients
