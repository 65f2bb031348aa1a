#pragma once

#include "games/game.hpp"
#include "games/grid.hpp"
#include "games/liberties.hpp"
#include "games/policy.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// Atari Go: Go in which the first capture wins. A stone goes on an empty point; one that captures
/// nothing must leave its own group a liberty. There is no pass, and a side without a legal move
/// has lost. Captured stones stay on the board of the finished game.
class AtariGo {
 public:
  using Board = Bitboard<128>;
  static constexpr std::string_view name = "atarigo";
  static constexpr int players = 2;
  static constexpr int max_moves = 121;
  static constexpr int max_plies = 121;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static AtariGo create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const { return result_; }
  [[nodiscard]] int margin() const { return 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result_.finished()) return;
    legal_points().for_each([&](int p) { moves.add(Move{static_cast<std::uint32_t>(p)}); });
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const Board empty = empty_points();
    Board untried = empty;
    for (int left = empty.count();; --left) {
      const int p = untried.nth(random.below(left));
      if (is_legal(p, empty)) return Move{static_cast<std::uint32_t>(p)};
      untried.remove(p);
    }
  }

  void play(Move move) {
    const int p = static_cast<int>(code(move));
    stones_[index(to_move_)].add(p);
    const Colour mover = to_move_;
    to_move_ = opponent(to_move_);
    const Board empty = empty_points();
    const Board beside_empty = grid_->neighbours(empty);
    const Board& enemy = stones_[index(to_move_)];
    const Board pressed = minus(grid_->neighbours(Board::point(p)) & enemy, beside_empty);
    // The first, cheap half of each condition almost always decides.
    const bool captures = pressed.any() && minus(pressed, grid_->flood(beside_empty, enemy)).any();
    if (captures || ((empty & beside_empty).none() && legal_points().none()))
      result_ = Result::win(mover);
  }

  [[nodiscard]] Board points() const { return grid_->points; }
  [[nodiscard]] Board pieces(int kind) const { return stones_[kind]; }
  [[nodiscard]] BoardShape shape() const { return grid_->shape(); }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] std::optional<Move> move_of(std::string_view text) const;
  [[nodiscard]] int target(Move move) const { return static_cast<int>(code(move)); }
  /// Points from the bottom, as in the networks of the authors of Novelty in MCTS.
  [[nodiscard]] int policy_size() const { return shape().cells(); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const { return PolicyParts(target(move)); }
  [[nodiscard]] std::span<const Symmetry> symmetries() const { return square_symmetries; }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    return symmetry.point(shape(), entry);
  }
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] AtariGo with(const Setup<Board>& setup) const;

  /// Linear in the liberties of each side's weakest group.
  [[nodiscard]] double static_value() const;

  friend bool operator==(const AtariGo&, const AtariGo&) = default;

 private:
  explicit AtariGo(const Grid<128>& grid) : grid_(&grid) {}

  [[nodiscard]] Board empty_points() const { return minus(grid_->points, stones_[0] | stones_[1]); }
  /// The stones of `c` whose group touches a point of `liberties`.
  [[nodiscard]] Board breathing(Colour c, const Board& liberties) const {
    return games::breathing(*grid_, stones_[index(c)], liberties);
  }
  /// Whether the side to move may place a stone on the point `p` of `empty`.
  [[nodiscard]] bool is_legal(int p, const Board& empty) const {
    return is_placement(*grid_, p, grid_->neighbours(Board::point(p)), stones_[index(to_move_)],
                        stones_[index(opponent(to_move_))], empty);
  }
  [[nodiscard]] Board legal_points() const {
    return placements(*grid_, stones_[index(to_move_)], stones_[index(opponent(to_move_))],
                      empty_points());
  }
  [[nodiscard]] int fewest_liberties(Colour c) const;

  const Grid<128>* grid_;
  std::array<Board, 2> stones_{};
  Colour to_move_ = Colour::black;
  Result result_ = Result::unfinished();
};

}  // namespace pitboss::games
