#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clients/review/finding.hpp"
#include "clients/review/game_files.hpp"

/// What was played from a position, how often, and with what result.
namespace pitboss::clients {

/// A move from the position, seen by who makes it.
struct ExploredMove {
  std::string move;
  int games = 0;
  int won = 0;    ///< the whole point
  int drawn = 0;  ///< a part of it
  int lost = 0;
  double points = 0;  ///< of the games whose result is known, which are won, drawn or lost

  [[nodiscard]] int decided() const { return won + drawn + lost; }
  /// Points a game; nothing if no result is known.
  [[nodiscard]] std::optional<double> score() const {
    return decided() == 0 ? std::nullopt : std::optional(points / decided());
  }
  friend bool operator==(const ExploredMove&, const ExploredMove&) = default;
};

struct Explored {
  int games = 0;                      ///< that have come there, those that ended there included
  std::vector<ExploredMove> moves{};  ///< what was played most first
};

/// Of a game that comes there more than once, its first move counts.
[[nodiscard]] Explored explored(std::span<const GameOnFile> games, const GamePosition& from);

/// The same of every position that games have come to from there on, by its text.
[[nodiscard]] std::map<std::string, Explored> explored_from(std::span<const GameOnFile> games,
                                                            const GamePosition& from);

/// Each colour's share of the point, by the rules, or by what the record tells of the result; none
/// if neither is known.
[[nodiscard]] std::vector<double> shares_of(const GameOnFile& game);

}  // namespace pitboss::clients
