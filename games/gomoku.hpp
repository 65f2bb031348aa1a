#pragma once

#include <vector>

#include "games/five_windows.hpp"
#include "games/game.hpp"
#include "games/grid.hpp"
#include "games/policy.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// The tables of a board of Gomoku. One for each size, kept for ever.
struct GomokuBoard {
  const Grid<384>* grid;
  Bitboard<384> centre;
  Bitboard<384> outside;             ///< the points more than two lines away from the centre
  std::vector<FiveWindows> windows;  ///< every window once
  std::vector<double> values;        ///< static values by half the window sum; 0 is in the middle
};

/// Gomoku: five in line win. The opening rule `gomoku3` puts black's first stone on the centre and
/// keeps the second one out of the central 5x5 points.
class Gomoku {
 public:
  using Board = Bitboard<384>;
  static constexpr std::string_view name = "gomoku";
  static constexpr int players = 2;
  static constexpr int max_moves = 361;
  static constexpr int max_plies = 361;

  /// Open windows (five in line, stones of one colour only) with 1, 2, 3, 4 stones: black, white.
  static constexpr int feature_count = 8;
  static constexpr int feature_values = 1021;  // 19x19 points have 1020 windows
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / 72;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Gomoku create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  /// Computed at every call, not in `play`: a search already knows that most positions of its path
  /// are unfinished.
  [[nodiscard]] Result result() const {
    const Colour mover = opponent(to_move_);
    // A winning stone wins even when it fills the board, so the win is tested first.
    if (has_line(last_, stones_[index(mover)])) return Result::win(mover);
    const bool full = count_ == grid().width * grid().height;
    return full ? Result::draw() : Result::unfinished();
  }
  [[nodiscard]] Board decisive() const;
  [[nodiscard]] int margin() const { return result().shared() ? 0 : 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result().finished()) return;
    legal_points().for_each([&](int p) { moves.add(Move{static_cast<std::uint32_t>(p)}); });
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const Board legal = legal_points();
    return Move{static_cast<std::uint32_t>(legal.nth(random.below(legal.count())))};
  }

  void play(Move move) {
    last_ = static_cast<std::uint16_t>(code(move));
    stones_[index(to_move_)].add(last_);
    ++count_;
    to_move_ = opponent(to_move_);
  }

  [[nodiscard]] Board points() const { return grid().points; }
  [[nodiscard]] Board pieces(int kind) const { return stones_[kind]; }
  [[nodiscard]] BoardShape shape() const { return grid().shape(); }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] std::optional<Move> move_of(std::string_view text) const;
  [[nodiscard]] int target(Move move) const { return static_cast<int>(code(move)); }
  /// Points from the bottom, as in the networks of the authors of Novelty in MCTS.
  [[nodiscard]] int policy_size() const { return shape().cells(); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const { return PolicyParts(target(move)); }
  /// A board with an even side has no middle point. The opening rule then takes the one above and
  /// right of the middle, which only the rising diagonal's reflection leaves on its place.
  [[nodiscard]] std::span<const Symmetry> symmetries() const {
    const bool off_middle = restricted_opening_ && grid().width % 2 == 0;
    return std::span(square_symmetries).first(off_middle ? 2 : 8);
  }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    return symmetry.point(shape(), entry);
  }
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] Gomoku with(const Setup<Board>& setup) const;

  /// Logistic of the window sum (Novelty in MCTS): windows of 1, 2, 3, 4 stones weigh 2, 8, 32,
  /// 128.
  [[nodiscard]] double static_value() const;
  /// The same, from the features.
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;

  friend bool operator==(const Gomoku& a, const Gomoku& b) {
    return a.board_ == b.board_ && a.restricted_opening_ == b.restricted_opening_ &&
           a.exactly_five_ == b.exactly_five_ && a.stones_ == b.stones_ && a.to_move_ == b.to_move_;
  }

 private:
  Gomoku(const GomokuBoard& board, bool restricted_opening, bool exactly_five)
      : board_(&board), restricted_opening_(restricted_opening), exactly_five_(exactly_five) {}

  [[nodiscard]] const Grid<384>& grid() const { return *board_->grid; }

  [[nodiscard]] Board legal_points() const {
    const Board empty = minus(grid().points, stones_[0] | stones_[1]);
    if (restricted_opening_ && count_ == 0) return board_->centre;
    if (restricted_opening_ && count_ == 2) return empty & board_->outside;
    return empty;
  }
  /// Whether a winning line of `stones` goes through `p`, which is one of them.
  [[nodiscard]] bool has_line(int p, const Board& stones) const {
    for (int i = 0; i < grid().direction_count; i += 2) {
      if (wins(grid().line(p, i, stones))) return true;
    }
    return false;
  }
  [[nodiscard]] bool wins(int length) const { return exactly_five_ ? length == 5 : length >= 5; }
  [[nodiscard]] int stone_in_line(const Board& stones) const;

  const GomokuBoard* board_;
  std::array<Board, 2> stones_{};
  std::uint16_t count_ = 0;  ///< stones on the board
  std::uint16_t last_ = 0;   ///< the last stone; any winning line goes through it
  bool restricted_opening_;
  bool exactly_five_;
  Colour to_move_ = Colour::black;
};

}  // namespace pitboss::games
