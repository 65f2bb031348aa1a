#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/root_rule.hpp"
#include "games/random.hpp"

/// How self-play's full searches begin their simulations, where PUCT does not (policy_target.hpp
/// says what the network learns from them). Independent of the game.
namespace pitboss::clients {

/// Of all moves together.
[[nodiscard]] std::int64_t visits_of(std::span<const engine::RootMove> moves);

/// Visits to which forced playouts carry a move with this prior among so many of all moves:
/// sqrt(k prior visits) (Wu 2019, "Accelerating Self-Play Learning in Go", sec. 3.2).
[[nodiscard]] double forced_visits(double k, double prior, std::int64_t visits);

/// Of the moves that have been tried, those with fewer visits than `forced_visits` come first, the
/// one with most missing before the others; else PUCT chooses.
[[nodiscard]] engine::RootRule forced_playouts(double k);

/// The logarithm of a prior, a finite one also of 0.
[[nodiscard]] double prior_logit(double prior);
/// What a move's value in [0, 1] adds to the logarithm of its prior, if the root's most visited
/// move has so many visits: scale (50 + most visits) value (Danihelka et al. 2022, "Policy
/// Improvement by Planning with Gumbel", eq. 8).
[[nodiscard]] double value_logit(double scale, std::int64_t most_visits, double value);

/// Sequential Halving with Gumbel noise, as a root rule of one search. The search begins with the
/// `moves` moves that have the largest g + log prior, g a sample of the Gumbel distribution for
/// each move. They share the search's `simulations` in ceil(log2 moves) phases of equal length. In
/// a phase all get equally many, at least one; then the half, two at least, with the largest g +
/// log prior + value_logit goes on. With tree reuse only new simulations count.
class SequentialHalving {
 public:
  /// `moves` and `simulations` are at least 1.
  SequentialHalving(int moves, int simulations, double scale, games::Random random)
      : most_moves_(moves), simulations_(simulations), scale_(scale), random_(random) {}

  /// An engine::RootRule; -1 if all moves are closed.
  int operator()(std::span<const engine::RootMove> moves);

 private:
  void begin(std::span<const engine::RootMove> moves);
  void begin_phase(std::span<const engine::RootMove> moves);
  void rank(std::span<const engine::RootMove> moves, bool with_values);
  [[nodiscard]] int next(std::span<const engine::RootMove> moves) const;

  int most_moves_;
  int simulations_;
  double scale_;
  games::Random random_;
  int phases_ = 0;
  std::vector<double> gumbel_;         ///< of each move
  std::vector<int> considered_;        ///< best first
  std::vector<std::int64_t> targets_;  ///< visits at the phase's end, of each of all moves
};

}  // namespace pitboss::clients
