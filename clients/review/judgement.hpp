#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

/// What is a mistake, and what is a turning point. Numbers in, verdicts out.
namespace pitboss::clients {

/// What a position is worth to each colour, in [0, 1]; nothing where no_leader told.
using PositionValues = std::vector<std::optional<double>>;

/// A move of a game.
struct MoveMade {
  int mover = 0;         ///< its colour
  bool is_best = false;  ///< the search would have made it, or there was no other
};

struct Thresholds {
  double mistake = 0.1;  ///< the least loss of a mistake
  double lead = 0.1;     ///< by how much the leader is ahead of all others
};

struct MoveVerdict {
  /// What the move has given away: what the position before it was worth to its mover, less what
  /// the position behind it is; at least 0, and 0 if it is the best. Nothing if one is not known.
  std::optional<double> loss{};
  bool is_mistake = false;  ///< its loss is that of a mistake or more, and it is not the best
  /// It brings a colour into the lead that has not led last. A colour leads that is ahead of all
  /// others by `Thresholds::lead`, and keeps the lead until another one has it. Where a value
  /// before or behind the move is not known, it is none.
  bool is_turning_point = false;
  friend bool operator==(const MoveVerdict&, const MoveVerdict&) = default;
};

/// Judges each move. `values` are those of the position before each move, and of the last one.
[[nodiscard]] std::vector<MoveVerdict> verdicts_on(std::span<const PositionValues> values,
                                                   std::span<const MoveMade> moves,
                                                   const Thresholds& thresholds);

/// Whether there is a value, for each colour. In games of more than two a search may tell the
/// mover's alone.
[[nodiscard]] bool all_known(const PositionValues& values);

inline constexpr int no_leader = -1;
/// The colour that leads; `no_leader` if there is none, or a value is not known.
[[nodiscard]] int leader_of(const PositionValues& values, double lead);

}  // namespace pitboss::clients
