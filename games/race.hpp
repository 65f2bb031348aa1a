#pragma once

#include "games/game.hpp"

namespace pitboss::games {

/// How a man of a race game steps, seen by black (up the board); white's steps are black's turned
/// by 180 degrees.
struct RaceStep {
  int dx;
  int dy;
  bool to_empty;  ///< only onto an empty point; else capturing is allowed
};

/// Value of a man on each point, by colour.
using RaceValues = std::array<std::array<std::int8_t, 64>, 2>;

/// A man's value by row from his home row and by column, 8x8 (Novelty in MCTS, the authors'
/// evaluation). On smaller boards the home row keeps its values, the other rows are those nearest
/// the goal, and columns keep their distance from the edge.
[[nodiscard]] constexpr RaceValues race_values(int size) {
  constexpr std::array<std::array<std::int8_t, 8>, 8> values8{{{45, 55, 55, 45, 45, 55, 55, 45},
                                                               {42, 43, 43, 43, 43, 43, 43, 42},
                                                               {44, 46, 46, 46, 46, 46, 46, 44},
                                                               {47, 50, 50, 50, 50, 50, 50, 47},
                                                               {51, 55, 55, 55, 55, 55, 55, 51},
                                                               {56, 61, 61, 61, 61, 61, 61, 56},
                                                               {60, 68, 68, 68, 68, 68, 68, 60},
                                                               {76, 76, 76, 76, 76, 76, 76, 76}}};
  RaceValues values{};
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const int column = x < (size + 1) / 2 ? x : x + 8 - size;
      const std::int8_t value = values8[y == 0 ? 0 : y + 8 - size][column];
      values[0][8 * y + x] = value;
      values[1][8 * (size - 1 - y) + x] = value;
    }
  }
  return values;
}

inline constexpr int race_min_size = 5;
/// race_values by size, the smallest first.
inline constexpr std::array<RaceValues, 4> race_value_tables{race_values(5), race_values(6),
                                                             race_values(7), race_values(8)};

/// The games in which two rows of men race to the far row, on up to 8x8 points; point (x, y) is
/// bit 8y + x. Who reaches the far row or captures every enemy man wins; there are no draws, and
/// the foremost man can always step, so there is always a move. `Rules` names the game and its
/// steps. A move is the from-point plus 64 times the to-point.
template <class Rules>
class Race {
 public:
  using Board = Bitboard<64>;
  static constexpr std::string_view name = Rules::name;
  static constexpr int players = 2;
  static constexpr int steps = static_cast<int>(Rules::steps.size());
  static constexpr int max_moves = 16 * steps;
  static constexpr int max_plies = 2 * 16 * 6 + 1;  // every man up to the row before the last

  /// Men on points of each of the 14 point values: black, then white (N_C^eval).
  static constexpr int feature_count = 28;
  static constexpr int feature_values = 17;
  static constexpr double feature_prior = 1.0 / 11;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Race create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const { return result_; }
  [[nodiscard]] int margin() const { return 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result_.finished()) return;
    for (int s = 0; s < steps; ++s) {
      const int offset = step_offset(s);
      Board{targets(s)}.for_each([&](int to) { moves.add(encode(to - offset, to)); });
    }
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    std::array<std::uint64_t, steps> to;
    int total = 0;
    for (int s = 0; s < steps; ++s) {
      to[s] = targets(s);
      total += std::popcount(to[s]);
    }
    int n = random.below(total);
    int s = 0;
    for (int here = std::popcount(to[0]); n >= here; here = std::popcount(to[s])) {
      n -= here;
      ++s;
    }
    const int point = Board{to[s]}.nth(n);
    return encode(point - step_offset(s), point);
  }

  void play(Move move) {
    const int from = static_cast<int>(code(move) & 63U);
    const int to = static_cast<int>(code(move) >> 6);
    const int mover = index(to_move_);
    const RaceValues& values = race_value_tables[size_ - race_min_size];
    std::uint64_t& own = men_[mover];
    std::uint64_t& enemy = men_[1 - mover];
    int gain = values[mover][to] - values[mover][from];
    own ^= (std::uint64_t{1} << from) | (std::uint64_t{1} << to);
    if ((enemy >> to) & 1U) {
      enemy ^= std::uint64_t{1} << to;
      gain += values[1 - mover][to];
    }
    score_ = static_cast<std::int16_t>(score_ + (mover == 0 ? gain : -gain));
    if (enemy == 0 || to / 8 == (mover == 0 ? size_ - 1 : 0)) result_ = Result::win(to_move_);
    to_move_ = opponent(to_move_);
  }

  [[nodiscard]] Board points() const { return Board{all_points(size_)}; }
  [[nodiscard]] Board pieces(Colour c) const { return Board{men_[index(c)]}; }
  [[nodiscard]] BoardShape shape() const { return {size_, size_, 8}; }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] Race with(const Setup<Board>& setup) const;

  /// Linear in the sum of the men's point values (Novelty in MCTS, the authors' evaluation).
  [[nodiscard]] double static_value() const {
    const double bound = 2 * size_ * 68 - 42;  // all own men one step from home, one enemy man left
    return (score_ + bound) / (2 * bound);
  }
  void features(std::array<std::uint16_t, feature_count>& values) const;

 private:
  [[nodiscard]] static constexpr std::uint64_t all_points(int size) {
    const std::uint64_t row = (std::uint64_t{1} << size) - 1;
    return (row * 0x0101010101010101U) &
           (size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1);
  }
  [[nodiscard]] static Move encode(int from, int to) {
    return Move{static_cast<std::uint32_t>(from | to << 6)};
  }
  [[nodiscard]] int step_offset(int s) const {
    const int up = 8 * Rules::steps[s].dy + Rules::steps[s].dx;
    return to_move_ == Colour::black ? up : -up;
  }
  /// The points that the mover's men reach by step `s`.
  [[nodiscard]] std::uint64_t targets(int s) const {
    const RaceStep step = Rules::steps[s];
    const int mover = index(to_move_);
    const int dx = mover == 0 ? step.dx : -step.dx;
    const std::uint64_t own = men_[mover];
    // Columns from which a step of dx stays on an 8-wide board.
    constexpr std::uint64_t column = 0x0101010101010101U;
    const std::uint64_t sources =
        dx >= 0 ? column * (0xffU >> dx) : column * ((0xffU << -dx) & 0xffU);
    const int up = 8 * step.dy + step.dx;
    const std::uint64_t reached = mover == 0 ? (own & sources) << up : (own & sources) >> up;
    return reached & all_points(size_) & ~own &
           (step.to_empty ? ~men_[1 - mover] : ~std::uint64_t{0});
  }

  std::array<std::uint64_t, 2> men_{};
  std::int16_t score_ = 0;  ///< sum of black's point values minus white's
  std::uint8_t size_ = 8;
  Colour to_move_ = Colour::black;
  Result result_ = Result::unfinished();
};

}  // namespace pitboss::games
