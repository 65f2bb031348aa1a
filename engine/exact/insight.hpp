#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/exact/proof_numbers.hpp"
#include "games/amazons.hpp"
#include "games/gomoku.hpp"
#include "games/grid.hpp"
#include "games/hexagon.hpp"
#include "games/liberties.hpp"
#include "games/pentalath.hpp"
#include "games/rolit.hpp"
#include "games/swap.hpp"
#include "games/yavalath.hpp"

/// What can be told of positions without looking further ahead, game by game. An `Insight` is made
/// of any position of the game to be solved, and has of an unfinished one:
///
/// * `has_draws`, whether games can be drawn, and `most_moves(position)`, `most_plies(position)`,
///   which bound the moves of it and of all positions after it, and the plies that are left;
/// * `expected_digits(position)`, the logarithm to base 10 of how many positions a proof takes,
///   measured after random moves and in games of searches with 100 simulations, at the median;
/// * `can_win(position, colour)`, false only if that colour cannot win any more;
/// * `View view(position)`;
/// * `numbers(after)`, with which an unfinished position begins after a move that the view before
/// it
///   allows.
namespace pitboss::engine {

template <class G>
class Insight;

/// What the side to move of a position of stones has to know.
template <class Board>
struct StonesView {
  std::optional<int> score{};  ///< 1 or -1 if it wins or loses for certain
  Board allowed{};             ///< a stone on any other point loses

  [[nodiscard]] bool allows(games::Move move) const {
    return move == games::SwapRule::move || allowed.has(static_cast<int>(games::code(move)));
  }
};

/// Where one more stone makes a line of `Length` stones or more on an axis, on which `ahead` and
/// `behind` step.
template <int Length, class Board, class Step>
[[nodiscard]] Board completions(const Board& stones, Step&& ahead, Step&& behind) {
  std::array<Board, Length> before;  // of the points with as many stones before them
  std::array<Board, Length> after;
  before[1] = ahead(stones);
  after[1] = behind(stones);
  for (std::size_t n = 2; n < Length; ++n) {
    before[n] = ahead(before[n - 1] & stones);
    after[n] = behind(after[n - 1] & stones);
  }
  Board points = before[Length - 1] | after[Length - 1];
  for (std::size_t n = 1; n + 1 < Length; ++n) points |= before[n] & after[Length - 1 - n];
  return points;
}

template <int Length>
[[nodiscard]] games::hexagon::Board completions(const games::hexagon::Board& stones) {
  games::hexagon::Board points;
  for (const int axis : games::hexagon::axes) {
    const auto shift = [](int by) {
      return [by](const games::hexagon::Board& from) { return from.shifted(by); };
    };
    points |= completions<Length>(stones, shift(axis), shift(-axis));
  }
  return points;
}

/// The view of the side to move in a game without captures, whose stone on a point of `wins` makes
/// a winning line, and on one of `loses` a losing one; `enemy_wins` are the points of the other.
template <class Board>
[[nodiscard]] StonesView<Board> view_of_lines(const Board& wins, const Board& loses,
                                              const Board& enemy_wins, const Board& empty) {
  if (wins.any()) return {.score = 1};
  const int threats = enemy_wins.count();
  if (threats > 1) return {.score = -1};
  const Board allowed = minus(threats == 1 ? enemy_wins : empty, loses);
  if (allowed.none()) return {.score = -1};
  return {.allowed = allowed};
}

/// The numbers of a position after a move that has left the side to move no winning point, and made
/// `threats` for the other one: two cannot be met, one leaves a single move.
template <class Board>
[[nodiscard]] ProofNumbers numbers_of_lines(const Board& threats, const Board& loses,
                                            const Board& empty) {
  const int count = threats.count();
  const auto allowed = minus(count == 1 ? threats : empty, loses).count();
  if (count > 1 || allowed == 0) return ProofNumbers::lost();
  return {1, static_cast<std::uint32_t>(allowed)};
}

template <class G>
[[nodiscard]] typename G::Board empty_points(const G& game) {
  return minus(game.points(), game.pieces(0) | game.pieces(1));
}

/// A line of five wins, and a window of five points is needed for it.
template <>
class Insight<games::Gomoku> {
 public:
  using Board = games::Gomoku::Board;
  static constexpr bool has_draws = true;

  explicit Insight(const games::Gomoku& game)
      : small_(cells(game) <= 128 ? &grid<128>(game) : nullptr),
        large_(&grid<384>(game)),
        is_exactly_five_(six_do_not_win(game)) {}

