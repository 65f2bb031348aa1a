#pragma once

#include <array>
#include <bit>
#include <string>

#include "clients/experiments/statistics/tally.hpp"
#include "games/game.hpp"

/// How two players sit at a game for two, three or four, and what their seats earn.
namespace pitboss::clients {

/// Some of a game's colours: bit c is colour c.
using ColourSet = unsigned;

/// The twelfths of the one point that each colour gets: exact, however many colours share.
using Shares = std::array<int, games::most_players>;
static_assert(whole_point % 2 == 0 && whole_point % 3 == 0 && games::most_players == 4);

/// The players of a match and the colours of its game, as records write them.
struct Sides {
  std::array<std::string, 2> players;  ///< names
  std::string letters;                 ///< capitals in turn order: "BW"

  [[nodiscard]] int colours() const { return static_cast<int>(letters.size()); }
  [[nodiscard]] ColourSet all() const { return (1U << letters.size()) - 1; }
  [[nodiscard]] std::string letters_of(ColourSet some) const {
    std::string out;
    for (std::size_t c = 0; c < letters.size(); ++c) {
      if ((some >> c & 1U) != 0) out += letters[c];
    }
    return out;
  }
};

/// How many ways there are to seat two players so that both play.
[[nodiscard]] constexpr int round_size(int colours) { return (1 << colours) - 2; }

/// Which player holds which colour in a game. Both hold at least one.
class Seating {
 public:
  constexpr Seating(int colours, ColourSet of_second) : colours_(colours), second_(of_second) {}
  /// The seating of game number `game`, from 0. Every `round_size` games go through all seatings;
  /// in a game for two the first player is black in the even games.
  [[nodiscard]] static constexpr Seating of_game(int colours, int game) {
    const int round = round_size(colours);
    return {colours, static_cast<ColourSet>(round - game % round)};
  }

  [[nodiscard]] constexpr int colours() const { return colours_; }
  [[nodiscard]] constexpr int player_of(games::Colour c) const {
    return static_cast<int>(second_ >> games::index(c) & 1U);
  }
  [[nodiscard]] constexpr ColourSet seats_of(int player) const {
    return player == 1 ? second_ : ~second_ & ((1U << colours_) - 1);
  }
  /// The first in turn order.
  [[nodiscard]] constexpr games::Colour first_seat_of(int player) const {
    return static_cast<games::Colour>(std::countr_zero(seats_of(player)));
  }
  /// What the player earns when the colours get `shares`.
  [[nodiscard]] constexpr int points_of(int player, const Shares& shares) const {
    int sum = 0;
    for (int c = 0; c < colours_; ++c) {
      if (player_of(static_cast<games::Colour>(c)) == player) sum += shares[c];
    }
    return sum;
  }

 private:
  int colours_;
  ColourSet second_;
};

/// `points` shared equally among `some`.
[[nodiscard]] constexpr Shares shared_among(ColourSet some, int points = whole_point) {
  Shares shares{};
  for (std::size_t c = 0; c < shares.size(); ++c) {
    if ((some >> c & 1U) != 0) shares[c] = points / std::popcount(some);
  }
  return shares;
}

/// Each player gets half the point, which its seats share equally.
[[nodiscard]] constexpr Shares shared_by_players(const Seating& seating) {
  const Shares first = shared_among(seating.seats_of(0), whole_point / 2);
  Shares both = shared_among(seating.seats_of(1), whole_point / 2);
  for (std::size_t c = 0; c < both.size(); ++c) both[c] += first[c];
  return both;
}

}  // namespace pitboss::clients
