#pragma once

#include <array>
#include <optional>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/first_moves.hpp"

namespace pitboss::clients {

/// The time that a player takes for a move in a match.
struct MoveCost {
  double seconds = 0;
  /// Otherwise it is the most that the player's `movetime`, or its clock on average, allows.
  bool is_measured = false;
  /// How many such searches its place runs at once, a server by its workers and this machine by its
  /// processors; nothing if that is not known.
  std::optional<int> at_once = std::nullopt;
};

/// By match and player; nothing where the cost is not known.
using MoveCosts = std::vector<std::array<std::optional<MoveCost>, 2>>;

/// Whether a clock or an option that bounds time may end a player's searches, so that the same
/// search need not give the same move.
[[nodiscard]] bool may_time_end_moves(const Player& player);

/// The costs that the players' options state, `movetime`, or their clocks.
[[nodiscard]] MoveCosts stated_costs(const Experiment& experiment);

/// The stated costs, and measured ones where options state none: the mean of an engine's first
/// moves after an opening, which it plays against itself again and again; of each move the least
/// time counts, which is that of a warm engine on an idle machine. Measures one engine after the
/// other, each player once in each game. Blocks. Throws UserError, which names player and place,
/// for an engine that does not play.
[[nodiscard]] MoveCosts measure_costs(const Experiment& experiment, const EngineMaker& make);

/// The mean length of a game in plies: of `playouts` playouts by our rules, random or with the
/// game's own playout policy if it has one, after the openings of the first rounds.
[[nodiscard]] double mean_plies(const Match& match, int playouts = 20);

/// Seconds that a match may take with one game at a time and games of so many plies; nothing unless
/// both players' costs are known.
[[nodiscard]] std::optional<double> estimated_seconds(
    const Match& match, const std::array<std::optional<MoveCost>, 2>& costs, double plies);

}  // namespace pitboss::clients