  [[nodiscard]] static int most_moves(const games::Gomoku& game) {
    return empty_points(game).count();
  }
  [[nodiscard]] static int most_plies(const games::Gomoku& game) { return most_moves(game); }
  /// The more stones, the sooner somebody wins by threats; stones lie the farther apart on a larger
  /// board.
  [[nodiscard]] static double expected_digits(const games::Gomoku& game) {
    const int stones = (game.pieces(0) | game.pieces(1)).count();
    return 13 * std::exp(-0.5 * stones / game.shape().width);
  }
  [[nodiscard]] bool can_win(const games::Gomoku& game, games::Colour colour) const {
    const Board free = minus(game.points(), game.pieces(1 - games::index(colour)));
    const Board windows = on_grid([&]<int Bits>(const games::Grid<Bits>& grid) {
      const auto open = free.resized<Bits>();
      games::Bitboard<Bits> ends;
      for (std::size_t i = 0; i < 8; i += 2) ends |= grid.rows(open, grid.directions[i], 5);
      return ends;
    });
    return windows.any();
  }
  [[nodiscard]] StonesView<Board> view(const games::Gomoku& game) const {
    const Board empty = empty_points(game);
    const int mover = games::index(game.to_move());
    return view_of_lines(fifths(game.pieces(mover), empty), Board(),
                         fifths(game.pieces(1 - mover), empty), empty);
  }
  [[nodiscard]] ProofNumbers numbers(const games::Gomoku& after) const {
    const Board empty = empty_points(after);
    const Board threats = fifths(after.pieces(1 - games::index(after.to_move())), empty);
    return numbers_of_lines(threats, Board(), empty);
  }

 private:
  [[nodiscard]] static int cells(const games::Gomoku& game) {
    return game.shape().width * game.shape().height;
  }
  template <int Bits>
  [[nodiscard]] static const games::Grid<Bits>& grid(const games::Gomoku& game) {
    return games::rectangular_grid<Bits>(game.shape().width, game.shape().height);
  }
  /// Asks the rules, of which the position does not tell.
  [[nodiscard]] static bool six_do_not_win(const games::Gomoku& game) {
    const games::BoardShape shape = game.shape();
    if (shape.width < 6) return false;
    games::Setup<Board> six{.pieces = {}, .to_move = games::Colour::white, .extra = {}};
    for (int x = 0; x < 6; ++x) six.pieces[0].add(x);
    for (int n = 0; n < 5; ++n) six.pieces[1].add((2 + n % 3) * shape.stride + 2 * (n / 3));
    return !game.with(six).result().finished();
  }
  /// What `points(grid)` is on the smallest grid that has the board's points.
  template <class Points>
  [[nodiscard]] Board on_grid(Points&& points) const {
    return small_ != nullptr ? points(*small_).template resized<Board::bits>() : points(*large_);
  }
  /// The points of `empty` where one more stone wins.
  [[nodiscard]] Board fifths(const Board& stones, const Board& empty) const {
    const Board points = on_grid([&]<int Bits>(const games::Grid<Bits>& grid) {
      const auto own = stones.resized<Bits>();
      games::Bitboard<Bits> all;
      for (std::size_t i = 0; i < 8; i += 2) {
        const auto step = [&](std::size_t direction) {
          return [&grid, direction](const games::Bitboard<Bits>& from) {
            return games::Grid<Bits>::step(from, grid.directions[direction]);
          };
        };
        all |= completions<5>(own, step(i), step(i + 1));
      }
      return all;
    });
    if (!is_exactly_five_) return points & empty;
    Board wins;
    (points & empty).for_each([&](int p) {
      for (int axis = 0; axis < 8; axis += 2) {
        if (large_->line(p, axis, stones) == 5) wins.add(p);
      }
    });
    return wins;
  }

  const games::Grid<128>* small_;  ///< null if the board is larger
  const games::Grid<384>* large_;
  bool is_exactly_five_;
};

/// Four in line win, three lose.
template <>
class Insight<games::Yavalath> {
 public:
  using Board = games::Yavalath::Board;
  static constexpr bool has_draws = true;

  explicit Insight(const games::Yavalath& /*game*/) {}

  [[nodiscard]] static int most_moves(const games::Yavalath& game) {
    return empty_points(game).count() + 1;  // and swap
  }
  [[nodiscard]] static int most_plies(const games::Yavalath& game) { return most_moves(game); }
  [[nodiscard]] static double expected_digits(const games::Yavalath& game) {
    return 9 * std::exp(-(game.pieces(0) | game.pieces(1)).count() / 13.0);
  }
  [[nodiscard]] static bool can_win(const games::Yavalath& game, games::Colour colour) {
    const int own = games::index(colour);
    return games::hexagon::line_ends(minus(game.points(), game.pieces(1 - own)), 4).any() ||
           games::hexagon::line_ends(minus(game.points(), game.pieces(own)), 3).any();
  }
  [[nodiscard]] static StonesView<Board> view(const games::Yavalath& game) {
    const Board empty = empty_points(game);
    const Board& own = game.pieces(games::index(game.to_move()));
    const Board& enemy = game.pieces(1 - games::index(game.to_move()));
    return view_of_lines(completions<4>(own) & empty, completions<3>(own) & empty,
                         completions<4>(enemy) & empty, empty);
  }
  [[nodiscard]] static ProofNumbers numbers(const games::Yavalath& after) {
    const Board empty = empty_points(after);
    const int mover = games::index(after.to_move());
    const Board threats = completions<4>(after.pieces(1 - mover)) & empty;
    const Board loses = completions<3>(after.pieces(mover)) & empty;
    return numbers_of_lines(threats, loses, empty);
  }
};

/// Five in line win; a threat can be met by a capture, too.
template <>
class Insight<games::Pentalath> {
 public:
  using Board = games::Pentalath::Board;
  static constexpr bool has_draws = true;

