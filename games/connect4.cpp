#include "games/connect4.hpp"

#include <cmath>

#include "games/grid.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Connect4>);

namespace {

/// The lines of four in one direction: the step between neighbours, and where lines begin.
struct Lines {
  int step;
  std::uint64_t starts;
};
constexpr std::array<Lines, 4> directions{{
    {1, 0x00000f0f0f0f0f0fU},  // right: x <= 3
    {8, 0x00000000007f7f7fU},  // up: y <= 2
    {9, 0x00000000000f0f0fU},  // up and right
    {7, 0x0000000000787878U},  // up and left: x >= 3
}};

/// How many windows hold exactly 1, 2, 3 of `own` and none of `enemy`. All windows of a direction
/// are counted at once: the four shifted boards are added as one-bit numbers.
std::array<int, 3> open_windows(std::uint64_t own, std::uint64_t enemy) {
  std::array<int, 3> windows{};
  for (const auto& [d, starts] : directions) {
    const std::uint64_t blocked = enemy | enemy >> d | enemy >> 2 * d | enemy >> 3 * d;
    const std::uint64_t open = starts & ~blocked;
    const std::uint64_t b = own >> d;
    const std::uint64_t c = own >> 2 * d;
    const std::uint64_t e = own >> 3 * d;
    const std::uint64_t odd = own ^ b ^ c ^ e;
    const std::uint64_t two_low = own & b;
    const std::uint64_t two_high = c & e;
    const std::uint64_t two_across = (own ^ b) & (c ^ e);
    const std::uint64_t some_two = two_low | two_high | two_across;
    windows[0] += std::popcount(open & odd & ~some_two);
    windows[1] += std::popcount(open & ~odd & (two_low ^ two_high ^ two_across));
    windows[2] += std::popcount(open & odd & some_two);
  }
  return windows;
}

}  // namespace

std::string Connect4::text(Move move) const {
  return point_text(static_cast<int>(code(move)) % 8, static_cast<int>(code(move)) / 8);
}

std::string Connect4::short_text(Move move) const {
  return column_text(static_cast<int>(code(move)) % 8);
}

double Connect4::static_value() const {
  constexpr std::array weight{2, 6, 30};
  const auto black = open_windows(stones_[0], stones_[1]);
  const auto white = open_windows(stones_[1], stones_[0]);
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += weight[i] * (black[i] - white[i]);
  // 1 / (1 + exp(-400 ((S + M) / 2M - 1/2))) with M = 30 (4*6 + 3*7 + 2*35*3) = 7650.
  return 1.0 / (1.0 + std::exp(-sum / 38.25));
}

void Connect4::features(std::array<std::uint16_t, feature_count>& values) const {
  for (int c = 0; c < 2; ++c) {
    const auto windows = open_windows(stones_[c], stones_[1 - c]);
    for (int i = 0; i < 3; ++i) values[3 * c + i] = static_cast<std::uint16_t>(windows[i]);
  }
}

Connect4 Connect4::with(const Setup<Board>& setup) const {
  if (!setup.extra.empty()) throw BadGame("a connect4 position has no third part");
  check_alternation(setup);
  Connect4 game;
  for (int c = 0; c < 2; ++c) game.stones_[c] = setup.pieces[c].word(0);
  const std::uint64_t stones = game.stones_[0] | game.stones_[1];
  if ((stones & ~((stones << 8) | 0x7fU)) != 0) throw BadGame("a stone hangs in the air");
  game.to_move_ = setup.to_move;
  const Colour last = opponent(setup.to_move);
  if (has_four(game.stones_[index(setup.to_move)])) {
    throw BadGame("the side to move has already four in line");
  }
  if (has_four(game.stones_[index(last)])) {
    game.result_ = Result::win(last);
  } else if (stones == all_points) {
    game.result_ = Result::draw();
  }
  return game;
}

}  // namespace pitboss::games
