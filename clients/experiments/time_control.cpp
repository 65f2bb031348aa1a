#include "clients/experiments/time_control.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

using protocol::TimeSettings, protocol::TimeSystem;
using Seconds = TimeSettings::Seconds;

constexpr double longest = 1e6;  // seconds
constexpr int most_moves = 100'000;

template <class Number>
std::optional<Number> unsigned_in(std::string_view text) {
  return text.starts_with('-') ? std::nullopt : number_in<Number>(text);
}

std::optional<int> count_in(std::string_view text) {
  const auto count = unsigned_in<int>(text);
  return count && *count >= 1 && *count <= most_moves ? count : std::nullopt;
}

/// The time that "0.5", "500ms", "10m" or "2:30" tells.
std::optional<Seconds> time_in(std::string_view text) {
  double unit = 1;
  double minutes = 0;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const auto whole = count_in(text.substr(0, colon));
    if (!whole) return std::nullopt;
    minutes = *whole;
    text.remove_prefix(colon + 1);
  } else {
    constexpr std::array<std::pair<std::string_view, double>, 4> units{
        {{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}}};
    for (const auto& [name, seconds] : units) {
      if (!text.ends_with(name)) continue;
      unit = seconds;
      text.remove_suffix(name.size());
      break;
    }
  }
  const auto number = unsigned_in<double>(text);
  if (!number || (minutes > 0 && *number >= 60)) return std::nullopt;
  const double microseconds = std::round(1e6 * (60 * minutes + *number * unit));
  const double seconds = microseconds / 1e6;  // equal clocks are equal to the last bit
  return seconds <= longest ? std::optional(Seconds(seconds)) : std::nullopt;
}

/// What stands behind the '+': an increment, moves in a time, or periods.
std::optional<TimeSettings> with_more(Seconds main, std::string_view more) {
  const std::size_t at = more.find_last_of("/:");
  const bool has_unit =
      at != std::string_view::npos && at > 0 &&
      (more[at] == '/' || more[at - 1] == 's' || more[at - 1] == 'm' || more[at - 1] == 'h');
  TimeSettings clock{.system = TimeSystem::fischer, .main = main};
  std::string_view period = more;
  if (has_unit) {
    const auto count = count_in(more.substr(at + 1));
    if (!count) return std::nullopt;
    clock.system = more[at] == '/' ? TimeSystem::canadian : TimeSystem::byo_yomi;
    clock.count = *count;
    period = more.substr(0, at);
  }
  const auto time = time_in(period);
  if (!time || (has_unit && *time <= Seconds{})) return std::nullopt;
  clock.period = *time;
  if (!has_unit && *time == Seconds{}) clock.system = TimeSystem::absolute;
  return clock;
}

std::optional<TimeSettings> settings_in(std::string_view text) {
  const std::size_t plus = text.find('+');
  if (plus != std::string_view::npos) {
    const auto main = time_in(text.substr(0, plus));
    return main && *main > Seconds{} ? with_more(*main, text.substr(plus + 1)) : std::nullopt;
  }
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto count = count_in(text.substr(0, slash));
    const auto time = time_in(text.substr(slash + 1));
    if (!count || !time || *time <= Seconds{}) return std::nullopt;
    return TimeSettings{.system = TimeSystem::canadian, .period = *time, .count = *count};
  }
  if (const auto byo_yomi = with_more({}, text);
      byo_yomi && byo_yomi->system == TimeSystem::byo_yomi) {
    return byo_yomi;
  }
  const auto main = time_in(text);
  if (!main || *main <= Seconds{}) return std::nullopt;
  return TimeSettings{.system = TimeSystem::absolute, .main = *main};
}

}  // namespace

std::string seconds_in(TimeSettings::Seconds time) {
  std::array<char, 32> text{};
  char* const end =
      std::to_chars(text.data(), text.data() + text.size(), time.count(), std::chars_format::fixed)
          .ptr;
  return {text.data(), end};
}

TimeSettings parse_time_control(std::string_view text) {
  if (const auto clock = settings_in(text)) return *clock;
  throw UserError(
      "tc is a clock such as 10+0.1 (seconds and increment), 2:30, 40/60 (moves in every time), "
      "10m+30s/5 (then 5 moves in every 30 s) or 10m+30s:5 (then 5 periods of 30 s), not \"" +
      std::string(text) + "\"");
}

std::string text_of(const TimeSettings& clock) {
  std::string main = clock.main > Seconds{} ? seconds_in(clock.main) : "";
  const std::string before = main.empty() ? "" : main + "+";
  const std::string period = seconds_in(clock.period);
  const std::string count = std::to_string(clock.count);
  switch (clock.system) {
    case TimeSystem::canadian:
      return main.empty() ? count + "/" + period : before + period + "/" + count;
    case TimeSystem::byo_yomi:
      return before + period + "s:" + count;
    case TimeSystem::fischer:
      return before + period;
    case TimeSystem::none:
    case TimeSystem::absolute:
      break;
  }
  return main;
}

}  // namespace pitboss::clients
