#include <array>

#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"
#include "server/session/graphics.hpp"
#include "server/session/search_json.hpp"

namespace pitboss::server {

namespace {

using protocol::TimeSettings, protocol::TimeSystem;
using Seconds = TimeSettings::Seconds;

constexpr std::int64_t most_stones = 100000;

/// Canadian time; a byo-yomi for 0 stones means no limit at all, as in GTP.
Outcome time_settings(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(3, 3, "MAIN BYO_YOMI STONES");
  constexpr std::int64_t most = 2147483647;
  const Seconds main(arguments.whole(0, 0, most));
  const Seconds byo_yomi(arguments.whole(1, 0, most));
  const auto stones = static_cast<int>(arguments.whole(2, 0, most_stones));
  TimeSettings settings;
  if (byo_yomi == Seconds{}) {
    settings = {.system = TimeSystem::absolute, .main = main};
  } else if (stones > 0) {
    settings = {.system = TimeSystem::canadian, .main = main, .period = byo_yomi, .count = stones};
  }
  seat.table->clock().set(settings);
  return {};
}

/// GoGui's clock runs on below 0 and sends negative numbers, which count as 0.
Outcome time_left(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(3, 3, "COLOUR SECONDS STONES_OR_PERIODS");
  const games::Colour colour = seat.colour(arguments, 0);
  const Seconds left = arguments.number(1) < 0 ? Seconds{} : arguments.seconds(1);
  const auto count = static_cast<int>(arguments.whole(2, 0, most_stones));
  seat.table->clock().set_left(colour, {left, count});
  return {};
}

/// A bound in seconds; a negative number means none.
Seconds bound(const protocol::Arguments& arguments, std::size_t i) {
  return arguments.number(i) < 0 ? TimeSettings::unlimited : arguments.seconds(i);
}

/// The systems by name, and how each reads its numbers, which begin at argument 1.
struct System {
  std::string_view name;
  std::string_view numbers;  ///< for people
  std::size_t count;
  bool known_to_kgs;
  TimeSettings (*read)(const protocol::Arguments&);
};

int whole_count(const protocol::Arguments& arguments, std::size_t i) {
  return static_cast<int>(arguments.whole(i, 1, most_stones));
}

constexpr std::array<System, 6> systems{{
    {name_of(TimeSystem::none), "", 0, true,
     [](const protocol::Arguments&) { return TimeSettings{}; }},
    {name_of(TimeSystem::absolute), " MAIN", 1, true,
     [](const protocol::Arguments& a) {
       return TimeSettings{.system = TimeSystem::absolute, .main = a.seconds(1)};
     }},
    {name_of(TimeSystem::byo_yomi), " MAIN PERIOD PERIODS", 3, true,
     [](const protocol::Arguments& a) {
       return TimeSettings{.system = TimeSystem::byo_yomi,
                           .main = a.seconds(1),
                           .period = a.seconds(2),
                           .count = whole_count(a, 3)};
     }},
    {name_of(TimeSystem::canadian), " MAIN PERIOD STONES", 3, true,
     [](const protocol::Arguments& a) {
       return TimeSettings{.system = TimeSystem::canadian,
                           .main = a.seconds(1),
                           .period = a.seconds(2),
                           .count = whole_count(a, 3)};
     }},
    {name_of(TimeSystem::fischer), " MAIN INCREMENT", 2, false,
     [](const protocol::Arguments& a) {
       return TimeSettings{
           .system = TimeSystem::fischer, .main = a.seconds(1), .period = a.seconds(2)};
     }},
    {"fischer-capped", " MAIN INCREMENT MOST MOST_A_MOVE", 4, false,
     [](const protocol::Arguments& a) {
       const TimeSettings settings{.system = TimeSystem::fischer,
                                   .main = a.seconds(1),
                                   .period = a.seconds(2),
                                   .most = bound(a, 3),
                                   .most_a_move = bound(a, 4)};
       if (settings.most < settings.main)
         throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                      "syntax error: MOST must not be below MAIN");
       return settings;
     }},
}};

Outcome named_settings(Seat& seat, const protocol::Arguments& arguments, bool of_kgs) {
  const auto is_known = [&](const System& s) { return s.known_to_kgs || !of_kgs; };
  for (const System& system : systems) {
    if (arguments.size() == 0 || arguments.word(0) != system.name || !is_known(system)) continue;
    arguments.expect(1 + system.count, 1 + system.count,
                     std::string(system.name) + std::string(system.numbers));
    seat.table->clock().set(system.read(arguments));
    return {};
  }
  std::string known;
  for (const System& system : systems) {
    if (is_known(system)) known.append(known.empty() ? "" : " | ").append(system.name);
  }
  throw protocol::CommandError(protocol::FailureCode::bad_argument,
                               "syntax error: expected " + known);
}

Outcome kgs_time_settings(Seat& seat, const protocol::Arguments& arguments) {
  return named_settings(seat, arguments, true);
}
Outcome kata_time_settings(Seat& seat, const protocol::Arguments& arguments) {
  return named_settings(seat, arguments, false);
}

Outcome kata_list_time_settings(Seat&, const protocol::Arguments&) {
  std::string names;
  for (const System& system : systems) names.append(names.empty() ? "" : " ").append(system.name);
  return names;
}

Outcome last_time(Seat& seat, const protocol::Arguments&) {
  if (!seat.last_time)
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "no command of this connection has taken time yet");
  return seconds_text(*seat.last_time);
}

Outcome cputime(Seat& seat, const protocol::Arguments&) {
  return decimal_text(std::chrono::duration<double>(seat.processor_time()).count(), 3);
}

constexpr std::array<Command, 8> time_rows{{
    {"time_settings", "MAIN BYO_YOMI STONES", "sets the clock: Canadian time, in seconds", false,
     time_settings, protocol::Right::play},
    {"kgs-time_settings", "none / absolute / byoyomi / canadian NUMBERS",
     "sets the clock, other systems too", false, kgs_time_settings, protocol::Right::play},
    {"kata-time_settings", "the same, or fischer / fischer-capped NUMBERS",
     "sets the clock, still more systems", false, kata_time_settings, protocol::Right::play},
    {"kata-list_time_settings", "", "the systems of `kata-time_settings`", false,
     kata_list_time_settings, protocol::Right::watch},
    {"time_left", "COLOUR SECONDS STONES_OR_PERIODS", "corrects the clock", false, time_left,
     protocol::Right::play},
    {"last_time", "",
     "seconds that this connection's last genmove, or other command that takes time, took here",
     false, last_time, protocol::Right::watch, Needs::nothing},
    {"cputime", "", "seconds of processor time that searches here have used", false, cputime,
     protocol::Right::watch},
    {"gomill-cpu_time", "", "the same", false, cputime, protocol::Right::watch},
}};

}  // namespace

std::span<const Command> time_commands() { return time_rows; }

}  // namespace pitboss::server
