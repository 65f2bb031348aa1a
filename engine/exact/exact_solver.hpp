#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/exact/patience.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// A legal move, and what it comes to when both sides play their best.
struct ExactMove {
  std::string move;
  /// For who makes the move: above 0 a win, below 0 a loss, 0 a draw. In a game that counts points
  /// it is by how many the game is won or lost; nothing: not known yet.
  std::optional<int> score{};
  games::Move code{};  ///< of the move, as `AnyGame::play` takes it
};

/// What a score says: "win", "draw", "loss"; "unknown" without one.
[[nodiscard]] std::string_view word_of_score(std::optional<int> score);

/// Looks for the exact score of each legal move of a position. One thread at a time.
class ExactSolver {
 public:
  virtual ~ExactSolver() = default;
  /// Goes on until all scores are known or patience ends; true once they are known. What has been
  /// found is kept for the next call. Does not allocate.
  [[nodiscard]] virtual bool run(Patience& patience) = 0;
  /// Goes on until a best move is known, with its score, or patience ends; then nothing. That takes
  /// less time than to find the scores of all moves; only a table gives all of them at once. If no
  /// score is worse, all moves have it.
  [[nodiscard]] virtual std::optional<ExactMove> best(Patience& patience) = 0;
  /// The moves in the order of `legal_moves`, with what is known of them.
  [[nodiscard]] virtual std::vector<ExactMove> moves() const = 0;
  /// Whether scores are points.
  [[nodiscard]] virtual bool counts_points() const = 0;
  /// Whether the score tells which of the moves that lose is the best one: that by the fewest
  /// points, or that which resists longest. Else all of them are alike.
  [[nodiscard]] virtual bool ranks_losses() const = 0;
};

/// The names of the games that have a solver; teeko's needs a table (teeko_solution.hpp).
[[nodiscard]] std::span<const std::string_view> solved_games();

/// About how many positions `ExactSolver::best` looks at, to within a factor of ten or so; nothing
/// if there is no solver for the game, or its table is not there. The first call that finds a table
/// reads it, which takes a tenth of a second.
[[nodiscard]] std::optional<double> expected_positions(const games::AnyGame& position);
/// How many it looks at in a second, roughly; 0 if there is no solver for the game.
[[nodiscard]] double positions_a_second(const games::AnyGame& position);
/// Why no positions are expected, in words for people.
[[nodiscard]] std::string why_unsolved(const games::AnyGame& position);

/// A solver for a position that is not finished, which remembers what it has found in
/// `table_bytes` at most; null if `expected_positions` is nothing. Throws std::bad_alloc.
///
/// There are solvers for connect4, hex, teeko and every other game for two players but cannon,
/// Chinese checkers and fanorona: amazons, atarigo, breakthrough, gomoku, knightthrough, othello,
/// pentalath, rolit and yavalath. Othello's empty points go to the winner, as in its tournaments;
/// up to about 22 of them are a matter of seconds, and each one more takes three times as long. Hex
/// is solved from the start on boards to 7x7, in seconds to 6x6, atarigo and breakthrough on boards
/// to 5x5, knightthrough to 6x6, and each of them on larger ones near the end, as the other games
/// are. Of teeko's winning moves the quickest is the best one, and of those that lose the slowest.
[[nodiscard]] std::unique_ptr<ExactSolver> make_exact_solver(const games::AnyGame& position,
                                                             std::size_t table_bytes);

}  // namespace pitboss::engine
