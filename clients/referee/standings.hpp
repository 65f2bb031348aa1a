#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "clients/experiments/match.hpp"
#include "clients/experiments/statistics/scores.hpp"
#include "clients/experiments/statistics/tally.hpp"
#include "clients/referee/played_game.hpp"

namespace pitboss::clients {

/// The kinds of forfeit.
enum class Failure : std::uint8_t { crash, timeout, illegal_move, refused, garbage, unreachable };
inline constexpr std::array all_failures = {Failure::crash,        Failure::timeout,
                                            Failure::illegal_move, Failure::refused,
                                            Failure::garbage,      Failure::unreachable};
/// "illegal move".
[[nodiscard]] std::string_view name_of(Failure failure);
/// The kind that the reason of a forfeit tells; a crash for any reason that is not listed.
[[nodiscard]] Failure failure_of(std::string_view reason);

/// Sums over the finished rounds of a match: points, scores of rounds, forfeits, lengths. They do
/// not depend on the order in which the rounds are added.
class Standings {
 public:
  explicit Standings(const Match& match) : sides_(sides_of(match)), scores_(match.round()) {}

  /// All games of one round, in any order.
  void add_round(std::span<const PlayedGame> games);

  [[nodiscard]] int games() const { return totals_[0].games(); }
  [[nodiscard]] int rounds() const { return static_cast<int>(scores_.rounds()); }
  /// How many different games, move by move, were played.
  [[nodiscard]] int distinct() const { return static_cast<int>(times_played_.size()); }
  /// Games that repeat an earlier one.
  [[nodiscard]] int duplicates() const { return games() - distinct(); }
  /// By the moves of a game, how often it was played.
  [[nodiscard]] const std::unordered_map<std::string, int>& times_played() const {
    return times_played_;
  }
  /// Games lost by something other than play.
  [[nodiscard]] int forfeits() const { return forfeits_; }

  /// By player: its points in all games, or what its seat of one colour has earned.
  [[nodiscard]] const Tally& tally(int player) const { return totals_[player]; }
  [[nodiscard]] const Tally& tally(int player, games::Colour colour) const {
    return by_colour_[player][games::index(colour)];
  }
  /// How the rounds were scored, seen by the first player.
  [[nodiscard]] const Scores& scores() const { return scores_; }

  /// Lost games by reason, of one player.
  [[nodiscard]] const std::map<std::string, int>& failures(int player) const {
    return failures_[player];
  }
  [[nodiscard]] int failures(int player, Failure failure) const {
    return by_failure_[player][static_cast<std::size_t>(failure)];
  }
  [[nodiscard]] int resignations(int player) const { return resignations_[player]; }
  /// Of all its games.
  [[nodiscard]] const Evaluations& evaluations(int player) const { return evaluations_[player]; }
  /// Games by their number of plies.
  [[nodiscard]] const std::map<int, int>& lengths() const { return lengths_; }

 private:
  void add(const PlayedGame& game);

  Sides sides_;
  Scores scores_;
  int forfeits_ = 0;
  std::array<Tally, 2> totals_{};  // by player
  std::array<std::array<Tally, games::most_players>, 2> by_colour_{};
  std::array<std::map<std::string, int>, 2> failures_;
  std::array<std::array<int, all_failures.size()>, 2> by_failure_{};
  std::array<int, 2> resignations_{};
  std::array<Evaluations, 2> evaluations_{};
  std::map<int, int> lengths_;
  std::unordered_map<std::string, int> times_played_;
};

}  // namespace pitboss::clients
