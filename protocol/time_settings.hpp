#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string_view>

namespace pitboss::protocol {

/// How a game is timed. Main time first, then what the system says:
enum class TimeSystem : std::uint8_t {
  none,      ///< no limit
  absolute,  ///< nothing more
  canadian,  ///< `count` moves in every `period`
  byo_yomi,  ///< one move in each `period`; a move loses those of `count` periods that it uses up
  fischer    ///< `period` is added after every move, up to `most`; no move takes over `most_a_move`
};

/// The word of KataGo's `kata-time_settings`.
[[nodiscard]] constexpr std::string_view name_of(TimeSystem system) {
  switch (system) {
    case TimeSystem::absolute:
      return "absolute";
    case TimeSystem::canadian:
      return "canadian";
    case TimeSystem::byo_yomi:
      return "byoyomi";
    case TimeSystem::fischer:
      return "fischer";
    case TimeSystem::none:
      break;
  }
  return "none";
}

struct TimeSettings {
  using Seconds = std::chrono::duration<double>;
  static constexpr Seconds unlimited{std::numeric_limits<double>::infinity()};

  TimeSystem system = TimeSystem::none;
  Seconds main{};
  Seconds period{};
  int count = 0;
  Seconds most = unlimited;
  Seconds most_a_move = unlimited;

  friend bool operator==(const TimeSettings&, const TimeSettings&) = default;
};

/// What one side has left: of its main time (count == 0), for the next `count` moves (canadian), or
/// in the first of `count` periods (byo-yomi).
struct TimeLeft {
  TimeSettings::Seconds time = TimeSettings::unlimited;
  int count = 0;
};

/// What a side has before its first move.
[[nodiscard]] TimeLeft time_at_start(const TimeSettings& settings);
/// What a side has left after a move that took `used`. A move that took more than `longest_move`
/// leaves less than nothing, or in byo-yomi the last period.
[[nodiscard]] TimeLeft time_after(const TimeSettings& settings, TimeLeft left,
                                  TimeSettings::Seconds used);
/// The longest time that the next move may take.
[[nodiscard]] TimeSettings::Seconds longest_move(const TimeSettings& settings,
                                                 const TimeLeft& left);

}  // namespace pitboss::protocol
