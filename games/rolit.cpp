#include "games/rolit.hpp"

#include <algorithm>
#include <cmath>

#include "games/grid.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Rolit> && HasStaticValue<Rolit> && HasSeats<Rolit> && HasQuality<Rolit>);

namespace {

constexpr Parameter players_parameter{
    "players", "2", "2-4", "how many of the colours play: red, yellow, green, blue, in turn"};

constexpr std::uint64_t point_bit(int x, int y) { return std::uint64_t{1} << (8 * y + x); }
/// Red, yellow, green, blue: clockwise from the top left of the centre.
constexpr std::array<std::uint64_t, Rolit::players> first_balls{point_bit(3, 4), point_bit(4, 4),
                                                                point_bit(4, 3), point_bit(3, 3)};
constexpr std::uint64_t centre = first_balls[0] | first_balls[1] | first_balls[2] | first_balls[3];

/// The points left and right of `balls`.
constexpr std::uint64_t sideways(std::uint64_t balls) {
  constexpr std::uint64_t first_column = 0x0101010101010101;
  return (balls << 1 & ~first_column) | (balls >> 1 & ~(first_column << 7));
}
/// The points next to one of `balls`, diagonally too, and `balls`.
constexpr std::uint64_t grown(std::uint64_t balls) {
  const std::uint64_t wide = balls | sideways(balls);
  return wide | wide << 8 | wide >> 8;
}

// ---- the static value

constexpr std::uint64_t corners = 0x8100000000000081;
constexpr std::uint64_t edges = 0x7e8181818181817e;
constexpr int plies_of_phase = 8;

/// The weights of a colour's features, by phase of the game. The softmax of the weighted sums was
/// fitted to the results of 7500 games of this engine (400 simulations a move with playouts; 2500
/// games each of two, three and four players). Many balls are of no use early and decide the end;
/// balls on the edge beside an empty corner are a burden throughout.
using Weights = std::array<double, 8>;
constexpr std::array<Weights, 7> weights{{{1.01, 0.08, -0.05, 0.02, -0.02, 0.56, -0.57, 0.33},
                                          {1.22, 0.10, -0.02, -0.01, 0.00, 0.75, -0.44, 0.28},
                                          {1.15, 0.07, 0.03, -0.04, 0.01, 0.75, -0.29, 0.29},
                                          {1.03, 0.09, 0.06, -0.09, 0.03, 0.60, -0.19, 0.27},
                                          {0.85, 0.12, 0.07, -0.12, 0.06, 0.55, -0.15, 0.23},
                                          {0.64, 0.17, 0.11, -0.16, 0.15, 0.36, -0.14, 0.19},
                                          {0.49, 0.24, 0.20, -0.23, 0.38, 0.01, -0.09, 0.14}}};

/// Balls of `own` on the edge that a chain of own balls joins to a corner; mostly permanent.
std::uint64_t anchored(std::uint64_t own) {
  std::uint64_t balls = own & corners;
  for (int i = 0; i < 6; ++i) balls |= own & edges & (sideways(balls) | balls << 8 | balls >> 8);
  return balls & edges;
}

/// Balls in corners, on edges, elsewhere, beside an empty point; placements that turn balls, and
/// those of them in corners; balls on the edge beside an empty corner, and those joined to an own
/// corner.
std::array<int, 8> features_of(std::uint64_t own, std::uint64_t all) {
  const std::uint64_t moves = outflank::sources(own, all ^ own) & ~all;
  const std::uint64_t beside_corner = grown(corners & ~all) & edges;
  return {std::popcount(own & corners),
          std::popcount(own & edges),
          std::popcount(own & ~(corners | edges)),
          std::popcount(own & grown(~all)),
          std::popcount(moves),
          std::popcount(moves & corners),
          std::popcount(own & beside_corner),
          std::popcount(anchored(own))};
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
  check_no_extra(setup, name);
  check_stones(setup.pieces, points(), "ball");
  Rolit game = *this;
  for (int c = 0; c < players; ++c) game.balls_[c] = setup.pieces[c].word(0);
  game.to_move_ = static_cast<std::uint8_t>(setup.to_move);
  const std::uint64_t all = game.occupied();
  if ((centre & ~all) != 0) throw BadGame("the four points of the centre are never empty");
  if ((std::popcount(all) - 4) % seats_ != game.to_move_) {
    throw BadGame("the number of balls makes it another colour's turn");
  }
  // Every ball lies next to an earlier one.
  std::uint64_t reached = centre;
  for (std::uint64_t before = 0; before != reached;) {
    before = reached;
    reached = grown(reached) & all;
  }
  if (reached != all) throw BadGame("a ball lies apart from the others");
  return game;
}

Values<Rolit> Rolit::static_values() const {
  const std::uint64_t all = occupied();
  const int phase = std::max((std::popcount(all) - 8) / plies_of_phase, 0);
  Values<Rolit> values{};
  double sum = 0;
  for (int c = 0; c < seats_; ++c) {
    const auto features = features_of(balls_[c], all);
    double strength = 0;
    for (std::size_t i = 0; i < features.size(); ++i) strength += weights[phase][i] * features[i];
    values[c] = std::exp(strength);
    sum += values[c];
  }
  for (double& value : values) value /= sum;
  return values;
}

}  // namespace pitboss::games
