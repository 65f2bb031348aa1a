#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/scores.hpp"
#include "clients/experiments/statistics/sprt.hpp"
#include "clients/experiments/statistics/tally.hpp"
#include "clients/referee/breakdowns.hpp"
#include "clients/referee/ledger/played_game.hpp"

namespace pitboss::clients {

/// Sums over the finished rounds of a match: points, scores of rounds, forfeits, lengths. The order
/// in which rounds are added does not matter.
class Standings {
 public:
  explicit Standings(const Match& match)
      : sides_(sides_of(match)), scores_(match.round()), breakdowns_(sides_.players) {}

  /// All games of one round, in any order.
  void add_round(std::span<const PlayedGame> games);

  [[nodiscard]] int games() const { return totals_[0].games(); }
  [[nodiscard]] int rounds() const { return static_cast<int>(scores_.rounds()); }
  /// How many of the games differ, move by move.
  [[nodiscard]] int distinct() const { return static_cast<int>(times_played_.size()); }
  /// Games that repeat an earlier one.
  [[nodiscard]] int duplicates() const { return games() - distinct(); }
  /// How often each sequence of moves was played.
  [[nodiscard]] const std::unordered_map<std::string, int>& times_played() const {
    return times_played_;
  }
  /// The number of games lost by something other than play.
  [[nodiscard]] int forfeits() const { return forfeits_; }

  /// The points of a player in all games, or of its seats of one colour.
  [[nodiscard]] const Tally& tally(int player) const { return totals_[player]; }
  [[nodiscard]] const Tally& tally(int player, games::Colour colour) const {
    return by_colour_[player][games::index(colour)];
  }
  /// The scores of the rounds, seen by the first player.
  [[nodiscard]] const Scores& scores() const { return scores_; }

  /// By reason: the games that a player lost by a failure.
  [[nodiscard]] const std::map<std::string, int>& failures(int player) const {
    return failures_[player];
  }
  [[nodiscard]] int failures(int player, Failure failure) const {
    return breakdowns_.count(player, failure);
  }
  [[nodiscard]] const Breakdowns& breakdowns() const { return breakdowns_; }

  // Measures of strength, seen by the first player. Where breakdowns decide, there are none.
  [[nodiscard]] EloEstimate elo() const;
  [[nodiscard]] EloEstimate normalized_elo() const;
  /// Elo that a test's stopping rule does not bias.
  [[nodiscard]] std::optional<EloEstimate> corrected_elo(const SprtPlan& plan) const;
  [[nodiscard]] std::optional<double> superiority() const;
  [[nodiscard]] std::optional<double> llr(const SprtPlan& plan) const;

  [[nodiscard]] int resignations(int player) const { return resignations_[player]; }
  /// The evaluations for a player in all its games.
  [[nodiscard]] const Evaluations& evaluations(int player) const { return evaluations_[player]; }
  /// The median of the simulations of a player's moves; nothing if its engines tell none.
  [[nodiscard]] std::optional<std::int64_t> simulations(int player) const;
  /// How many processors a player's searches had on average: seconds of processor time for each of
  /// their seconds; nothing if its engines tell none.
  [[nodiscard]] std::optional<double> processors(int player) const;
  /// By number of plies: the games of that length.
  [[nodiscard]] const std::map<int, int>& lengths() const { return lengths_; }

 private:
  void add(const PlayedGame& game);
  void add_efforts(const PlayedGame& game, int player);

  /// What a player's moves have taken.
  struct Efforts {
    std::vector<std::int64_t> simulations;  ///< of each move, as far as they are told
    // Of the moves that tell both:
    std::int64_t processor_us = 0;
    std::int64_t search_us = 0;
  };

  Sides sides_;
  Scores scores_;
  int forfeits_ = 0;
  std::array<Tally, 2> totals_{};  // by player
  std::array<std::array<Tally, games::most_players>, 2> by_colour_{};
  std::array<std::map<std::string, int>, 2> failures_;
  Breakdowns breakdowns_;
  std::array<int, 2> resignations_{};
  std::array<Evaluations, 2> evaluations_{};
  std::array<Efforts, 2> efforts_;
  std::map<int, int> lengths_;
  std::unordered_map<std::string, int> times_played_;
};

}  // namespace pitboss::clients