  explicit Insight(const games::Pentalath& /*game*/) {}

  [[nodiscard]] static int most_moves(const games::Pentalath& /*game*/) {
    return games::Pentalath::max_moves;
  }
  [[nodiscard]] static int most_plies(const games::Pentalath& /*game*/) {
    return games::Pentalath::max_plies;
  }
  [[nodiscard]] static double expected_digits(const games::Pentalath& game) {
    return 12 * std::exp(-(game.pieces(0) | game.pieces(1)).count() / 20.0);
  }
  [[nodiscard]] static bool can_win(const games::Pentalath& /*game*/, games::Colour /*colour*/) {
    return true;  // stones can be captured
  }
  [[nodiscard]] static StonesView<Board> view(const games::Pentalath& game) {
    if (wins(game, games::index(game.to_move())).any()) return {.score = 1};
    return {.allowed = empty_points(game)};
  }
  [[nodiscard]] static ProofNumbers numbers(const games::Pentalath& after) {
    const int mover = games::index(after.to_move());
    if (wins(after, mover).any()) return ProofNumbers::won();
    if (wins(after, 1 - mover).any()) return {1, 1};
    return {1, static_cast<std::uint32_t>(empty_points(after).count())};
  }

 private:
  /// Where a stone of that colour wins.
  [[nodiscard]] static Board wins(const games::Pentalath& game, int colour) {
    const Board empty = empty_points(game);
    Board points;
    (completions<5>(game.pieces(colour)) & empty).for_each([&](int p) {
      if (games::is_placement(games::hexagon::Geometry(), p, games::hexagon::near[p],
                              game.pieces(colour), game.pieces(1 - colour), empty)) {
        points.add(p);
      }
    });
    return points;
  }
};

/// Nothing is told at once; positions in which the side to move has few moves come first.
struct MobilityView {
  std::optional<int> score{};
  [[nodiscard]] static bool allows(games::Move /*move*/) { return true; }
};

template <>
class Insight<games::Amazons> {
 public:
  static constexpr bool has_draws = false;

  explicit Insight(const games::Amazons& /*game*/) {}

  [[nodiscard]] static int most_moves(const games::Amazons& game) {
    const int empty = most_plies(game);
    return std::min(games::Amazons::max_moves, games::Amazons::queens_each * empty * empty);
  }
  /// On a larger board as many empty points lie in more regions.
  [[nodiscard]] static double expected_digits(const games::Amazons& game) {
    return std::max(3.2 * most_plies(game) / game.shape().width - 2.5, 0.0);
  }
  [[nodiscard]] static int most_plies(const games::Amazons& game) {
    return minus(empty_points(game), game.pieces(2)).count();
  }
  [[nodiscard]] static bool can_win(const games::Amazons& /*game*/, games::Colour /*colour*/) {
    return true;
  }
  [[nodiscard]] static MobilityView view(const games::Amazons& /*game*/) { return {}; }
  [[nodiscard]] static ProofNumbers numbers(const games::Amazons& after) {
    games::MoveList<games::Amazons::max_halves> halves;
    after.first_halves(halves);
    return {1, static_cast<std::uint32_t>(halves.size())};
  }
};

template <>
class Insight<games::Rolit> {
 public:
  static constexpr bool has_draws = true;

  explicit Insight(const games::Rolit& /*game*/) {}

  [[nodiscard]] static int most_moves(const games::Rolit& game) {
    return minus(empty_points(game), game.pieces(2) | game.pieces(3)).count();
  }
  [[nodiscard]] static int most_plies(const games::Rolit& game) { return most_moves(game); }
  [[nodiscard]] static bool can_win(const games::Rolit& /*game*/, games::Colour /*colour*/) {
    return true;
  }
  [[nodiscard]] static double expected_digits(const games::Rolit& game) {
    return most_plies(game) / 3.0;
  }
  [[nodiscard]] static MobilityView view(const games::Rolit& /*game*/) { return {}; }
  [[nodiscard]] static ProofNumbers numbers(const games::Rolit& after) {
    games::MoveList<games::Rolit::max_moves> moves;
    after.legal_moves(moves);
    return {1, static_cast<std::uint32_t>(moves.size())};
  }
};

}  // namespace pitboss::engine
