#pragma once

#include <utility>

#include "games/game.hpp"
#include "games/ply_limit.hpp"
#include "games/policy.hpp"
#include "games/random.hpp"

namespace pitboss::games {

/// Cannon (D. E. Whitcher): soldiers step forward, capture forward and sideways, retreat from an
/// enemy; three in a row are a cannon, which moves by one or shoots at two or three points'
/// distance. A side that takes the enemy's town wins, and a side that cannot move has lost. A move
/// is the from-point, plus 2^7 times the to-point, plus 2^14 for a shot; the placement of a town
/// has the town's point as from-point and to-point.
///
/// With `rules=paper` (the authors' program of Quality-based Rewards for MCTS Simulations) no move
/// takes a town; instead a move is illegal if it lets the enemy take the mover's own town.
class Cannon {
 public:
  using Board = Bitboard<128>;
  static constexpr std::string_view name = "cannon";
  static constexpr std::string_view piece_letters = "XOBW";
  static constexpr int players = 2;
  static constexpr bool targets_enemies = true;  // TargetsEnemies
  static constexpr int side = 10;
  static constexpr int soldiers_each = 15;
  /// A soldier reaches five points by a step or capture and three by a retreat, is the rear of
  /// eight cannons that move and the front of eight that shoot at two points each.
  static constexpr int max_moves = soldiers_each * (5 + 3 + 8 + 16);
  static constexpr int max_plies = ply_limit;

  /// Of each side, black first: the number of soldiers; their nearness to the enemy's town; whether
  /// they could take that town in one move.
  static constexpr int feature_count = 6;
  static constexpr int feature_values = soldiers_each * 4 + 1;
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / 16;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Cannon create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return static_cast<Colour>(mover()); }
  [[nodiscard]] Result result() const {
    if (placing()) return Result::unfinished();
    if (town_[mover()] == no_town || !has_move()) return Result::win(opponent(to_move()));
    return plies_ < ply_limit ? Result::unfinished() : Result::draw();
  }
  [[nodiscard]] int margin() const { return result().shared() ? 0 : 1; }

  void legal_moves(MoveList<max_moves>& moves) const;
  [[nodiscard]] Move random_move(Random& random) const;
  /// The playout policy of the authors' program. It takes a town if it can. Else it chooses among
  /// moves that threaten the enemy's town, else among shots (weight 4) and captures (weight 1),
  /// else among all moves; moves that let the enemy take the mover's own town come last.
  [[nodiscard]] Move informed_move(Random& random) const;

  void play(Move move) {
    const int from = static_cast<int>(code(move) & 127U);
    const int to = target(move);
    Board& own = soldiers_[mover()];
    const int enemy = 1 - mover();
    if (placing()) {
      town_[mover()] = static_cast<std::uint8_t>(to);
    } else {
      if (!is_shot(move)) {
        own.remove(from);
        own.add(to);
      }
      soldiers_[enemy].remove(to);
      if (town_[enemy] == to) town_[enemy] = no_town;
    }
    ++plies_;
  }

  [[nodiscard]] Board points() const { return all_points; }
  [[nodiscard]] Board pieces(int kind) const { return kind < 2 ? soldiers_[kind] : town(kind - 2); }
  /// Both towns are one kind of fact: each colour's town can only be in its home row.
  static constexpr int fact_kinds = 3;
  [[nodiscard]] Board fact_pieces(int kind) const {
    return kind < 2 ? soldiers_[kind] : town(0) | town(1);
  }
  [[nodiscard]] BoardShape shape() const { return {side, side, side}; }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] int target(Move move) const { return static_cast<int>((code(move) >> 7) & 127U); }
  /// A shot's origin is the cannon's front soldier, which stays there.
  [[nodiscard]] int origin(Move move) const {
    return placing() ? -1 : static_cast<int>(code(move) & 127U);
  }
  /// Two parts, for the from-point and for the to-point or the target of a shot: their cells. A
  /// town's placement has only the to-point's part.
  [[nodiscard]] int policy_size() const { return 3 * shape().cells(); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    const int to = (is_shot(move) ? 2 : 1) * shape().cells() + shape().cell(target(move));
    if (placing()) return PolicyParts(to);
    return PolicyParts(shape().cell(static_cast<int>(code(move) & 127U)), to);
  }
  /// The number of plies; empty if it is the smallest that the board allows.
  [[nodiscard]] std::string extra() const { return plies_ < 4 ? "" : plies_text(plies_); }
  [[nodiscard]] Cannon with(const Setup<Board, 4>& setup) const;

  /// Logistic of soldiers, their nearness to the enemy's town and threats to it; see cannon.cpp.
  [[nodiscard]] double static_value() const;
  /// The same, from the features.
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;
  /// The winner's soldiers minus the loser's, over 15 (Quality-based Rewards).
  [[nodiscard]] double quality() const;

  friend bool operator==(const Cannon&, const Cannon&) = default;

 private:
  friend class CannonMoves;

  static constexpr std::uint8_t no_town = 127;
  static constexpr Board all_points = [] {
    Board points;
    for (int p = 0; p < side * side; ++p) points.add(p);
    return points;
  }();

  explicit Cannon(bool paper) : paper_(paper) {}

  [[nodiscard]] static bool is_shot(Move move) { return (code(move) >> 14) != 0; }
  [[nodiscard]] int mover() const { return plies_ % 2; }
  /// Whether the side to move must place its town: on its first ply.
  [[nodiscard]] bool placing() const { return plies_ < 2; }
  [[nodiscard]] Board town(int c) const {
    return town_[c] == no_town ? Board{} : Board::point(town_[c]);
  }
  [[nodiscard]] Board occupied() const { return soldiers_[0] | soldiers_[1] | town(0) | town(1); }
  [[nodiscard]] Board town_points(int c) const;
  [[nodiscard]] bool has_move() const;
  /// Whether a move of CannonMoves is legal: with `rules=paper`, if it keeps the own town safe.
  [[nodiscard]] bool is_legal(Move move) const { return !paper_ || keeps_town(move); }
  /// Whether the town of `c` could be taken in one move.
  [[nodiscard]] bool is_threatened(int c) const;
  [[nodiscard]] bool keeps_town(Move move) const {
    Cannon after = *this;
    after.play(move);
    return !after.is_threatened(mover());
  }
  /// Whether the enemy's town could be taken by the move after `move`.
  [[nodiscard]] bool threatens(Move move) const;
  void check_pieces(const Setup<Board, 4>& setup) const;
  [[nodiscard]] int plies_played(const Setup<Board, 4>& setup) const;

  std::array<Board, 2> soldiers_{};
  std::array<std::uint8_t, 2> town_{no_town, no_town};
  std::uint16_t plies_ = 0;
  bool paper_;
};

}  // namespace pitboss::games
