#pragma once

#include <bit>
#include <utility>

#include "games/game.hpp"
#include "games/policy.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// A step of a man of a race game, for black (up the board); white's steps are black's turned by
/// 180 degrees.
struct RaceStep {
  int dx;
  int dy;
  bool to_empty;  ///< only onto an empty point; false: captures, too
};

/// Value of a man on each point, by colour.
using RaceValues = std::array<std::array<std::int8_t, 64>, 2>;

/// A man's value by row from its home row and by column, on 8x8 points (Novelty in MCTS, the
/// authors' evaluation). On smaller boards the home row keeps its values, the other rows have the
/// values of the rows nearest the goal, and columns keep their distance from the edge.
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

/// The distinct point values: the classes of points whose men are features (N_C^eval).
inline constexpr std::array race_classes{42, 43, 44, 45, 46, 47, 50, 51, 55, 56, 60, 61, 68, 76};
/// The points of each class, by colour.
using RaceClassBoards = std::array<std::array<std::uint64_t, race_classes.size()>, 2>;
[[nodiscard]] constexpr RaceClassBoards race_class_boards(const RaceValues& values) {
  RaceClassBoards boards{};
  for (int c = 0; c < 2; ++c) {
    for (int p = 0; p < 64; ++p) {
      for (std::size_t k = 0; k < race_classes.size(); ++k) {
        if (values[c][p] == race_classes[k]) boards[c][k] |= std::uint64_t{1} << p;
      }
    }
  }
  return boards;
}
/// By size, as race_value_tables.
inline constexpr std::array<RaceClassBoards, 4> race_class_tables{
    race_class_boards(race_value_tables[0]), race_class_boards(race_value_tables[1]),
    race_class_boards(race_value_tables[2]), race_class_boards(race_value_tables[3])};

/// The games in which two rows of men race to the far row, on up to 8x8 points; point (x, y) is bit
/// 8y + x. A side that reaches the far row or captures every enemy man wins. There are no draws,
/// and a side always has a move, since its foremost man can step. `Rules` has the game's name, its
/// steps and whether it has a playout policy. A move is the from-point plus 64 times the to-point.
template <class Rules>
class Race {
 public:
  using Board = Bitboard<64>;
  static constexpr std::string_view name = Rules::name;
  static constexpr int players = 2;
  static constexpr bool targets_enemies = true;  // TargetsEnemies
  static constexpr int steps = static_cast<int>(Rules::steps.size());
  static constexpr int max_moves = 16 * steps;
  static constexpr int max_plies = 2 * 16 * 6 + 1;  // every man steps up to the row before the last

