#pragma once

#include <string>
#include <vector>

#include "games/game.hpp"
#include "games/grid.hpp"
#include "games/ply_limit.hpp"
#include "games/policy.hpp"

namespace pitboss::games {

/// Fanorona on the Alquerque board of 9x5 points. A man that steps towards or away from enemy men
/// in its line captures the row of them. A side that can capture must; the man may go on capturing
/// in a chain. Each capture of a chain is a ply, and so is the pass that ends it.
class Fanorona {
 public:
  using Board = Bitboard<64>;
  static constexpr std::string_view name = "fanorona";
  static constexpr int players = 2;
  /// The board has 108 lines. Each joins at most one man with one open point, and a step along it
  /// can capture in two ways.
  static constexpr int max_moves = 216;
  static constexpr int max_plies = ply_limit;
  static constexpr bool is_alquerque = true;  // OnAlquerque

  /// Men and the steps they could take, black's then white's.
  static constexpr int feature_count = 4;
  static constexpr int feature_values = 109;
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / 64;

  [[nodiscard]] static std::span<const Parameter> parameters() { return {}; }
  [[nodiscard]] static Fanorona create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const { return result_; }
  /// The men that the winner has left.
  [[nodiscard]] int margin() const;

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result_.finished()) return;
    if (in_chain()) moves.add(pass);
    const Captures captures = captures_of(movers(), open_points());
    if (captures.total > 0) {
      list(captures.approaches, approach, moves);
      list(captures.withdrawals, withdrawal, moves);
    } else {
      list(quiet_steps(), quiet, moves);
    }
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const Captures captures = captures_of(movers(), open_points());
    if (captures.total == 0) {
      const ByDirection steps = quiet_steps();
      int n = 0;
      for (const Board& from : steps) n += from.count();
      n = random.below(n);
      return nth(steps, quiet, n);
    }
    int n = random.below(captures.total + (in_chain() ? 1 : 0));
    if (n == captures.total) return pass;
    const Move approaching = nth(captures.approaches, approach, n);
    return n < 0 ? approaching : nth(captures.withdrawals, withdrawal, n);
  }

  void play(Move move);

  [[nodiscard]] Board points() const { return grid_->points; }
  [[nodiscard]] Board pieces(int kind) const { return men_[kind]; }
  /// In a chain: the moving man, and the points where it has been.
  static constexpr int mark_kinds = 2;
  [[nodiscard]] Board marks(int kind) const {
    if (kind == 1) return visited_;
    return in_chain() ? Board::point(man_) : Board();
  }
  [[nodiscard]] BoardShape shape() const { return grid_->shape(); }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] int target(Move move) const { return move == pass ? -1 : to_of(move); }
  [[nodiscard]] int origin(Move move) const { return move == pass ? -1 : from_of(move); }
  /// For each direction of a quiet step, of an approach and of a withdrawal, the from-points'
  /// cells; then pass.
  [[nodiscard]] int policy_size() const { return 3 * 8 * shape().cells() + 1; }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    if (move == pass) return PolicyParts(policy_size() - 1);
    const int way = static_cast<int>(8 * kind_of(move) + direction_of(move));
    return PolicyParts(way * shape().cells() + shape().cell(from_of(move)));
  }
  /// The from-point, the to-point and, where both captures are possible, the nearest victim.
  [[nodiscard]] std::vector<std::string> steps(Move move) const;
  /// The plies played; in a chain also the point of its man and the points where it has been, as in
  /// "12:e3,d2,d3".
  [[nodiscard]] std::string extra() const;
  [[nodiscard]] Fanorona with(const Setup<Board>& setup) const;

  [[nodiscard]] double static_value() const;
  /// The same, from the features.
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;
  /// The winner's men minus the loser's, over a side's men at the start (Pitboss's own measure).
  [[nodiscard]] double quality() const;

  friend bool operator==(const Fanorona&, const Fanorona&) = default;

 private:
  enum Kind : std::uint32_t { quiet = 0, approach = 1, withdrawal = 2 };
  static constexpr Move pass{0xffffU};

  /// By direction: the men that can move that way.
  using ByDirection = std::array<Board, 8>;
  struct Captures {
    ByDirection approaches;
    ByDirection withdrawals;
    int total;
  };

  explicit Fanorona(const Grid<64>& grid) : grid_(&grid) {}

  static Move move_of(int from, unsigned direction, Kind kind) {
    return Move{static_cast<std::uint32_t>(from) | direction << 6 | kind << 9};
  }
  static int from_of(Move move) { return static_cast<int>(code(move) & 63U); }
  static unsigned direction_of(Move move) { return (code(move) >> 6) & 7U; }
  static Kind kind_of(Move move) { return static_cast<Kind>(code(move) >> 9); }
  [[nodiscard]] int to_of(Move move) const {
    return from_of(move) + grid_->directions[direction_of(move)].offset;
  }

  static void list(const ByDirection& men, Kind kind, MoveList<max_moves>& moves) {
    for (unsigned d = 0; d < men.size(); ++d) {
      men[d].for_each([&](int from) { moves.add(move_of(from, d, kind)); });
    }
  }
  /// Returns move `n` of these men and makes `n` negative. If they have no more than `n` moves,
  /// returns `pass` and subtracts the number of their moves from `n`.
  static Move nth(const ByDirection& men, Kind kind, int& n) {
    for (unsigned d = 0; d < men.size(); ++d) {
      const int here = men[d].count();
      if (n < here) {
        const int from = men[d].nth(n);
        n = -1;
        return move_of(from, d, kind);
      }
      n -= here;
    }
    return pass;
  }

  [[nodiscard]] bool in_chain() const { return visited_.any(); }
  [[nodiscard]] Board empty_points() const { return minus(points(), men_[0] | men_[1]); }
  /// The points where men may go; `movers` are the men that may move: in a chain only its man, to
  /// points where it has not been.
  [[nodiscard]] Board open_points() const { return minus(empty_points(), visited_); }
  [[nodiscard]] Board movers() const {
    return in_chain() ? Board::point(man_) : men_[index(to_move_)];
  }
  /// The captures of `own`, men of the side to move, by steps to points of `open`.
  [[nodiscard]] Captures captures_of(const Board& own, const Board& open) const {
    const Board& enemy = men_[index(opponent(to_move_))];
    Captures captures;
    captures.total = 0;
    for (std::size_t d = 0; d < 8; ++d) {
      const auto& ahead = grid_->directions[d];
      const auto& back = grid_->directions[d ^ 1U];
      const Board before_enemy = Grid<64>::step(enemy, back) & open;
      captures.approaches[d] = Grid<64>::step(before_enemy, back) & own;
      captures.withdrawals[d] = Grid<64>::step(open, back) & Grid<64>::step(enemy, ahead) & own;
      captures.total += captures.approaches[d].count() + captures.withdrawals[d].count();
    }
    return captures;
  }
  [[nodiscard]] ByDirection quiet_steps() const {
    const Board empty = empty_points();
    ByDirection steps;
    for (std::size_t d = 0; d < 8; ++d) {
      steps[d] = Grid<64>::step(empty, grid_->directions[d ^ 1U]) & men_[index(to_move_)];
    }
    return steps;
  }
  /// Removes the row of enemy men that begins next to `from`.
  void capture(int from, const Grid<64>::Direction& direction);
  void end_turn();
  /// Finds the result after a ply.
  void judge();
  void read_chain(std::string_view text);

  const Grid<64>* grid_;
  std::array<Board, 2> men_{};
  Board visited_;  ///< the points where a chain's man has been before; empty outside a chain
  std::uint16_t plies_ = 0;
  std::uint8_t man_ = 0;  ///< the point of a chain's man; else 0
  Colour to_move_ = Colour::black;
  Result result_ = Result::unfinished();
};

}  // namespace pitboss::games
