#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "games/game.hpp"
#include "games/policy.hpp"
#include "games/queen_lines.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// The Game of the Amazons: a queen moves like a chess queen, then shoots an arrow the same way,
/// which blocks its point for ever. Nothing is captured. A side to move without a move has lost. A
/// move is the from-point, plus 2^7 times the to-point, plus 2^14 times the arrow's point; its
/// halves are the queen's move and the arrow (halves.hpp).
class Amazons {
 public:
  using Board = Bitboard<128>;
  static constexpr std::string_view name = "amazons";
  static constexpr std::string_view piece_letters = "XO*";
  static constexpr int players = 2;
  static constexpr int queens_each = 4;
  static constexpr int max_moves = 4260;                            // proved in amazons.cpp
  static constexpr int max_halves = 140;                            // likewise
  static constexpr int max_plies = queen_points - 2 * queens_each;  // a move fills an empty point

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Amazons create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const {
    return can_move(to_move_) ? Result::unfinished() : Result::win(opponent(to_move_));
  }
  [[nodiscard]] int margin() const { return 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    for (const std::uint8_t queen : queens_[index(to_move_)]) {
      const QueenReach reach = lines_.reach(queen);
      reach.for_each([&](auto target) {
        for (int axis = 0; axis < queen_axes; ++axis) {
          const QueenRun run = lines_.arrows(reach, target, axis);
          for (int n = 0; n < run.length(); ++n) {
            moves.add(encode(reach, target, {axis, run.steps(n)}));
          }
        }
      });
    }
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const Queens& queens = queens_[index(to_move_)];
    return draw(std::array{lines_.reach(queens[0]), lines_.reach(queens[1]),
                           lines_.reach(queens[2]), lines_.reach(queens[3])},
                random);
  }

  /// The playout policy of the authors' program (Quality-based Rewards for MCTS Simulations): a
  /// uniformly random queen, or the first one after it that can move; then a uniformly random move
  /// of that queen.
  template <class Random>
  [[nodiscard]] Move informed_move(Random& random) const {
    const Queens& queens = queens_[index(to_move_)];
    int i = random.below(queens_each);
    QueenReach reach = lines_.reach(queens[i]);
    while (reach.count() == 0) {
      i = (i + 1) % queens_each;
      reach = lines_.reach(queens[i]);
    }
    return draw(std::array{reach}, random);
  }

  void play(Move move) {
    play_first(move);
    play_second(move);
  }

  // The halves of a move: first the queen's, then the arrow.
  [[nodiscard]] static Move first_half(Move move) { return Move{code(move) & 0x3fffU}; }
  void first_halves(MoveList<max_halves>& halves) const {
    for (const std::uint8_t queen : queens_[index(to_move_)]) {
      const QueenReach reach = lines_.reach(queen);
      reach.for_each([&](auto target) { halves.add(encode(reach.point(), reach.at(target))); });
    }
  }
  void second_halves(Move first, MoveList<max_halves>& halves) const {
    const QueenReach reach = lines_.reach(target(first));
    reach.for_each([&](auto target) { halves.add(encode(0, 0, reach.at(target))); });
  }
  template <class Random>
  [[nodiscard]] Move random_second_half(Move first, Random& random) const {
    const QueenReach reach = lines_.reach(target(first));
    return encode(0, 0, reach.at(reach.nth(random.below(reach.count()))));
  }
  /// Moves the queen, as if the arrow changed nothing: then the opponent is to move.
  void play_first(Move move) {
    const auto from = static_cast<std::uint8_t>(code(move) & 127U);
    const auto to = static_cast<std::uint8_t>(target(move));
    lines_.turn(from);
    lines_.turn(to);
    empty_.add(from);
    empty_.remove(to);
    for (std::uint8_t& queen : queens_[index(to_move_)]) queen = queen == from ? to : queen;
    to_move_ = opponent(to_move_);
  }
  void take_back_first(Move first) {
    to_move_ = opponent(to_move_);
    play_first(encode(target(first), static_cast<int>(code(first) & 127U)));
    to_move_ = opponent(to_move_);
  }
  void play_second(Move move) {
    const auto arrow = static_cast<std::uint8_t>(code(move) >> 14);
    lines_.turn(arrow);
    empty_.remove(arrow);
  }
  [[nodiscard]] std::string first_text(Move first) const {
    return text_of(static_cast<int>(code(first) & 127U)) + text_of(target(first));
  }
  [[nodiscard]] std::string second_text(Move second) const {
    return text_of(static_cast<int>(code(second) >> 14));
  }
  /// Where the arrow hits.
  [[nodiscard]] int second_target(Move second) const {
    return static_cast<int>(code(second) >> 14);
  }
  [[nodiscard]] PolicyParts first_parts(Move first) const {
    return PolicyParts(part(first, 0), part(first, 1));
  }
  [[nodiscard]] PolicyParts second_parts(Move second) const { return PolicyParts(part(second, 2)); }

