#pragma once

#include "games/game.hpp"
#include "games/grid.hpp"
#include "games/ply_limit.hpp"
#include "games/policy.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// A winning figure of four markers, at any place of the board.
struct TeekoFigure {
  std::array<int, 4> offsets;  ///< of the markers from the lowest one, which comes first
  std::uint64_t markers;       ///< as bits, with the lowest marker at bit 0
  std::uint64_t starts;        ///< the points where the lowest marker may be
};

/// Lines in four directions, and the block: 44 figures together.
inline constexpr auto teeko_figures = [] {
  using Places = std::array<std::array<int, 2>, 4>;  // x and y
  constexpr std::array<Places, 5> places{{{{{0, 0}, {1, 0}, {2, 0}, {3, 0}}},
                                          {{{0, 0}, {0, 1}, {0, 2}, {0, 3}}},
                                          {{{0, 0}, {1, 1}, {2, 2}, {3, 3}}},
                                          {{{0, 0}, {-1, 1}, {-2, 2}, {-3, 3}}},
                                          {{{0, 0}, {1, 0}, {0, 1}, {1, 1}}}}};
  std::array<TeekoFigure, 5> figures{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    figures[i].starts = (std::uint64_t{1} << 25) - 1;
    for (std::size_t j = 0; j < 4; ++j) {
      const auto [dx, dy] = places[i][j];
      figures[i].offsets[j] = 5 * dy + dx;
      for (int p = 0; p < 25; ++p) {
        const int x = p % 5 + dx;
        const int y = p / 5 + dy;
        if (x < 0 || x >= 5 || y < 0 || y >= 5) figures[i].starts &= ~(std::uint64_t{1} << p);
      }
      figures[i].markers |= std::uint64_t{1} << figures[i].offsets[j];
    }
  }
  return figures;
}();

/// Teeko: on 5x5 points each side drops four markers in turn, then moves one of them to an empty
/// point beside it. Four in line or in a 2x2 block win.
class Teeko {
 public:
  using Board = Bitboard<64>;
  static constexpr std::string_view name = "teeko";
  static constexpr int players = 2;
  static constexpr int max_moves = 4 * 8;
  static constexpr int max_plies = ply_limit;

  /// Open figures (lines and blocks without an enemy marker) with 1, 2, 3 markers: black, white.
  static constexpr int feature_count = 6;
  static constexpr int feature_values = 45;  // there are 44 figures
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / 45;

  [[nodiscard]] static std::span<const Parameter> parameters() { return {}; }
  [[nodiscard]] static Teeko create(const Parameters& /*parameters*/) { return {}; }

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const { return result_; }
  [[nodiscard]] Board decisive() const { return pieces(index(opponent(to_move_))); }
  [[nodiscard]] int margin() const { return result_.shared() ? 0 : 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result_.finished()) return;
    const Board empty = empty_points();
    if (is_dropping()) {
      empty.for_each([&](int p) { moves.add(drop(p)); });
    } else {
      men_[index(to_move_)].for_each([&](int from) {
        (Board(around[from]) & empty).for_each([&](int to) { moves.add(slide(from, to)); });
      });
    }
  }

  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    const Board empty = empty_points();
    if (is_dropping()) return drop(empty.nth(random.below(empty.count())));
    std::array<int, 4> from;
    std::array<Board, 4> to;
    int sum = 0;
    int i = 0;
    men_[index(to_move_)].for_each([&](int p) {
      from[i] = p;
      to[i] = Board(around[p]) & empty;
      sum += to[i++].count();
    });
    int n = random.below(sum);
    for (i = 0; n >= to[i].count(); ++i) n -= to[i].count();
    return slide(from[i], to[i].nth(n));
  }

  void play(Move move) {
    Board& own = men_[index(to_move_)];
    own.add(target(move));
    if (code(move) >= 32) own.remove(static_cast<int>(code(move) / 32) - 1);
    ++plies_;
    if (is_figure(own)) {
      result_ = Result::win(to_move_);
    } else if (plies_ >= ply_limit) {
      result_ = Result::draw();
    }
    to_move_ = opponent(to_move_);
  }

  [[nodiscard]] Board points() const { return Board(all); }
  [[nodiscard]] Board pieces(int kind) const { return men_[kind]; }
  [[nodiscard]] BoardShape shape() const { return {5, 5, 5}; }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] int target(Move move) const { return static_cast<int>(code(move) % 32); }
  [[nodiscard]] int origin(Move move) const { return static_cast<int>(code(move) / 32) - 1; }
  /// For each of the nine places round a marker, from the upper left one to the lower right one,
  /// the from-points' cells: the marker moves to that place. A drop stays where it is.
  [[nodiscard]] int policy_size() const { return 9 * shape().cells(); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    const int to = target(move);
    const int from = code(move) < 32 ? to : static_cast<int>(code(move) / 32) - 1;
    const int dx = to % 5 - from % 5;
    const int dy = to / 5 - from / 5;
    return PolicyParts((3 * (1 - dy) + 1 + dx) * shape().cells() + shape().cell(from));
  }
  [[nodiscard]] std::span<const Symmetry> symmetries() const { return square_symmetries; }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    const int cells = shape().cells();
    const int place = symmetry.cell({3, 3, 3}, entry / cells);
    return place * cells + symmetry.cell(shape(), entry % cells);
  }
  /// The plies played; empty if each of them has placed a marker.
  [[nodiscard]] std::string extra() const { return plies_text(plies_ <= 8 ? 0 : plies_); }
  [[nodiscard]] Teeko with(const Setup<Board>& setup) const;

  [[nodiscard]] double static_value() const;
  /// The same, from the features.
  [[nodiscard]] double static_value(const Features& features) const;
  void features(Features& values) const;

  friend bool operator==(const Teeko&, const Teeko&) = default;

 private:
  static constexpr std::uint64_t all = (1U << 25) - 1;
  /// By point: its neighbours. A side always has a move: four markers and all their neighbours are
  /// at least nine points, and there are only eight markers.
  static constexpr auto around = [] {
    std::array<std::uint64_t, 25> table{};
    for (int p = 0; p < 25; ++p) {
      for (int q = 0; q < 25; ++q) {
        const int dx = p % 5 - q % 5;
        const int dy = p / 5 - q / 5;
        if (p != q && dx * dx <= 1 && dy * dy <= 1) table[p] |= std::uint64_t{1} << q;
      }
    }
    return table;
  }();

  static Move drop(int p) { return Move{static_cast<std::uint32_t>(p)}; }
  static Move slide(int from, int to) {
    return Move{static_cast<std::uint32_t>(32 * (from + 1) + to)};
  }

  [[nodiscard]] Board empty_points() const { return minus(points(), men_[0] | men_[1]); }
  [[nodiscard]] bool is_dropping() const { return plies_ < 8; }
  /// Whether `men` are four markers in line or in a block.
  static bool is_figure(const Board& men) {
    const std::uint64_t word = men.word(0);
    if (word == 0) return false;
    const int first = std::countr_zero(word);
    for (const TeekoFigure& figure : teeko_figures) {
      if (word >> first == figure.markers) return (figure.starts >> first) & 1U;
    }
    return false;
  }

  std::array<Board, 2> men_{};
  std::uint16_t plies_ = 0;
  Colour to_move_ = Colour::black;
  Result result_ = Result::unfinished();
};

}  // namespace pitboss::games
