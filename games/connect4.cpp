#include "games/connect4.hpp"

#include "games/grid.hpp"
#include "games/logistic.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Connect4>);
static_assert(HasFeatureValue<Connect4> && HasTunedValue<Connect4>);

namespace {

/// The points at which windows (four points in line) begin, by direction.
constexpr std::uint64_t right_starts = 0x00000f0f0f0f0f0fU;     // x <= 3
constexpr std::uint64_t up_starts = 0x00000000007f7f7fU;        // y <= 2
constexpr std::uint64_t up_right_starts = 0x00000000000f0f0fU;  // y <= 2, x <= 3
constexpr std::uint64_t up_left_starts = 0x0000000000787878U;   // y <= 2, x >= 3

/// By colour: how many windows hold exactly 1, 2, 3 stones of that colour and none of the other.
using OpenFours = std::array<std::array<int, 3>, 2>;

/// The windows that begin in `starts` with exactly 1, 2, 3 stones of one colour and none of the
/// other, for both colours side by side. `stones[k]` has the stones on the windows' k-th points;
/// all windows add them at once as one-bit numbers.
std::array<WordPair, 3> open_among(std::uint64_t starts, const std::array<WordPair, 4>& stones) {
  const auto& [a, b, c, d] = stones;
  const WordPair open = starts & ~swapped(a | b | c | d);
  const WordPair ones = a ^ b ^ c ^ d;
  const WordPair twos = (a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d));
  return {open & ones & ~twos, open & twos & ~ones, open & ones & twos};
}

/// Two directions share a word: up and up-right, 24 bits apart; right and up-left, in different
/// columns.
OpenFours open_windows(std::uint64_t black, std::uint64_t white) {
  const WordPair board{black, white};
  std::array<WordPair, 4> rising;
  std::array<WordPair, 4> sideways;
  for (int k = 0; k < 4; ++k) {
    rising[k] = ((board >> 8 * k) & up_starts) | (board >> 9 * k) << 24;
    sideways[k] = ((board >> k) & right_starts) | ((board >> 7 * k) & up_left_starts) << 1;
  }
  const auto some = open_among(up_starts | up_right_starts << 24, rising);
  const auto others = open_among(right_starts | up_left_starts << 1, sideways);
  OpenFours windows;
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < 3; ++i) {
      windows[c][i] =
          std::popcount(std::uint64_t{some[i][c]}) + std::popcount(std::uint64_t{others[i][c]});
    }
  }
  return windows;
}

/// The points among `points` that would complete four in line with `stones`; both colours side by
/// side.
WordPair completing(WordPair stones, std::uint64_t points) {
  WordPair ends = (stones << 8) & (stones << 16) & (stones << 24);
  for (const int d : {1, 7, 9}) {
    const WordPair up = stones << d;
    const WordPair down = stones >> d;
    const WordPair beyond = up & (stones << 2 * d);    // both points before the empty one
    const WordPair before = down & (stones >> 2 * d);  // both points after it
    ends |= beyond & ((stones << 3 * d) | down);
    ends |= before & ((stones >> 3 * d) | up);
  }
  return ends & points;
}

/// logistic(400 ((S + M) / 2M - 1/2)) for S = `sum`, M = 30 (4*6 + 3*7 + 2*35*3) = 7650.
double value_of(int sum) { return logistic(sum / 38.25); }

}  // namespace

std::string Connect4::text(Move move) const {
  return point_text(static_cast<int>(code(move)) % 8, static_cast<int>(code(move)) / 8);
}

std::string Connect4::short_text(Move move) const {
  return column_text(static_cast<int>(code(move)) % 8);
}

double Connect4::static_value() const {
  Features windows;
  features(windows);
  return static_value(windows);
}

double Connect4::static_value(const Features& features) const {
  // Windows of 1, 2, 3 stones weigh 2, 6, 30: half the sum is looked up.
  constexpr int windows = feature_values - 1;
  constexpr int largest = windows * 30 / 2;
  static const auto value = [] {
    std::array<double, 2 * largest + 1> values;
    for (int i = -largest; i <= largest; ++i) values[largest + i] = value_of(2 * i);
    return values;
  }();
  return value[largest + (features[0] - features[3]) + 3 * (features[1] - features[4]) +
               15 * (features[2] - features[5])];
}

/// A threat is an empty point on which a stone would complete four. It counts by its colour and by
/// its row, the lowest being odd: black, who begins, gets the odd threats if both sides fill the
/// columns from below (Allis, "A knowledge-based approach of connect-four", 1988). A threat above
/// an enemy's is never reached.
///
/// The weights, in hundredths, are those of a logistic regression on the results of games of this
/// program against itself: docs/results/static-values.md.
double Connect4::tuned_value() const {
  constexpr std::uint64_t odd_rows = 0x0000'007f'007f'007fU;
  const WordPair stones{pieces(0).word(0), pieces(1).word(0)};
  const std::uint64_t landing = landing_points().word(0);
  const WordPair threats = completing(stones, all_points & ~stones_);
  const bool is_black = to_move_ == Colour::black;

  if ((either(is_black, threats[0], threats[1]) & landing) != 0) return is_black ? 1 : 0;
  const std::uint64_t enemy = either(is_black, threats[1], threats[0]);
  const std::uint64_t to_block = enemy & landing;
  // The enemy has two such points, or the block makes another one playable.
  if ((to_block & (to_block - 1)) != 0 || ((to_block << 8) & enemy) != 0) return is_black ? 0 : 1;

  const WordPair later = threats & ~landing;
  WordPair above = later << 8;
  above |= above << 8;
  above |= above << 16;
  const WordPair good = later & ~swapped(above);
  const WordPair odd = good & odd_rows;
  const auto count = [](std::uint64_t points) { return std::popcount(points); };
  const OpenFours windows = open_windows(stones[0], stones[1]);
  const int for_mover = 36 - (to_block != 0 ? 60 : 0);
  const int sum = 8 * (windows[0][0] - windows[1][0]) + 26 * (windows[0][1] - windows[1][1]) +
                  271 * count(odd[0]) + 20 * count(good[0] ^ odd[0]) - 105 * count(odd[1]) -
                  156 * count(good[1] ^ odd[1]) + (is_black ? for_mover : -for_mover);
  return logistic(sum / 100.0);
}

void Connect4::features(Features& values) const {
  const OpenFours windows = open_windows(pieces(0).word(0), pieces(1).word(0));
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < 3; ++i) values[3 * c + i] = static_cast<std::uint16_t>(windows[c][i]);
  }
}

Connect4 Connect4::with(const Setup<Board>& setup) const {
  check_no_extra(setup, name);
  check_alternation(setup);
  Connect4 game;
  game.to_move_ = setup.to_move;
  game.own_ = setup.pieces[index(setup.to_move)].word(0);
  game.stones_ = (setup.pieces[0] | setup.pieces[1]).word(0);
  const std::uint64_t supported = game.stones_ << 8 | 0x7fU;
  if ((game.stones_ & ~supported) != 0) throw BadGame("a stone has an empty point below it");
  if (has_four(game.own_)) throw BadGame("the side to move has four in line already");
  return game;
}

}  // namespace pitboss::games
