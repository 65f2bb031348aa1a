#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/intervals.hpp"

/// Numbers for readers. An undefined number is a dash.
namespace pitboss::clients {

/// Formats like std::printf.
template <class... Values>
[[nodiscard]] std::string format(const char* pattern, Values... values) {
  const int size = std::snprintf(nullptr, 0, pattern, values...);
  std::string out(static_cast<std::size_t>(size), '\0');
  std::snprintf(out.data(), out.size() + 1, pattern, values...);
  return out;
}

/// "[47.7, 54.7]" in per cent.
[[nodiscard]] inline std::string percent_text(const Interval& interval, int digits = 1) {
  return format("[%.*f, %.*f]", digits, 100 * interval.low, digits, 100 * interval.high);
}

/// "+8.5", "-".
[[nodiscard]] inline std::string signed_text(std::optional<double> value, int digits = 1) {
  if (!value || !std::isfinite(*value)) return "-";
  const bool is_zero = std::abs(*value) * std::pow(10, digits) < 0.5;
  return format("%+.*f", digits, is_zero ? 0.0 : *value);  // no "-0.0"
}

/// Whether games tell an Elo, or at least a bound that says who is stronger.
[[nodiscard]] inline bool is_told(const EloEstimate& estimate) {
  const auto& [elo, low, high] = estimate;
  return (elo && low && high) || (low && *low > 0) || (high && *high < 0);
}

/// "+8.5 [-15.7, +32.9]"; with a bound on one side only "about +436.0, above +297.1", for a player
/// that has won all games "above +12.0", for one that has lost all "below -12.0". "too few games"
/// if the games set no bound, or one that does not even tell who is stronger.
[[nodiscard]] inline std::string elo_text(const EloEstimate& estimate) {
  if (!is_told(estimate)) return "too few games";
  if (estimate.elo && estimate.low && estimate.high) {
    return signed_text(estimate.elo) + " [" + signed_text(estimate.low) + ", " +
           signed_text(estimate.high) + "]";
  }
  const std::string about = estimate.elo ? "about " + signed_text(estimate.elo) + ", " : "";
  if (estimate.low && *estimate.low > 0) return about + "above " + signed_text(estimate.low);
  return about + "below " + signed_text(estimate.high);
}

/// "Elo +8.5 [-15.7, +32.9]", "Elo above +12.0", "too few games for an Elo".
[[nodiscard]] inline std::string elo_phrase(const EloEstimate& estimate) {
  return is_told(estimate) ? "Elo " + elo_text(estimate) : elo_text(estimate) + " for an Elo";
}

/// "2:53", "1:02:53", "3 d 01:02:53".
[[nodiscard]] inline std::string duration_text(double seconds) {
  const long long whole = std::llround(seconds);
  if (whole < 3600) return format("%lld:%02lld", whole / 60, whole % 60);
  const std::string clock =
      format("%02lld:%02lld:%02lld", whole / 3600 % 24, whole / 60 % 60, whole % 60);
  if (whole >= 86400) return format("%lld d %s", whole / 86400, clock.c_str());
  return clock.substr(clock.front() == '0' ? 1 : 0);
}

/// Seconds since 1970 as "2026-11-25 00:44:10", in UTC.
[[nodiscard]] inline std::string time_text(std::int64_t when) {
  const std::time_t seconds = when;
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return std::to_string(when);
  char out[32];
  return {out, std::strftime(out, sizeof out, "%Y-%m-%d %H:%M:%S", &parts)};
}

}  // namespace pitboss::clients
