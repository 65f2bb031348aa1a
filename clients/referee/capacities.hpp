#pragma once

#include <chrono>
#include <map>
#include <string>

#include "clients/experiments/match.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// How many games each location (a server, or a program on this machine) plays at once: as many as
/// the user says or its searches allow, fewer after it has refused more, none while it is down. A
/// game counts once at each location of its players, and games of programs at `this_machine`, too.
/// Reads no clock: callers pass the time.
class Capacities {
 public:
  using Time = environment::AwakeClock::time_point;

  /// How long a location's limit stays after a refusal; then it rises by one.
  static constexpr std::chrono::seconds rest{30};

  /// Where all programs run.
  static constexpr const char* this_machine = "this machine";

  /// At most `games` at once at each location, or the number in `limits` (by location, as `text_of`
  /// writes it).
  Capacities(int games, std::map<std::string, int> limits);

  /// How many games a location plays at once as long as it refuses none and is up.
  [[nodiscard]] int most_at(const std::string& location) { return room(location).most; }
  /// The location plays no more than that at once; to be called before the first game.
  void limit(const std::string& location, int games);

  /// How many games of the match could begin now.
  [[nodiscard]] int room_for(const Match& match, Time now);
  [[nodiscard]] bool has_room(const Match& match, Time now) { return room_for(match, now) > 0; }
  void take(const Match& match);
  void give_back(const Match& match);

  /// The location refused an engine for a game that is still counted there. Returns the location's
  /// new limit; 0 if no other game is there: then the location is unusable.
  int refuse(const std::string& location, Time now);

  /// The location could not be reached, or refuses even a single game.
  void mark_down(const std::string& location, Time now);
  void mark_up(const std::string& location);
  [[nodiscard]] bool is_down(const std::string& location) const;
  /// Whether the match cannot be played now because one of its locations is down.
  [[nodiscard]] bool is_down(const Match& match) const;
  /// Since when the location is down; Time::min() if it is up.
  [[nodiscard]] Time down_since(const std::string& location) const;

 private:
  struct Room {
    int most;       ///< at once
    int limit;      ///< at once, for now
    int taken = 0;  ///< games there
    Time until{};   ///< when the limit rises by one
    bool is_down = false;
    Time down_since{};
  };
  Room& room(const std::string& location);

  int games_;
  std::map<std::string, int> limits_;
  std::map<std::string, Room> rooms_;
};

}  // namespace pitboss::clients