  /// Men on the points of each class: black, then white.
  static constexpr int classes = static_cast<int>(race_classes.size());
  static constexpr int feature_count = 2 * classes;
  static constexpr int feature_values = 17;
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / 11;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Race create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  /// Only the side that has just moved can have won.
  [[nodiscard]] Result result() const {
    const Colour mover = opponent(to_move_);
    const bool won = own_ == 0 || (enemy_ & goal(mover)) != 0;
    return won ? Result::win(mover) : Result::unfinished();
  }
  [[nodiscard]] int margin() const { return 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result().finished()) return;
    const auto to = targets();
    for (int s = 0; s < steps; ++s) {
      const int offset = step_offset(s);
      Board{to[s]}.for_each([&](int point) { moves.add(encode(point - offset, point)); });
    }
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    return drawn(targets(), random);
  }

  /// The playout policy of the authors of Quality-based Rewards for MCTS Simulations: a winning
  /// move; else a capture of a man about to win by a man on its home row; else any move, with
  /// captures five times as likely as quiet moves where no enemy man can recapture, and twice as
  /// likely elsewhere.
  template <class Random>
  [[nodiscard]] Move informed_move(Random& random) const requires(Rules::has_policy) {
    const auto to = targets();
    const std::uint64_t last_man = std::has_single_bit(enemy_) ? enemy_ : 0;
    if (const auto wins = within(to, goal(to_move_) | last_man); any(wins)) {
      return drawn(wins, random);
    }
    const auto captures = within(to, enemy_);
    if (const auto urgent = within(captures, beside_home(to_move_)); any(urgent)) {
      return drawn(urgent, random);
    }
    // All moves have weight 1, captures 1 more, and safe captures 3 more.
    const auto safe = within(captures, ~recaptured());
    const Counts moves = counts(to);
    const Counts capturing = counts(captures);
    const Counts safely = counts(safe);
    int n = random.below(moves.back() + capturing.back() + 3 * safely.back());
    if (n < moves.back()) return nth(to, moves, n);
    n -= moves.back();
    if (n < capturing.back()) return nth(captures, capturing, n);
    return nth(safe, safely, (n - capturing.back()) / 3);
  }

  void play(Move move) {
    const int from = static_cast<int>(code(move) & 63U);
    const int to = target(move);
    const int mover = index(to_move_);
    const RaceValues& values = race_value_tables[size_ - race_min_size];
    const bool captures = (enemy_ >> to) & 1U;
    const int gain =
        values[mover][to] - values[mover][from] + (captures ? values[1 - mover][to] : 0);
    score_ = static_cast<std::int16_t>(score_ + (mover == 0 ? gain : -gain));
    own_ ^= (std::uint64_t{1} << from) | (std::uint64_t{1} << to);
    enemy_ &= ~(std::uint64_t{1} << to);
    std::swap(own_, enemy_);
    to_move_ = opponent(to_move_);
  }

  [[nodiscard]] Board points() const { return Board{all_points(size_)}; }
  [[nodiscard]] Board pieces(int kind) const {
    return Board{either(kind == index(to_move_), own_, enemy_)};
  }
  [[nodiscard]] BoardShape shape() const { return {size_, size_, 8}; }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] std::optional<Move> move_of(std::string_view text) const;
  [[nodiscard]] int target(Move move) const { return static_cast<int>(code(move) >> 6); }
  [[nodiscard]] int origin(Move move) const { return static_cast<int>(code(move) & 63U); }
  /// By from-point, counted from the bottom, then by step as the mover sees it: white's first step
  /// leads to the right. The networks of the authors of Novelty in MCTS have the same order.
  [[nodiscard]] int policy_size() const { return size_ * size_ * steps; }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    const int from = static_cast<int>(code(move) & 63U);
    int s = 0;
    while (from + step_offset(s) != target(move)) ++s;
    return PolicyParts((from / 8 * size_ + from % 8) * steps + s);
  }
  [[nodiscard]] std::span<const Symmetry> symmetries() const { return mirror_symmetries; }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    const int step = entry % steps;  // steps are ordered from the left to the right
    const int image = symmetry == mirror ? steps - 1 - step : step;
    return symmetry.point({size_, size_, size_}, entry / steps) * steps + image;
  }
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] Race with(const Setup<Board>& setup) const;

  /// Linear in the sum of the men's point values (Novelty in MCTS, the authors' evaluation).
  [[nodiscard]] double static_value() const {
    const double bound = 2 * size_ * 68 - 42;  // all own men one step from home, one enemy man left
    return (score_ + bound) / (2 * bound);
  }
  void features(Features& values) const {
    for (int i = 0; i < feature_count; ++i) values[i] = feature(i);
  }
  [[nodiscard]] std::uint16_t feature(int i) const {
    const int colour = i / classes;
    const std::uint64_t points = race_class_tables[size_ - race_min_size][colour][i % classes];
    return static_cast<std::uint16_t>(std::popcount(pieces(colour).word(0) & points));
  }
  /// The winner's men minus the loser's, over a side's men at the start: breakthrough's measure in
  /// Quality-based Rewards, and Pitboss's own choice for knightthrough.
  [[nodiscard]] double quality() const {
    const double share = 1 / (2.0 * size_);  // known before the playout's end
    return (std::popcount(enemy_) - std::popcount(own_)) * share;
  }

  friend bool operator==(const Race&, const Race&) = default;

 private:
  static constexpr std::uint64_t bottom_row = 0xffU;
  static constexpr std::uint64_t left_column = 0x0101010101010101U;

  /// The points of the lower left square of that size.
  [[nodiscard]] static constexpr std::uint64_t all_points(int size) {
    return (left_column * (bottom_row >> (8 - size))) & (~std::uint64_t{0} >> 8 * (8 - size));
  }
  /// The row on which `c` wins. Without a branch, which the processor could not predict in a
  /// search.
  [[nodiscard]] std::uint64_t goal(Colour c) const {
    return bottom_row << 8 * (size_ - 1) * (1 - index(c));
  }
  /// The row next to the home row of `c`, from which the other side wins by its next step.
  [[nodiscard]] std::uint64_t beside_home(Colour c) const {
    return bottom_row << 8 * either(c == Colour::black, 1, size_ - 2);
  }
  [[nodiscard]] static Move encode(int from, int to) {
    return Move{static_cast<std::uint32_t>(from | to << 6)};
  }
  [[nodiscard]] int step_offset(int s) const {
    const int up = 8 * Rules::steps[s].dy + Rules::steps[s].dx;
    return to_move_ == Colour::black ? up : -up;
  }

  /// By step, the points that a side's men reach.
  using Targets = std::array<std::uint64_t, steps>;

  [[nodiscard]] static Targets within(Targets to, std::uint64_t points) {
    for (std::uint64_t& reached : to) reached &= points;
    return to;
  }
  [[nodiscard]] static bool any(const Targets& to) {
    std::uint64_t all = 0;
    for (const std::uint64_t reached : to) all |= reached;
    return all != 0;
  }
  /// By step, the number of moves by earlier steps; the last entry counts all moves.
  using Counts = std::array<int, steps + 1>;
  [[nodiscard]] static Counts counts(const Targets& to) {
    Counts before{};
    for (int s = 0; s < steps; ++s) before[s + 1] = before[s] + std::popcount(to[s]);
    return before;
  }
  /// Move `n` of the mover's moves `to`, whose counts are `before`.
  [[nodiscard]] Move nth(const Targets& to, const Counts& before, int n) const {
    int s = 0;
    for (int i = 1; i < steps; ++i) s += n >= before[i] ? 1 : 0;
    const int point = nth_bit(to[s], n - before[s]);
    return encode(point - step_offset(s), point);
  }
  /// A uniformly random move of `to`, which must have one at least.
  template <class Random>
  [[nodiscard]] Move drawn(const Targets& to, Random& random) const {
    const Counts before = counts(to);
    return nth(to, before, random.below(before.back()));
  }

  /// The points that the mover's men reach.
  [[nodiscard]] Targets targets() const {
    return to_move_ == Colour::black ? targets_of<Colour::black>() : targets_of<Colour::white>();
  }
  template <Colour Mover>
  [[nodiscard]] Targets targets_of() const {
    const std::uint64_t enterable = all_points(size_) & ~own_;
    const auto by_step = [&]<std::size_t... S>(std::index_sequence<S...>) {
      return Targets{(stepped<Mover, Rules::steps[S]>(own_) & enterable &
                      (Rules::steps[S].to_empty ? ~enemy_ : ~std::uint64_t{0}))...};
    };
    return by_step(std::make_index_sequence<steps>{});
  }
  /// The points where the other side's men could capture.
  [[nodiscard]] std::uint64_t recaptured() const {
    return to_move_ == Colour::black ? captured_by<Colour::white>() : captured_by<Colour::black>();
  }
  template <Colour Enemy>
  [[nodiscard]] std::uint64_t captured_by() const {
    const auto all = [&]<std::size_t... S>(std::index_sequence<S...>) {
      return ((Rules::steps[S].to_empty ? 0 : stepped<Enemy, Rules::steps[S]>(enemy_)) | ...);
    };
    return all(std::make_index_sequence<steps>{});
  }
  /// The points to which `Step` takes `men` of colour C, on a board 8 points wide.
  template <Colour C, RaceStep Step>
  [[nodiscard]] static std::uint64_t stepped(std::uint64_t men) {
    constexpr int dx = C == Colour::black ? Step.dx : -Step.dx;
    // Columns from which a step of dx stays on the board.
    constexpr std::uint64_t sources =
        left_column * ((dx >= 0 ? 0xffU >> dx : 0xffU << -dx) & 0xffU);
    constexpr int up = 8 * Step.dy + Step.dx;
    return C == Colour::black ? (men & sources) << up : (men & sources) >> up;
  }

  std::uint64_t own_ = 0;    ///< men of the side to move
  std::uint64_t enemy_ = 0;  ///< men of the other side
  std::int16_t score_ = 0;   ///< sum of black's point values minus white's
  std::uint8_t size_ = 8;
  Colour to_move_ = Colour::black;
};

}  // namespace pitboss::games
