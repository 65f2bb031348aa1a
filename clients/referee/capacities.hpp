#pragma once

#include <chrono>
#include <map>
#include <string>

#include "clients/experiments/match.hpp"

namespace pitboss::clients {

/// How many games each location (a server, or a program on this machine) plays at once: as many as
/// the user says, fewer after it has refused more, none while it is down. A game counts once at
/// each location of its players. Reads no clock: callers pass the time.
class Capacities {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// How long a location that has refused a game gets no more than it had then.
  static constexpr std::chrono::seconds rest{30};

  /// `games` at once everywhere but where `limits` (by location, as `text_of` writes it) say
  /// otherwise.
  Capacities(int games, std::map<std::string, int> limits);

  [[nodiscard]] bool has_room(const Match& match, Time now);
  void take(const Match& match);
  void give_back(const Match& match);

  /// The location did not take an engine for a game that is still counted as being there. Returns
  /// how many games it gets from now on, or 0 if there was no other game: then it cannot be used at
  /// all.
  int refuse(const std::string& location, Time now);

  /// The location could not be reached, or did nothing but refuse.
  void mark_down(const std::string& location, Time now);
  void mark_up(const std::string& location);
  [[nodiscard]] bool is_down(const std::string& location) const;
  /// Whether the match cannot be played now because one of its locations is down.
  [[nodiscard]] bool is_down(const Match& match) const;
  /// When the location that is down was last up; the past's beginning if none is down.
  [[nodiscard]] Time down_since(const std::string& location) const;

 private:
  struct Room {
    int most;       ///< at once, as the user says
    int limit;      ///< at once, for now
    int taken = 0;  ///< games there
    Time until{};   ///< when to try one more than `limit`
    bool is_down = false;
    Time down_since{};
  };
  Room& room(const std::string& location);

  int games_;
  std::map<std::string, int> limits_;
  std::map<std::string, Room> rooms_;
};

}  // namespace pitboss::clients
