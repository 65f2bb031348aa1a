#include "server/session/clock.hpp"

#include <algorithm>

namespace pitboss::server {

using protocol::TimeSettings, protocol::TimeSystem;

namespace {

using Seconds = Clock::Seconds;

// Main time is not shared among more moves than this, since most games end long before they must.
constexpr int most_shares = 25;

/// What may be spent of `left` if `reserve` is kept back.
Seconds spare(Seconds left, Seconds reserve) { return std::max(left - reserve, left / 4); }

}  // namespace

void Clock::set(const TimeSettings& settings) {
  settings_ = settings;
  restart();
}

void Clock::restart() { left_.fill(protocol::time_at_start(settings_)); }

void Clock::set_left(games::Colour colour, const protocol::TimeLeft& left) {
  left_[games::index(colour)] = left;
}

Seconds Clock::for_overtime(Seconds left, int moves, Seconds lag) const {
  return spare(left, lag * moves) / moves;
}

Seconds Clock::for_main_time(Seconds left, Seconds lag, int moves_to_come) const {
  const int shares = std::min(moves_to_come, most_shares);
  switch (settings_.system) {
    case TimeSystem::canadian:
    case TimeSystem::byo_yomi: {
      // Overtime follows, so nothing is kept back here and a move may run over into it.
      const int moves = settings_.system == TimeSystem::canadian ? settings_.count : 1;
      return std::max(left / shares, for_overtime(settings_.period, moves, lag));
    }
    case TimeSystem::fischer: {
      const Seconds gain = settings_.period - lag;
      const Seconds share = spare(left, std::max(-gain, Seconds{}) * moves_to_come) / shares +
                            std::max(gain, Seconds{});
      // Time that the cap would take away is better used.
      const Seconds time = std::max(share, left + gain - settings_.most);
      return std::min({time, spare(left, lag), spare(settings_.most_a_move, lag)});
    }
    case TimeSystem::none:  // but the client has said what is left
    case TimeSystem::absolute:
      break;
  }
  return spare(left, lag * moves_to_come) / shares;
}

std::optional<std::chrono::milliseconds> Clock::for_move(games::Colour colour, Seconds lag,
                                                         int moves_to_come) const {
  const auto& [remaining, count] = left_[games::index(colour)];
  if (remaining == TimeSettings::unlimited) return std::nullopt;
  const Seconds left = std::max(remaining, Seconds{});
  const bool byo_yomi = settings_.system == TimeSystem::byo_yomi;
  const Seconds time = count > 0 ? for_overtime(left, byo_yomi ? 1 : count, lag)
                                 : for_main_time(left, lag, moves_to_come);
  return std::max(std::chrono::floor<std::chrono::milliseconds>(time),
                  std::chrono::milliseconds{1});
}

void Clock::spend(games::Colour colour, Seconds used) {
  protocol::TimeLeft& left = left_[games::index(colour)];
  left = protocol::time_after(settings_, left, used);
}

int moves_to_come(int plies, int max_plies, int players) {
  constexpr int usual_game = 100;
  constexpr int always = 20;
  const int possible = std::max((max_plies - plies + players - 1) / players, 1);
  return std::min(possible, std::max(usual_game - plies / players, always));
}

}  // namespace pitboss::server
