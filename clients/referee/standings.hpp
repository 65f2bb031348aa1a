#pragma once

#include <array>
#include <map>
#include <string>
#include <unordered_set>

#include "clients/referee/game_record.hpp"
#include "clients/referee/match.hpp"
#include "clients/statistics/intervals.hpp"

namespace pitboss::clients {

/// What a match amounts to so far, whatever the order in which its games are added.
class Standings {
 public:
  explicit Standings(const Match& match) : sides_(sides_of(match)) {}

  void add(const GameRecord& game);

  [[nodiscard]] int games() const { return games_; }
  /// How many different games, move by move, were played.
  [[nodiscard]] int distinct() const { return static_cast<int>(distinct_.size()); }
  /// Games lost by something other than play.
  [[nodiscard]] int forfeits() const { return forfeits_; }

  /// By player: its points in all games, or what its seat of one colour has earned.
  [[nodiscard]] const Tally& tally(int player) const { return totals_[player]; }
  [[nodiscard]] const Tally& tally(int player, games::Colour colour) const {
    return by_colour_[player][games::index(colour)];
  }
  /// Lost games by reason, of one player.
  [[nodiscard]] const std::map<std::string, int>& failures(int player) const {
    return failures_[player];
  }
  [[nodiscard]] int resignations(int player) const { return resignations_[player]; }

 private:
  Sides sides_;
  int games_ = 0;
  int forfeits_ = 0;
  std::array<Tally, 2> totals_{};  // by player
  std::array<std::array<Tally, games::most_players>, 2> by_colour_{};
  std::array<std::map<std::string, int>, 2> failures_;
  std::array<int, 2> resignations_{};
  std::unordered_set<std::string> distinct_;
};

}  // namespace pitboss::clients
