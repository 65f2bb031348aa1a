#include "clients/players/gtp_clock.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

#include "clients/experiments/time_control.hpp"
#include "clients/players/engine_failure.hpp"

namespace pitboss::clients {

namespace {

using protocol::TimeSettings, protocol::TimeSystem;
using Seconds = TimeSettings::Seconds;

/// In thousandths, or whole; rounded down.
std::string number(Seconds time, bool has_fractions) {
  const double seconds = std::max(time.count(), 0.0);
  const double told =
      has_fractions ? std::floor(seconds * 1000 + 1e-6) / 1000 : std::floor(seconds);
  return seconds_in(Seconds(told));
}

bool has_word(const std::string& text, std::string_view word) {
  std::istringstream words(text);
  for (std::string w; words >> w;) {
    if (w == word) return true;
  }
  return false;
}

/// "fischer 10 0.1"
std::string system_text(const TimeSettings& settings, bool has_fractions) {
  std::string out =
      std::string(name_of(settings.system)) + " " + number(settings.main, has_fractions);
  if (settings.system != TimeSystem::absolute) out += " " + number(settings.period, has_fractions);
  if (settings.count > 0) out += " " + std::to_string(settings.count);
  return out;
}

[[noreturn]] void refuse(const std::string& why) {
  throw EngineFailure(EngineFailure::Kind::refused, "cannot be told its clock: " + why);
}

/// With whole seconds something has to be left of each time.
void check_seconds(const TimeSettings& settings) {
  const auto is_lost = [](Seconds time) { return time > Seconds{} && time < Seconds(1); };
  const bool has_period = settings.count > 0;
  if (is_lost(settings.main) || (has_period && is_lost(settings.period))) {
    refuse("it has no kata-time_settings, and GTP's other commands count whole seconds");
  }
}

}  // namespace

std::string GtpClock::text() const {
  if (!has_time_left) return settings;
  return settings + (settings.empty() ? "" : "; ") + "time_left";
}

std::string GtpClock::time_left(const std::string& colour, const protocol::TimeLeft& left) const {
  if (!has_time_left) return {};
  return "time_left " + colour + " " + number(left.time, has_fractions) + " " +
         std::to_string(left.count);
}

GtpClock clock_of_ours(const TimeSettings& settings) {
  return {"kata-time_settings " + system_text(settings, true), true, true};
}

GtpClock clock_of_others(const TimeSettings& settings, const std::string& commands,
                         const std::string& systems) {
  GtpClock clock;
  clock.has_time_left = has_word(commands, "time_left");
  const bool is_listed = systems.empty() || has_word(systems, name_of(settings.system));
  if (has_word(commands, "kata-time_settings") && is_listed) {
    clock.settings = "kata-time_settings " + system_text(settings, true);
    clock.has_fractions = true;
    return clock;
  }
  check_seconds(settings);
  if (settings.system == TimeSystem::byo_yomi) {
    if (!has_word(commands, "kgs-time_settings")) {
      refuse("byo-yomi needs kata-time_settings or kgs-time_settings, and it has neither");
    }
    clock.settings = "kgs-time_settings " + system_text(settings, false);
    return clock;
  }
  if (settings.system == TimeSystem::fischer && !clock.has_time_left) {
    refuse("an increment needs kata-time_settings or time_left, and it has neither");
  }
  if (has_word(commands, "time_settings")) {
    const bool has_period = settings.system == TimeSystem::canadian;
    clock.settings = "time_settings " + number(settings.main, false) + " " +
                     (has_period ? number(settings.period, false) : "0") + " " +
                     std::to_string(settings.count);
  } else if (!clock.has_time_left) {
    refuse("it has neither time_settings nor time_left");
  }
  return clock;
}

}  // namespace pitboss::clients
