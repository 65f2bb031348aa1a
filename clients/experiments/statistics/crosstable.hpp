#pragma once

#include <cstddef>
#include <vector>

#include "clients/experiments/statistics/tally.hpp"

namespace pitboss::clients {

/// The scores of all players against each other. Players are numbers from 0.
class Crosstable {
 public:
  explicit Crosstable(int players)
      : players_(players), tallies_(static_cast<std::size_t>(players) * players) {}

  /// Adds the result of `player` in games against `opponent`, for both of them.
  void add(int player, int opponent, const Tally& tally) {
    tallies_[index(player, opponent)] += tally;
    tallies_[index(opponent, player)] += tally.reversed();
  }

  [[nodiscard]] int players() const { return players_; }
  /// The score of `player` against `opponent`.
  [[nodiscard]] const Tally& operator()(int player, int opponent) const {
    return tallies_[index(player, opponent)];
  }
  /// The score of `player` against all others.
  [[nodiscard]] Tally total(int player) const {
    Tally sum;
    for (int opponent = 0; opponent < players_; ++opponent) sum += (*this)(player, opponent);
    return sum;
  }

 private:
  [[nodiscard]] std::size_t index(int player, int opponent) const {
    return static_cast<std::size_t>(player) * players_ + opponent;
  }

  int players_;
  std::vector<Tally> tallies_;
};

}  // namespace pitboss::clients
