#pragma once

#include "games/game.hpp"
#include "games/hex_board.hpp"
#include "games/policy.hpp"
#include "games/swap.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// Hex: black joins the bottom row with the top row by a chain of stones, white the left column
/// with the right column. On a full board exactly one of them has done so. With swap=pieces the
/// stone that white takes moves across the long diagonal, as if the players changed sides.
class Hex {
 public:
  using Board = Bitboard<384>;
  static constexpr std::string_view name = "hex";
  static constexpr int players = 2;
  static constexpr int max_moves = 361;
  static constexpr int max_plies = 362;  // 361 stones and swap

  /// How many stones each side still needs to join its edges (hex_distance.hpp), black first.
  static constexpr int feature_count = 2;
  static constexpr int feature_values = 362;
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / 20;  // few are above 19

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Hex create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const {
    return won_ ? Result::win(opponent(to_move_)) : Result::unfinished();
  }
  [[nodiscard]] int margin() const { return 1; }

  /// The stones that join the winner's edges.
  [[nodiscard]] Board decisive() const {
    const int winner = index(opponent(to_move_));
    return board_->grid->flood(board_->second[winner], joined_[winner]);
  }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (won_) return;
    minus(points(), stones_[0] | stones_[1]).for_each([&](int p) {
      moves.add(Move{static_cast<std::uint32_t>(p)});
    });
    if (swap_.allows(count_, to_move_)) moves.add(SwapRule::move);
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const int empty = board_->points - count_;
    int n = random.below(empty + (swap_.allows(count_, to_move_) ? 1 : 0));
    if (n == empty) return SwapRule::move;
    // Finds the word without a branch, which the processor could not predict.
    int w = 0;
    for (int i = 0; i + 1 < board_->words; ++i) {
      const int here = std::popcount(empty_word(i));
      const bool behind = w == i && n >= here;
      w += behind ? 1 : 0;
      n -= behind ? here : 0;
    }
    return Move{static_cast<std::uint32_t>(64 * w + nth_bit(empty_word(w), n))};
  }

  /// If the enemy's last stone threatens to cut bridges, completes one of them; else any move. A
  /// bridge joins two own stones, or one and an edge, by two points next to both.
  template <class Random>
  [[nodiscard]] Move informed_move(Random& random) const {
    const unsigned answers = bridge_completions();
    if (answers == 0) return random_move(random);
    const int chosen = nth_bit(answers, random.below(std::popcount(answers)));
    return Move{board_->ring[last_].point[static_cast<std::size_t>(chosen)]};
  }

  /// Whether swap is legal, and whether it will be after the next move.
  [[nodiscard]] bool may_swap() const { return !won_ && swap_.allows(count_, to_move_); }
  [[nodiscard]] bool may_be_swapped() const { return swap_.is_on() && count_ == 0; }

  void play(Move move) {
    if (move == SwapRule::move) {
      take_stone();
    } else {
      place(static_cast<int>(code(move)));
    }
    to_move_ = opponent(to_move_);
  }

  [[nodiscard]] Board points() const { return board_->grid->points; }
  [[nodiscard]] Board pieces(int kind) const { return stones_[kind]; }
  [[nodiscard]] BoardShape shape() const { return board_->grid->shape(); }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] std::optional<Move> move_of(std::string_view text) const;
  [[nodiscard]] int target(Move move) const {
    return move == SwapRule::move ? -1 : static_cast<int>(code(move));
  }
  [[nodiscard]] int policy_size() const { return swap_.policy_size(shape()); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    return SwapRule::policy_parts(shape(), move);
  }
  [[nodiscard]] std::span<const Symmetry> symmetries() const {
    static constexpr std::array<Symmetry, 2> all{identity, half_turn};
    return all;
  }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    return image_of_cell(*this, entry, symmetry);
  }
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] Hex with(const Setup<Board>& setup) const;

  [[nodiscard]] double static_value() const;
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;

  /// The last move, of which only playouts ask, makes no other position.
  friend bool operator==(const Hex& a, const Hex& b) {
    return a.board_ == b.board_ && a.stones_ == b.stones_ && a.joined_ == b.joined_ &&
           a.count_ == b.count_ && a.swap_ == b.swap_ && a.swap_mirrors_ == b.swap_mirrors_ &&
           a.to_move_ == b.to_move_ && a.won_ == b.won_;
  }

 private:
  Hex(const HexBoard& board, SwapRule swap, bool swap_mirrors)
      : board_(&board), swap_(swap), swap_mirrors_(swap_mirrors) {}

  [[nodiscard]] std::uint64_t empty_word(int i) const {
    return board_->grid->points.word(i) & ~(stones_[0].word(i) | stones_[1].word(i));
  }
  /// Bit i: the stone on place i round the last one completes a bridge that it threatens to cut.
  [[nodiscard]] unsigned bridge_completions() const;
  void place(int p);
  void take_stone();
  /// Adds the stone on `p`, and the stones of its colour joined to it, to `joined_`.
  void join(int p, int colour);

  static constexpr std::uint16_t no_point = 0xffffU;

  const HexBoard* board_;
  std::array<Board, 2> stones_{};
  std::array<Board, 2> joined_{};  ///< by colour, the stones joined to its first edge
  std::uint16_t count_ = 0;        ///< stones on the board
  SwapRule swap_;
  bool swap_mirrors_;
  Colour to_move_ = Colour::black;
  bool won_ = false;               ///< by the side that moved last
  std::uint16_t last_ = no_point;  ///< where the last stone was placed
};

}  // namespace pitboss::games
