#pragma once

#include <utility>

#include "games/game.hpp"
#include "games/outflank.hpp"
#include "games/policy.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// Othello on 8x8 points, or on the lower left 4x4 or 6x6 of them; point (x, y) is bit 8y + x.
/// A side that cannot place a disc must pass, which is a ply. The game ends when the board is
/// full or after two passes in a row; more discs win.
class Othello {
 public:
  using Board = Bitboard<64>;
  static constexpr std::string_view name = "othello";
  static constexpr int players = 2;
  static constexpr int max_moves = 60;   // the four centre points are never empty
  static constexpr int max_plies = 120;  // 60 placements, at most one pass after each but the last

  static constexpr Move pass{0xff};

  /// Stable discs of black and white, number of moves of black and white (N_C^eval).
  static constexpr int feature_count = 4;
  static constexpr int feature_values = 65;
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / 65;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Othello create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const {
    return passes_ == 2 || (own_ | enemy_) == points_ ? by_count() : Result::unfinished();
  }
  [[nodiscard]] int margin() const;

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result().finished()) return;
    const std::uint64_t open = placements(own_, enemy_);
    if (open == 0) moves.add(pass);
    Board{open}.for_each([&](int p) { moves.add(Move{static_cast<std::uint32_t>(p)}); });
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const Board open{placements(own_, enemy_)};
    if (open.none()) return pass;
    return Move{static_cast<std::uint32_t>(open.nth(random.below(open.count())))};
  }

  void play(Move move) {
    if (move == pass) {
      ++passes_;
    } else {
      passes_ = 0;
      const int point = static_cast<int>(code(move));
      const std::uint64_t flipped = outflank::flipped(point, own_, enemy_);
      own_ ^= flipped | std::uint64_t{1} << point;
      enemy_ ^= flipped;
    }
    std::swap(own_, enemy_);
    to_move_ = opponent(to_move_);
  }

  [[nodiscard]] Board points() const { return Board{points_}; }
  [[nodiscard]] Board pieces(int kind) const {
    return Board{either(kind == index(to_move_), own_, enemy_)};
  }
  [[nodiscard]] BoardShape shape() const { return {size_, size_, 8}; }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] int target(Move move) const {
    return move == pass ? -1 : static_cast<int>(code(move));
  }
  /// Points from the bottom, then pass, as in the networks of the authors of Novelty in MCTS.
  [[nodiscard]] int policy_size() const { return size_ * size_ + 1; }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    if (move == pass) return PolicyParts(size_ * size_);
    return PolicyParts(target(move) / 8 * size_ + target(move) % 8);
  }
  /// The symmetries that keep both diagonals, since each colour's first discs lie on one.
  [[nodiscard]] std::span<const Symmetry> symmetries() const {
    return std::span(square_symmetries).first(4);
  }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    const bool is_pass = entry == size_ * size_;
    return is_pass ? entry : symmetry.point({size_, size_, size_}, entry);
  }
  /// The number of passes in a row just made, if any: "1", or "2" when they ended the game.
  [[nodiscard]] std::string extra() const;
  [[nodiscard]] Othello with(const Setup<Board>& setup) const;

  /// Linear in 2 (black's - white's stable discs) + (black's - white's moves).
  [[nodiscard]] double static_value() const;
  /// The same, from the features.
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;
  /// The winner's discs minus the loser's, over the points (Pitboss's own measure).
  [[nodiscard]] double quality() const { return margin() / double(size_ * size_); }

  friend bool operator==(const Othello&, const Othello&) = default;

 private:
  explicit Othello(int size);

  /// Where a side with the discs `own` could place a disc if it were to move.
  [[nodiscard]] std::uint64_t placements(std::uint64_t own, std::uint64_t enemy) const {
    return outflank::sources(own, enemy) & points_ & ~(own | enemy);
  }
  [[nodiscard]] Result by_count() const {
    const int lead = std::popcount(own_) - std::popcount(enemy_);
    if (lead == 0) return Result::draw();
    return Result::win(lead > 0 ? to_move_ : opponent(to_move_));
  }

  std::uint64_t own_;    ///< discs of the side to move
  std::uint64_t enemy_;  ///< discs of the other side
  std::uint64_t points_;
  std::uint8_t size_;
  std::uint8_t passes_ = 0;
  Colour to_move_ = Colour::black;
};

}  // namespace pitboss::games
