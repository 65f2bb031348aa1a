#pragma once

#include "games/game.hpp"
#include "games/policy.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// Connect Four on 7 columns by 6 rows. Point (x, y) is bit 8y + x; bit 8y + 7 stays empty in
/// every row, so that a line never wraps round the edge when a bitboard is shifted:
///
///     y=5   40 41 42 43 44 45 46 (47)
///     ...
///     y=0    0  1  2  3  4  5  6  (7)
///
/// A move is the point on which the stone lands.
class Connect4 {
 public:
  using Board = Bitboard<64>;
  static constexpr std::string_view name = "connect4";
  static constexpr int players = 2;
  static constexpr int max_moves = 7;
  static constexpr int max_plies = 42;

  /// Open windows (four in line, stones of one colour only) with 1, 2, 3 stones: black, then white.
  static constexpr int feature_count = 6;
  static constexpr int feature_values = 70;  // there are 69 windows
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / 72;

  [[nodiscard]] static std::span<const Parameter> parameters() { return {}; }
  [[nodiscard]] static Connect4 create(const Parameters&) { return {}; }

  [[nodiscard]] Colour to_move() const { return to_move_; }
  /// Computed at every call, not in `play`: a search already knows that most positions of its path
  /// are unfinished.
  [[nodiscard]] Result result() const {
    // A winning stone wins even when it fills the board, so the win is tested first.
    if (has_four(stones_ ^ own_)) return Result::win(opponent(to_move_));
    return stones_ == all_points ? Result::draw() : Result::unfinished();
  }
  [[nodiscard]] Board decisive() const {
    return points_in_line(pieces(index(opponent(to_move_))), 4, std::array{1, 7, 8, 9});
  }
  [[nodiscard]] int margin() const { return result().shared() ? 0 : 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result().finished()) return;
    landing_points().for_each([&](int p) { moves.add(Move{static_cast<std::uint32_t>(p)}); });
  }

  void play(Move move) {
    own_ ^= stones_;  // becomes the opponent's, who moves next
    stones_ |= std::uint64_t{1} << code(move);
    to_move_ = opponent(to_move_);
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    // Each column that is not full has one landing point.
    const std::uint64_t columns = (~stones_ >> 40) & 0x7fU;
    const int x = bit_places[columns][random.below(std::popcount(columns))];
    const std::uint64_t column = std::uint64_t{0x0000010101010101} << x;
    return Move{static_cast<std::uint32_t>(std::countr_zero(landing_points().word(0) & column))};
  }

  [[nodiscard]] Board points() const { return Board{all_points}; }
  [[nodiscard]] Board pieces(int kind) const {
    return Board{either(kind == index(to_move_), own_, stones_ ^ own_)};
  }
  [[nodiscard]] BoardShape shape() const { return {7, 6, 8}; }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] int target(Move move) const { return static_cast<int>(code(move)); }
  /// The entry is the move's column, as in the networks of the authors of Novelty in MCTS.
  [[nodiscard]] int policy_size() const { return 7; }
  [[nodiscard]] PolicyParts policy_parts(Move move) const { return PolicyParts(target(move) % 8); }
  [[nodiscard]] std::span<const Symmetry> symmetries() const { return mirror_symmetries; }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    return symmetry.point(shape(), entry);  // a column is the number of its lowest point
  }
  /// The column letter alone, which names the same move.
  [[nodiscard]] std::string short_text(Move move) const;
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] Connect4 with(const Setup<Board>& setup) const;

  /// Logistic of the weighted sum of open windows (Novelty in MCTS, the authors' evaluation).
  [[nodiscard]] double static_value() const;
  /// The same, from the features.
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;
  /// 1 or 0 if the next moves decide the game, else a logistic of open windows and of the points
  /// that would complete four; see connect4.cpp.
  [[nodiscard]] double tuned_value() const;

  friend bool operator==(const Connect4&, const Connect4&) = default;

 private:
  static constexpr std::uint64_t all_points = 0x00007f7f7f7f7f7fU;

  [[nodiscard]] Board landing_points() const {
    return Board{~stones_ & ((stones_ << 8) | 0x7fU) & all_points};
  }
  [[nodiscard]] static bool has_four(std::uint64_t stones) {
    bool four = false;
    for (const int d : {1, 7, 8, 9}) {
      const std::uint64_t pairs = stones & (stones >> d);
      four |= (pairs & (pairs >> 2 * d)) != 0;
    }
    return four;
  }

  std::uint64_t own_ = 0;     ///< stones of the side to move
  std::uint64_t stones_ = 0;  ///< all stones
  Colour to_move_ = Colour::black;
};

}  // namespace pitboss::games
