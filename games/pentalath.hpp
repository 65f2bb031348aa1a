#pragma once

#include "games/game.hpp"
#include "games/hexagon.hpp"
#include "games/liberties.hpp"
#include "games/ply_limit.hpp"
#include "games/policy.hpp"
#include "games/swap.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// Pentalath (C. Browne, 2009; earlier Ndengrod): five in line win; a group without an empty
/// neighbour is captured, and a stone whose own group would have none must capture.
class Pentalath {
 public:
  using Board = Bitboard<128>;
  static constexpr std::string_view name = "pentalath";
  static constexpr int players = 2;
  static constexpr int max_moves = 61;
  static constexpr int max_plies = ply_limit;  // then the game is drawn

  /// Open windows (five in line, stones of one colour only) with 1, 2, 3, 4 stones: black, white.
  static constexpr int feature_count = 8;
  static constexpr int feature_values = 76;  // there are 75 windows
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / feature_values;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Pentalath create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const { return result_; }
  [[nodiscard]] Board decisive() const {
    return points_in_line(pieces(index(opponent(to_move_))), 5, hexagon::axes);
  }
  [[nodiscard]] int margin() const { return result_.shared() ? 0 : 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result_.finished()) return;
    legal_points().for_each([&](int p) { moves.add(Move{static_cast<std::uint32_t>(p)}); });
    if (can_swap()) moves.add(SwapRule::move);
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    return drawn(random, Board());
  }
  /// The playout policy of the authors' program (Quality-based Rewards for MCTS Simulations):
  /// points with six neighbours are twice as likely as others; swap has the probability of a stone
  /// on the swapped stone's point.
  template <class Random>
  [[nodiscard]] Move informed_move(Random& random) const {
    return drawn(random, hexagon::interior);
  }

  void play(Move move) {
    ++plies_;
    if (move == SwapRule::move) {
      SwapRule::swap(stones_);
    } else {
      place(static_cast<int>(code(move)));
    }
    to_move_ = opponent(to_move_);
    if (!result_.finished()) result_ = result_of_draws();
  }

  [[nodiscard]] Board points() const { return hexagon::points; }
  [[nodiscard]] Board pieces(int kind) const { return stones_[kind]; }
  [[nodiscard]] BoardShape shape() const { return hexagon::shape(); }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] std::optional<Move> move_of(std::string_view text) const;
  [[nodiscard]] int target(Move move) const {
    return move == SwapRule::move ? -1 : static_cast<int>(code(move));
  }
  [[nodiscard]] int policy_size() const { return swap_.policy_size(shape()); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    return SwapRule::policy_parts(shape(), move);
  }
  [[nodiscard]] std::span<const Symmetry> symmetries() const { return hexagon_symmetries; }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    return image_of_cell(*this, entry, symmetry);
  }
  /// The number of plies; empty if it is the fewest that the stones on the board need.
  [[nodiscard]] std::string extra() const;
  [[nodiscard]] Pentalath with(const Setup<Board>& setup) const;

  [[nodiscard]] double static_value() const;
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;

  /// (5 - L) / 5 for the longest row L of the loser that can still become five (Quality-based
  /// Rewards for MCTS Simulations; the authors' program).
  [[nodiscard]] double quality() const;

  friend bool operator==(const Pentalath&, const Pentalath&) = default;

 private:
  explicit Pentalath(SwapRule swap) : swap_(swap) {}

  /// Whether swap is legal: only at ply 2. Counts plies, since stones can be captured.
  [[nodiscard]] bool can_swap() const { return swap_.allows(plies_, to_move_); }
  [[nodiscard]] Board empty() const { return minus(hexagon::points, stones_[0] | stones_[1]); }
  [[nodiscard]] const Board& own() const { return stones_[index(to_move_)]; }
  [[nodiscard]] const Board& enemy() const { return stones_[index(opponent(to_move_))]; }
  [[nodiscard]] Board legal_points() const {
    return placements(hexagon::Geometry(), own(), enemy(), empty());
  }

  /// A random legal move; each point of `twice` is twice as likely as any other.
  template <class Random>
  [[nodiscard]] Move drawn(Random& random, const Board& twice) const {
    const Board free = empty();
    const bool swap = can_swap();
    for (Board untried = swap ? free | stones_[0] : free;;) {
      const Board again = untried & twice;
      const int extra = again.count();
      const int n = random.below(extra + untried.count());
      const int p = n < extra ? again.nth(n) : untried.nth(n - extra);
      if (swap && stones_[0].has(p)) return SwapRule::move;
      if (is_placement(hexagon::Geometry(), p, hexagon::near[p], own(), enemy(), free)) {
        return Move{static_cast<std::uint32_t>(p)};
      }
      untried.remove(p);
    }
  }

  void place(int p) {
    Board& own = stones_[index(to_move_)];
    Board& enemy = stones_[index(opponent(to_move_))];
    own.add(p);
    const Board free = empty();
    const Board beside_free = hexagon::neighbours(free);
    // This cheap test is almost always false.
    if (minus(hexagon::near[p] & enemy, beside_free).any()) {
      enemy = hexagon::flood(beside_free, enemy);
    }
    if (hexagon::line_ends(own, 5).any()) result_ = Result::win(to_move_);
  }
  /// The result of a position without five in line.
  [[nodiscard]] Result result_of_draws() const {
    const Board free = empty();
    const bool has_move =
        (free & hexagon::neighbours(free)).any() || can_swap() || legal_points().any();
    return has_move && plies_ < max_plies ? Result::unfinished() : Result::draw();
  }

  std::array<Board, 2> stones_{};
  std::uint16_t plies_ = 0;
  SwapRule swap_;
  Colour to_move_ = Colour::black;
  Result result_ = Result::unfinished();
};

}  // namespace pitboss::games
