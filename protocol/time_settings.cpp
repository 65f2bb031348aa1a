#include "protocol/time_settings.hpp"

#include <algorithm>

namespace pitboss::protocol {

namespace {

using Seconds = TimeSettings::Seconds;

bool has_overtime(const TimeSettings& settings) {
  return settings.system == TimeSystem::canadian || settings.system == TimeSystem::byo_yomi;
}

/// The first overtime, which pays for what the move has used beyond the main time.
TimeLeft after_main_time(const TimeSettings& settings, TimeLeft left) {
  return {left.time + settings.period, settings.count};
}

}  // namespace

TimeLeft time_at_start(const TimeSettings& settings) {
  if (settings.system == TimeSystem::none) return {};
  const bool at_once = has_overtime(settings) && settings.main <= Seconds{};
  return at_once ? TimeLeft{settings.period, settings.count} : TimeLeft{settings.main, 0};
}

TimeLeft time_after(const TimeSettings& settings, TimeLeft left, Seconds used) {
  if (left.time == TimeSettings::unlimited) return left;
  left.time -= used;
  const bool main_time_over = left.count == 0 && left.time <= Seconds{};
  switch (settings.system) {
    case TimeSystem::canadian:
      if (main_time_over) left = after_main_time(settings, left);
      if (left.count > 0 && --left.count == 0) left = {settings.period, settings.count};
      break;
    case TimeSystem::byo_yomi:
      if (left.count == 0 && !main_time_over) break;
      if (main_time_over) left = after_main_time(settings, left);
      for (; left.time < Seconds{} && left.count > 1; --left.count) left.time += settings.period;
      left.time = settings.period;
      break;
    case TimeSystem::fischer:
      left.time = std::min(left.time + settings.period, settings.most);
      break;
    case TimeSystem::none:  // whoever set the time left has to say what comes next
    case TimeSystem::absolute:
      if (left.count > 0) --left.count;
      break;
  }
  return left;
}

Seconds longest_move(const TimeSettings& settings, const TimeLeft& left) {
  Seconds longest = left.time;
  if (settings.system == TimeSystem::byo_yomi) {
    const int more = left.count > 0 ? left.count - 1 : settings.count;
    longest += settings.period * more;
  } else if (settings.system == TimeSystem::canadian && left.count == 0) {
    longest += settings.period;
  }
  return std::min(longest, settings.most_a_move);
}

}  // namespace pitboss::protocol
