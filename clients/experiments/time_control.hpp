#pragma once

#include <string>
#include <string_view>

#include "protocol/time_settings.hpp"

namespace pitboss::clients {

/// Reads the clock of a player, `tc`: "10" (seconds for the game), "10+0.1" (an increment after
/// each move), "40/60" (40 moves in every 60 s), "10m+30s/5" (then 5 moves in every 30 s),
/// "10m+30s:5" (then byo-yomi, 5 periods of 30 s) or "30s:5" (byo-yomi at once). A time is a number
/// of seconds, a number with one of the units ms, s, m and h, or M:SS. The unit of a byo-yomi's
/// period is not left out: "2:30" is two minutes and a half. Throws UserError.
[[nodiscard]] protocol::TimeSettings parse_time_control(std::string_view text);
/// The clock as `parse_time_control` reads it, in seconds; equal clocks have equal texts.
[[nodiscard]] std::string text_of(const protocol::TimeSettings& clock);
/// Seconds without an exponent: "0.5".
[[nodiscard]] std::string seconds_in(protocol::TimeSettings::Seconds time);

}  // namespace pitboss::clients
