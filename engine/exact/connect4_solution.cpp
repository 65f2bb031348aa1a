#include "engine/exact/connect4_solution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace pitboss::engine {

namespace {

constexpr int board_columns = 7;
constexpr int board_rows = 6;
constexpr int column_bits = board_rows + 1;

constexpr std::uint64_t column(int x) {
  return std::uint64_t{(1U << board_rows) - 1} << x * column_bits;
}
constexpr std::uint64_t lowest_points = [] {
  std::uint64_t points = 0;
  for (int x = 0; x < board_columns; ++x) points |= std::uint64_t{1} << x * column_bits;
  return points;
}();
constexpr std::uint64_t all_points = lowest_points * ((1U << board_rows) - 1);
constexpr std::array<int, board_columns> from_the_middle{3, 2, 4, 1, 5, 0, 6};

/// The empty points that complete four in line with stones of `own`.
std::uint64_t completions(std::uint64_t own, std::uint64_t all) {
  std::uint64_t points = own << 1 & own << 2 & own << 3;
  for (const int step : {column_bits - 1, column_bits, column_bits + 1}) {
    const std::uint64_t up = own << step & own << 2 * step;
    const std::uint64_t down = own >> step & own >> 2 * step;
    points |= up & (own << 3 * step | own >> step);
    points |= down & (own >> 3 * step | own << step);
  }
  return points & (all_points ^ all);
}

std::uint64_t landing_points(std::uint64_t all) { return (all + lowest_points) & all_points; }

/// The moves after which the opponent does not win at once.
std::uint64_t moves_that_hold(std::uint64_t own, std::uint64_t all) {
  std::uint64_t moves = landing_points(all);
  const std::uint64_t threats = completions(own ^ all, all);
  if (const std::uint64_t forced = moves & threats; forced != 0) {
    if (!std::has_single_bit(forced)) return 0;
    moves = forced;
  }
  return moves & ~(threats >> 1);
}

/// Rows of eight bits become columns of seven.
std::uint64_t by_columns(std::uint64_t by_rows) {
  std::uint64_t points = 0;
  for (; by_rows != 0; by_rows &= by_rows - 1) {
    const int point = std::countr_zero(by_rows);
    points |= std::uint64_t{1} << (point % 8 * column_bits + point / 8);
  }
  return points;
}

// Of an entry of the table.
constexpr int empty_shift = 4;
constexpr int key_shift = 10;
std::uint64_t key_of(std::uint64_t entry) { return entry >> key_shift; }
std::uint64_t empty_of(std::uint64_t entry) { return entry >> empty_shift & 63U; }

}  // namespace

Connect4Solution::Connect4Solution(std::size_t table_bytes) : table_(table_bytes, 2) {}

/// Measured after random moves: half of what it was with each stone more.
double Connect4Solution::expected_positions(const games::Connect4& position) {
  return 8e8 / std::exp2((position.pieces(0) | position.pieces(1)).count());
}

Connect4Solution::Stones Connect4Solution::stones_of(const games::Connect4& position) {
  const auto mover = games::index(position.to_move());
  return {by_columns(position.pieces(mover).word(0)),
          by_columns((position.pieces(0) | position.pieces(1)).word(0))};
}

int Connect4Solution::most(const games::Connect4& position) const {
  return found(stones_of(position).key()).upper;
}

std::optional<int> Connect4Solution::score(const games::Connect4& position, Patience& patience) {
  if (const games::Result result = position.result(); result.finished()) {
    return result.shared() ? 0 : -1;  // who has moved last has won
  }
  patience_ = &patience;
  const Stones stones = stones_of(position);
  if ((completions(stones.own, stones.all) & landing_points(stones.all)) != 0) return 1;
  const int score = search(stones, -1, 1);
  if (patience.has_ended()) return std::nullopt;
  return score;
}

/// Of a side that cannot win at once.
int Connect4Solution::search(Stones stones, int alpha, int beta) {
  if (patience_->ends_with_position()) return 0;
  const int played = std::popcount(stones.all);
  const std::uint64_t moves = moves_that_hold(stones.own, stones.all);
  if (moves == 0) return played == board_columns * board_rows ? 0 : -1;
  if (played >= board_columns * board_rows - 2) return 0;
  Bounds bounds = found(stones.key());
  alpha = std::max(alpha, bounds.lower);
  beta = std::min(beta, bounds.upper);
  if (alpha >= beta) return alpha;
  const int before = alpha;

  struct Candidate {
    std::uint64_t move;
    int threats;
  };
  std::array<Candidate, board_columns> candidates;
  int count = 0;
  for (const int x : from_the_middle) {
    const std::uint64_t move = moves & column(x);
    if (move == 0) continue;
    const int threats = std::popcount(completions(stones.own | move, stones.all | move));
    int place = count++;
    for (; place > 0 && candidates[place - 1].threats < threats; --place) {
      candidates[place] = candidates[place - 1];
    }
    candidates[place] = {move, threats};
  }
  for (int i = 0; i < count && alpha < beta; ++i) {
    alpha = std::max(alpha, -search(stones.after(candidates[i].move), -beta, -alpha));
    if (patience_->has_ended()) return 0;
  }
  if (alpha > before) bounds.lower = alpha;
  if (alpha < beta) bounds.upper = alpha;
  keep(stones, bounds);
  return alpha;
}

std::size_t Connect4Solution::bucket(std::uint64_t key) const {
  key *= 0x9e3779b97f4a7c15U;
  return (key ^ key >> 32) & (table_.size() - 2);
}

Connect4Solution::Bounds Connect4Solution::found(std::uint64_t key) const {
  const std::uint64_t* const entries = &table_[bucket(key)];
  const std::uint64_t entry = key_of(entries[0]) == key ? entries[0] : entries[1];
  if (key_of(entry) != key) return {-1, 1};
  return {static_cast<int>(entry >> 2 & 3U) - 1, static_cast<int>(entry & 3U) - 1};
}

void Connect4Solution::keep(Stones stones, Bounds bounds) {
  const std::uint64_t key = stones.key();
  const auto empty =
      static_cast<std::uint64_t>(board_columns * board_rows - std::popcount(stones.all));
  std::uint64_t* const entries = &table_[bucket(key)];
  const bool is_first = key_of(entries[0]) == key || empty >= empty_of(entries[0]);
  entries[is_first ? 0 : 1] = key << key_shift | empty << empty_shift |
                              static_cast<std::uint64_t>(bounds.lower + 1) << 2 |
                              static_cast<std::uint64_t>(bounds.upper + 1);
}

}  // namespace pitboss::engine
