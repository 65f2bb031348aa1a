#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "clients/engines/engine.hpp"
#include "clients/experiment/experiment_file.hpp"

namespace pitboss::clients {

/// What a move costs a player in a match.
struct MoveCost {
  double seconds = 0;
  bool is_measured = false;  ///< else it is the most that the player's `movetime` allows
};

/// By match of the experiment and player; nothing where it is not known.
using MoveCosts = std::vector<std::array<std::optional<MoveCost>, 2>>;

/// What the players' options say about it: their `movetime`, nothing else.
[[nodiscard]] MoveCosts stated_costs(const Experiment& experiment);

/// Seconds of wall time for a move, the mean of the first `moves` of a game, at least 1, that an
/// engine plays against itself behind the opening of round 0. Opens the engine and closes it.
/// Throws GtpFailure, UserError.
[[nodiscard]] boost::asio::awaitable<double> measure_move(Engine& engine, const Match& match,
                                                          int player, int moves = 4);

using EngineMaker =
    std::function<std::unique_ptr<Engine>(const boost::asio::any_io_executor&, const Player&)>;

/// The stated costs, and the measured ones where the options do not say: one engine after the
/// other, each player once in each game. Blocks. Throws UserError, which names the player and the
/// place, for an engine that does not play.
[[nodiscard]] MoveCosts measure_costs(const Experiment& experiment, const EngineMaker& make);

/// Plies of a game: the mean of `playouts` games of random moves by our rules, or of the game's own
/// playout policy if it has one, behind the openings of the first rounds.
[[nodiscard]] double mean_plies(const Match& match, int playouts = 20);

/// Seconds that a match may take with one game after the other; nothing without both costs.
[[nodiscard]] std::optional<double> estimated_seconds(
    const Match& match, const std::array<std::optional<MoveCost>, 2>& costs);

/// What would be played, and how long it may take, for people.
[[nodiscard]] std::string plan_text(const ExperimentFile& file, const MoveCosts& costs);

}  // namespace pitboss::clients
