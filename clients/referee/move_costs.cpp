#include "clients/referee/move_costs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/declarations.hpp"
#include "engine/options/options.hpp"
#include "environment/awake_clock.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

using environment::AwakeClock;

namespace {

/// What bounds the searches of a player: options, and of all a clock.
struct SearchBounds {
  double movetime_ms = 0;  ///< 0: none
  double cputime_ms = 0;   ///< likewise
  bool others = false;     ///< whether another option bounds it, too
};

SearchBounds bounds_of(const Player& player) {
  SearchBounds bounds;
  if (player.language == Language::pitboss) {
    engine::Options options;
    for (const auto& [name, value] : player.options) engine::set_option(options, name, value);
    bounds.movetime_ms = static_cast<double>(options.movetime_ms);
    bounds.cputime_ms = static_cast<double>(options.cputime_ms);
    bounds.others = engine::simulation_bound(options, player.clock.has_value()) > 0;
  } else {
    for (const auto& [name, value] : player.options) {
      if (name == "movetime" || name == "timeout_turn") {
        bounds.movetime_ms = std::strtod(value.c_str(), nullptr);
      }
      if (name == "nodes" || name == "depth") bounds.others = true;
    }
  }
  return bounds;
}

/// The mean time for each of `moves` moves, if all of the clock is used.
double seconds_a_move(const protocol::TimeSettings& clock, double moves) {
  const bool is_shared = clock.system == protocol::TimeSystem::canadian;
  return clock.main.count() / moves + clock.period.count() / (is_shared ? clock.count : 1);
}

/// The moves of a seat in a game of the mean length.
double mean_moves(const Match& match) {
  const double plies = mean_plies(match) - static_cast<double>(opening_of(match, 0).size());
  return std::max(plies / static_cast<double>(match.colours.size()), 1.0);
}

/// `moves`: those of its seat in a game.
std::optional<MoveCost> stated_cost(const Player& player, double moves) {
  std::optional<double> seconds;
  const double movetime = bounds_of(player).movetime_ms / 1000;
  if (movetime > 0) seconds = movetime;
  if (player.clock) {
    const double on_clock = seconds_a_move(*player.clock, moves);
    seconds = std::min(seconds.value_or(on_clock), on_clock);
  }
  if (!seconds) return std::nullopt;
  return MoveCost{*seconds, false};
}

/// Whether only time bounds a move, so that its stated cost needs no measurement.
bool is_bounded_by_time_alone(const Player& player) {
  const SearchBounds bounds = bounds_of(player);
  return (bounds.movetime_ms > 0 || player.clock) && !bounds.others;
}

}  // namespace

bool may_time_end_moves(const Player& player) {
  const SearchBounds bounds = bounds_of(player);
  return player.clock.has_value() || bounds.movetime_ms > 0 || bounds.cputime_ms > 0;
}

MoveCosts stated_costs(const Experiment& experiment) {
  MoveCosts costs;
  for (const Match& match : experiment.matches) {
    const double moves = match.has_clock() ? mean_moves(match) : 0;
    costs.push_back({stated_cost(match.players[0], moves), stated_cost(match.players[1], moves)});
  }
  return costs;
}

double mean_plies(const Match& match, int playouts) {
  double plies = 0;
  for (int i = 0; i < playouts; ++i) {
    const auto position = match.initial_position();
    const auto opening = opening_of(match, i);
    for (const std::string& move : opening) position->play(move);
    games::Random random(derived_seed(match.seed, use_playouts, static_cast<std::uint64_t>(i)));
    const int all = static_cast<int>(opening.size()) + position->informed_playout(random).plies;
    plies += match.max_plies > 0 ? std::min(all, match.max_plies) : all;
  }
  return plies / playouts;
}

std::optional<double> estimated_seconds(const Match& match,
                                        const std::array<std::optional<MoveCost>, 2>& costs,
                                        double plies) {
  if (!costs[0] || !costs[1]) return std::nullopt;
  // Each player makes half the moves after the opening: it has each seat equally often.
  const double moves = plies - static_cast<double>(opening_of(match, 0).size());
  return match.games * moves * (costs[0]->seconds + costs[1]->seconds) / 2;
}

namespace {

/// Throws EngineFailure.
asio::awaitable<MoveCost> measured_cost(Engine& engine, const Declaration& declared,
                                        const Match& match, int player) {
  constexpr int most_times = 20;
  constexpr std::size_t moves = 4;
  constexpr auto enough = std::chrono::seconds(1);
  std::vector<double> least;  // of each move
  const auto start = AwakeClock::now();
  for (int i = 0; i < most_times && AwakeClock::now() - start < enough; ++i) {
    const std::vector<TimedMove> made =
        co_await first_moves(engine, match, 0, engine_seed(match, 0, player), moves);
    if (i == 0) least.resize(made.size(), std::numeric_limits<double>::infinity());
    for (std::size_t m = 0; m < std::min(least.size(), made.size()); ++m) {
      least[m] = std::min(least[m], made[m].seconds);
    }
  }
  const double mean =
      std::accumulate(least.begin(), least.end(), 0.0) / static_cast<double>(least.size());
  const Player& who = match.players[player];
  std::optional<int> workers = co_await engine.workers();
  if (std::holds_alternative<Program>(who.location)) {
    workers = environment::processors();
  }
  if (workers) workers = std::max(*workers / threads_of(who, declared), 1);
  co_return MoveCost{mean, true, workers};
}

}  // namespace

MoveCosts measure_costs(const Experiment& experiment, const EngineMaker& make) {
  MoveCosts costs = stated_costs(experiment);
  const auto measured = [&](std::size_t i, int p) {
    const Match& match = experiment.matches[i];
    const Player& player = match.players[p];
    for (std::size_t j = 0; j < i; ++j) {  // cost measured in an earlier match
      const Match& other = experiment.matches[j];
      for (const int q : {0, 1}) {
        if (same_rules(match, other) && other.players[q].name == player.name) return costs[j][q];
      }
    }
    const auto ask = [&](Engine& engine, const Declaration& declared) {
      return measured_cost(engine, declared, match, p);
    };
    const std::atomic<bool> never = false;
    try {
      return std::optional(ask_engine<MoveCost>(make, match, player, ask, never));
    } catch (const EngineFailure& e) {
      throw UserError(text_of(player.location) + " cannot be asked by " + player.name +
                      " for moves of " + match.game + ": " + e.what());
    }
  };
  for (std::size_t i = 0; i < costs.size(); ++i) {
    for (const int p : {0, 1}) {
      const Player& player = experiment.matches[i].players[p];
      if (!is_bounded_by_time_alone(player)) costs[i][p] = measured(i, p);
    }
  }
  return costs;
}

}  // namespace pitboss::clients