  [[nodiscard]] Board points() const { return points_of[size_]; }
  [[nodiscard]] Board pieces(int kind) const {
    if (kind == 2) return minus(points(), empty_ | pieces(0) | pieces(1));
    Board queens;
    for (const std::uint8_t queen : queens_[kind]) queens.add(queen);
    return queens;
  }
  [[nodiscard]] BoardShape shape() const { return {size_, size_, queen_stride}; }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] std::optional<Move> move_of(std::string_view text) const;
  /// The point where the queen goes, not the arrow's.
  [[nodiscard]] int target(Move move) const { return static_cast<int>((code(move) >> 7) & 127U); }
  [[nodiscard]] int origin(Move move) const { return static_cast<int>(code(move) & 127U); }
  /// Three parts, for the from-point, the to-point and the arrow: their cells.
  [[nodiscard]] int policy_size() const { return 3 * shape().cells(); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    return PolicyParts(part(move, 0), part(move, 1), part(move, 2));
  }
  [[nodiscard]] std::span<const Symmetry> symmetries() const { return mirror_symmetries; }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    return image_of_cell(*this, entry, symmetry, 3);
  }
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] Amazons with(const Setup<Board, 3>& setup) const;

  /// Depends on the number of empty points that each side reaches in fewer moves; see amazons.cpp.
  [[nodiscard]] double static_value() const;
  /// How many points the winner's queens can move to, over 16 (Quality-based Rewards).
  [[nodiscard]] double quality() const;

  friend bool operator==(const Amazons& a, const Amazons& b) {
    // The order of the queens in the arrays does not matter.
    return a.size_ == b.size_ && a.to_move_ == b.to_move_ && a.empty_ == b.empty_ &&
           a.pieces(0) == b.pieces(0) && a.pieces(1) == b.pieces(1);
  }

 private:
  using Queens = std::array<std::uint8_t, queens_each>;
  using Target = QueenReach::Target;

  explicit Amazons(int size)
      : lines_(size), empty_(points_of[size]), size_(static_cast<std::uint8_t>(size)) {}

  static constexpr int max_size = queen_stride;
  /// The points by size. Kept in a table, since novelty asks for the arrows in every simulation.
  static constexpr std::array<Board, max_size + 1> points_of = [] {
    std::array<Board, max_size + 1> all{};
    for (int p = 0; p < queen_points; ++p) {
      const int x = p % queen_stride;
      const int y = p / queen_stride;
      for (int size = std::max(x, y) + 1; size <= max_size; ++size) all[size].add(p);
    }
    return all;
  }();
  /// The points round each point.
  static constexpr std::array<Board, queen_points> surroundings = [] {
    std::array<Board, queen_points> all{};
    for (int p = 0; p < queen_points; ++p) {
      const int x = p % queen_stride;
      const int y = p / queen_stride;
      for (int q = 0; q < queen_points; ++q) {
        const int dx = q % queen_stride - x;
        const int dy = q / queen_stride - y;
        if (p != q && -1 <= dx && dx <= 1 && -1 <= dy && dy <= 1) all[p].add(q);
      }
    }
    return all;
  }();

  [[nodiscard]] static Move encode(int from, int to, int arrow = 0) {
    return Move{static_cast<std::uint32_t>(from | to << 7 | arrow << 14)};
  }
  [[nodiscard]] static Move encode(const QueenReach& queen, Target target, Target arrow) {
    const int to = queen.at(target);
    return encode(queen.point(), to, to + arrow.steps * queen_steps[arrow.axis]);
  }
  [[nodiscard]] static std::string text_of(int point);
  /// A move's i-th point as an entry of the policy.
  [[nodiscard]] int part(Move move, int i) const {
    const auto point = static_cast<int>((code(move) >> 7 * i) & 127U);
    return i * shape().cells() + shape().cell(point);
  }
  [[nodiscard]] bool can_move(Colour c) const {
    const Queens& queens = queens_[index(c)];
    return ((surroundings[queens[0]] | surroundings[queens[1]] | surroundings[queens[2]] |
             surroundings[queens[3]]) &
            empty_)
        .any();
  }
  /// The destinations of some queens, numbered from 0.
  template <std::size_t N>
  class Destinations {
   public:
    explicit Destinations(const std::array<QueenReach, N>& queens)
        : queens_(queens), groups_(sizes(queens)) {}
    [[nodiscard]] int count() const { return groups_.count(); }
    /// For each axis the largest number of destinations that a queen has there.
    [[nodiscard]] FourLanes longest() const {
      FourLanes lengths = 0;
      for (const QueenReach& queen : queens_) lengths = larger(lengths, queen.lengths());
      return lengths;
    }
    [[nodiscard]] std::pair<const QueenReach&, Target> operator[](int n) const {
      const int i = groups_.group(n);
      return {queens_[i], queens_[i].nth(n - groups_.before(i))};
    }

   private:
    [[nodiscard]] static FourGroups sizes(const std::array<QueenReach, N>& queens) {
      FourLanes lanes = 0;
      for (std::size_t i = 0; i < N; ++i) {
        lanes |= static_cast<FourLanes>(queens[i].count()) << 16 * i;
      }
      return FourGroups(lanes);
    }
    const std::array<QueenReach, N>& queens_;
    FourGroups groups_;
  };

  /// A uniformly random move of `queens`, at least one of which can move. Counting the moves would
  /// be too slow, so they are drawn by rejection: destination, axis and arrow number are drawn
  /// uniformly, and accepted if the axis has an arrow of that number. A bound for each axis keeps
  /// rejections few.
  template <std::size_t N, class Random>
  [[nodiscard]] Move draw(const std::array<QueenReach, N>& queens, Random& random) const {
    const Destinations<N> destinations(queens);
    // Along the axis of its move a queen has as many arrows as it had destinations there. On the
    // other axes the point that the queen has left does not matter.
    const FourGroups arrows(larger(destinations.longest(), lines_.longest_runs() - each_lane));
    for (;;) {
      // One random number for both draws. The upper 32 bits of its product with the number of
      // destinations select a destination; the lower 32 bits, of which at least 24 are random, the
      // arrow.
      const std::uint64_t drawn = (random.next() >> 32) * unsigned(destinations.count());
      const auto [queen, target] = destinations[static_cast<int>(drawn >> 32)];
      const int arrow = static_cast<int>(((drawn & 0xffffffffU) * unsigned(arrows.count())) >> 32);
      const int axis = arrows.group(arrow);
      const int n = arrow - arrows.before(axis);
      const QueenRun run = lines_.arrows(queen, target, axis);
      if (n < run.length()) return encode(queen, target, {axis, run.steps(n)});
    }
  }

  void put(int kind, const Board& pieces);

  QueenLines lines_;
  Board empty_;
  std::array<Queens, 2> queens_{};
  std::uint8_t size_;
  Colour to_move_ = Colour::black;
};

}  // namespace pitboss::games
