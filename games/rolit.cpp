#include "games/rolit.hpp"

#include <algorithm>
#include <cmath>

#include "games/grid.hpp"

namespace pitboss::games {

static_assert(Game<Rolit> && HasStaticValue<Rolit> && HasSeats<Rolit>);

namespace {

constexpr Parameter players_parameter{"players", "2", "2-4", "how many of the colours play: red, yellow, green, blue, in turn"};

constexpr std::uint64_t point_bit(int x, int y) { return std::uint64_t{1} << (8 * y + x); }
/// Red, yellow, green, blue: clockwise from the top left of the centre.
constexpr std::array<std::uint64_t, Rolit::players> first_balls{point_bit(3, 4), point_bit(4, 4),
                                                                point_bit(4, 3), point_bit(3, 3)};
constexpr std::uint64_t centre = first_balls[0] | first_balls[1] | first_balls[2] | first_balls[3];

/// The points next to one of `balls`, diagonally too, and `balls`.
constexpr std::uint64_t grown(std::uint64_t balls) {
  const std::uint64_t left_column = 0x0101010101010101;
  const std::uint64_t wide =
      balls | (balls << 1 & ~left_column) | (balls >> 1 & ~(left_column << 7));
  return wide | wide << 8 | wide >> 8;
}

}  // namespace

std::span<const Parameter> Rolit::parameters() { return {&players_parameter, 1}; }

Rolit::Rolit(int seats) : balls_(first_balls), seats_(static_cast<std::uint8_t>(seats)) {}

Rolit Rolit::create(const Parameters& parameters) {
  return Rolit(parameters.number("players", 2, players));
}

std::string Rolit::text(Move move) const {
  return point_text(static_cast<int>(code(move)) % 8, static_cast<int>(code(move)) / 8);
}

std::uint64_t Rolit::placements() const {
  const std::uint64_t all = occupied();
  const std::uint64_t own = balls_[to_move_];
  const std::uint64_t turning = outflank::sources(own, all ^ own) & ~all;
  return turning != 0 ? turning : grown(all) & ~all;
}

Result Rolit::by_count() const {
  int most = 0;
  std::uint8_t winners = 0;
  for (int c = 0; c < seats_; ++c) {
    const int count = std::popcount(balls_[c]);
    if (count > most) winners = 0;
    if (count >= most) winners = static_cast<std::uint8_t>(winners | 1U << c);
    most = std::max(most, count);
  }
  return Result::among(winners);
}

int Rolit::margin() const {
  std::array<int, players> counts{};
  for (int c = 0; c < seats_; ++c) counts[c] = std::popcount(balls_[c]);
  std::ranges::sort(counts, std::ranges::greater{});
  return counts[0] - counts[1];
}

Rolit Rolit::with(const Setup<Board, 4>& setup) const {
  if (!setup.extra.empty()) throw BadGame("a rolit position has no third part");
  Rolit game = *this;
  for (int c = 0; c < players; ++c) game.balls_[c] = setup.pieces[c].word(0);
  game.to_move_ = static_cast<std::uint8_t>(setup.to_move);
  const std::uint64_t all = game.occupied();
  if ((centre & ~all) != 0) throw BadGame("the four points of the centre are never empty");
  if ((std::popcount(all) - 4) % seats_ != game.to_move_) {
    throw BadGame("the number of balls tells that it is another colour's turn");
  }
  // Every ball lies next to an older one.
  std::uint64_t reached = centre;
  for (std::uint64_t before = 0; before != reached;) {
    before = reached;
    reached = grown(reached) & all;
  }
  if (reached != all) throw BadGame("a ball lies apart from the others");
  return game;
}

Values<Rolit> Rolit::static_values() const {
  // Corners are never turned; a ball beside an empty corner gives it away; what lies on the edge is
  // hard to turn. Early in the game many balls are of no use, in the end they are all that counts.
  constexpr std::uint64_t corners = 0x8100000000000081;
  constexpr std::uint64_t edges = 0x7e8181818181817e;
  const std::uint64_t all = occupied();
  const std::uint64_t empty_corners = corners & ~all;
  const std::uint64_t beside = grown(empty_corners);
  const double late = (std::popcount(all) - 4) / 60.0;
  Values<Rolit> values{};
  double sum = 0;
  for (int c = 0; c < seats_; ++c) {
    const std::uint64_t own = balls_[c];
    const double strength =
        0.6 * std::popcount(own & corners) + 0.15 * std::popcount(own & edges & ~beside) -
        0.2 * std::popcount(own & beside) + 0.3 * late * late * std::popcount(own);
    values[c] = std::exp(strength);
    sum += values[c];
  }
  for (double& value : values) value /= sum;
  return values;
}

}  // namespace pitboss::games
