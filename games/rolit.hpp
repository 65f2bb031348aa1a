#pragma once

#include <array>
#include <bit>

#include "games/game.hpp"
#include "games/outflank.hpp"
#include "games/policy.hpp"

namespace pitboss::games {

/// Rolit (A. Golad): Othello's outflanking among four colours, of which two to four have players. A
/// player who can turn a ball must do so; else any point next to a ball is legal; there is no pass.
/// Colours without a player also have balls on the board, which can be turned, but cannot win.
class Rolit {
 public:
  using Board = Bitboard<64>;
  static constexpr std::string_view name = "rolit";
  static constexpr std::string_view piece_letters = "RYGB";
  static constexpr int players = 4;
  static constexpr int max_moves = 60;  // the four centre points are never empty
  static constexpr int max_plies = 60;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Rolit create(const Parameters& parameters);

  [[nodiscard]] int seats() const { return seats_; }
  [[nodiscard]] Colour to_move() const { return static_cast<Colour>(to_move_); }
  [[nodiscard]] Result result() const {
    return ~occupied() == 0 ? by_count() : Result::unfinished();
  }
  /// The winner's balls minus those of the next colour that has a player.
  [[nodiscard]] int margin() const;

  void legal_moves(MoveList<max_moves>& moves) const {
    Board{placements()}.for_each([&](int p) { moves.add(Move{static_cast<std::uint32_t>(p)}); });
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const Board open{placements()};
    return Move{static_cast<std::uint32_t>(open.nth(random.below(open.count())))};
  }

  void play(Move move) {
    const int point = static_cast<int>(code(move));
    const std::uint64_t own = balls_[to_move_];
    const std::uint64_t turned = outflank::flipped(point, own, occupied() ^ own);
    for (std::uint64_t& balls : balls_) balls &= ~turned;
    balls_[to_move_] |= turned | std::uint64_t{1} << point;
    to_move_ = static_cast<std::uint8_t>(to_move_ + 1 == seats_ ? 0 : to_move_ + 1);
  }

  [[nodiscard]] Board points() const { return Board{~std::uint64_t{0}}; }
  [[nodiscard]] Board pieces(int kind) const { return Board{balls_[kind]}; }
  [[nodiscard]] BoardShape shape() const { return {8, 8, 8}; }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] int target(Move move) const { return static_cast<int>(code(move)); }
  /// One entry for each cell.
  [[nodiscard]] int policy_size() const { return shape().cells(); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    return PolicyParts(shape().cell(target(move)));
  }
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] Rolit with(const Setup<Board, 4>& setup) const;

  /// The colours' shares of exp(strength), strength being a weighted sum of features (rolit.cpp).
  [[nodiscard]] Values<Rolit> static_values() const;
  /// The margin over the number of points (Pitboss's own measure).
  [[nodiscard]] double quality() const { return margin() / 64.0; }

  friend bool operator==(const Rolit&, const Rolit&) = default;

 private:
  explicit Rolit(int seats);

  [[nodiscard]] std::uint64_t occupied() const {
    return balls_[0] | balls_[1] | balls_[2] | balls_[3];
  }
  [[nodiscard]] std::uint64_t placements() const;
  [[nodiscard]] Result by_count() const;

  std::array<std::uint64_t, players> balls_;  ///< by colour
  std::uint8_t seats_;
  std::uint8_t to_move_ = 0;
};

}  // namespace pitboss::games
