#pragma once

#include "games/game.hpp"
#include "games/hexagon.hpp"
#include "games/policy.hpp"
#include "games/swap.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// Yavalath (C. Browne's program Ludi, 2007): a side that makes four in line wins; a side that
/// makes three in line and not four loses. A full board is a draw.
class Yavalath {
 public:
  using Board = Bitboard<128>;
  static constexpr std::string_view name = "yavalath";
  static constexpr int players = 2;
  static constexpr int max_moves = 61;
  static constexpr int max_plies = 62;  // 61 stones and swap

  /// Points that win, points that lose, open windows of four with two stones: black, white.
  static constexpr int feature_count = 6;
  static constexpr int feature_values = 103;  // there are 102 windows
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / feature_values;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static Yavalath create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const { return result_; }
  /// Four in line that have won, or three that have lost.
  [[nodiscard]] Board decisive() const {
    const Colour mover = opponent(to_move_);
    return points_in_line(pieces(index(mover)), result_.won_by(mover) ? 4 : 3, hexagon::axes);
  }
  [[nodiscard]] int margin() const { return result_.shared() ? 0 : 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result_.finished()) return;
    empty().for_each([&](int p) { moves.add(Move{static_cast<std::uint32_t>(p)}); });
    if (swap_.allows(count_, to_move_)) moves.add(SwapRule::move);
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const int free = hexagon::point_count - count_;
    const int n = random.below(free + (swap_.allows(count_, to_move_) ? 1 : 0));
    return n == free ? SwapRule::move : Move{static_cast<std::uint32_t>(empty().nth(n))};
  }

  void play(Move move) {
    if (move == SwapRule::move) {
      SwapRule::swap(stones_);
    } else {
      const int p = static_cast<int>(code(move));
      Board& own = stones_[index(to_move_)];
      own.add(p);
      ++count_;
      const Lines lines = lines_near(p, own);
      if (lines.three || count_ == hexagon::point_count) result_ = judged(lines);
    }
    to_move_ = opponent(to_move_);
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
  [[nodiscard]] std::string extra() const { return {}; }
  [[nodiscard]] Yavalath with(const Setup<Board>& setup) const;

  [[nodiscard]] double static_value() const;
  /// The same, from the features.
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;

  friend bool operator==(const Yavalath&, const Yavalath&) = default;

 private:
  explicit Yavalath(SwapRule swap) : swap_(swap) {}

  /// Whether there are three in line, and four in line.
  struct Lines {
    bool three;
    bool four;
  };
  /// The lines of `stones`, all of which must go through the point `p`. Three steps on any axis
  /// lead at most 30 bits away, so that all lines lie in the 64 points from `p` - 30 on.
  [[nodiscard]] static Lines lines_near(int p, const Board& stones) {
    constexpr int farthest = 3 * (hexagon::stride + 1);
    const auto first = static_cast<unsigned>(p < farthest ? 0 : p - farthest);
    const std::uint64_t near = stones.word(0) >> first | stones.word(1) << (63 - first) << 1;
    std::uint64_t three = 0;
    std::uint64_t four = 0;
    for (const int step : hexagon::axes) {
      const std::uint64_t two = near & (near >> step);
      three |= two & (two >> step);
      four |= two & (two >> (2 * step));
    }
    return {three != 0, four != 0};
  }
  /// The result after a stone of the side to move that makes `lines` or fills the board. Four in
  /// line take precedence over three, and both over the full board.
  [[nodiscard]] Result judged(Lines lines) const {
    if (lines.four) return Result::win(to_move_);
    return lines.three ? Result::win(opponent(to_move_)) : Result::draw();
  }
  [[nodiscard]] Board empty() const { return minus(hexagon::points, stones_[0] | stones_[1]); }

  std::array<Board, 2> stones_{};
  std::uint8_t count_ = 0;  ///< stones on the board
  SwapRule swap_;
  Colour to_move_ = Colour::black;
  Result result_ = Result::unfinished();
};

}  // namespace pitboss::games
