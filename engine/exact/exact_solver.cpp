#include "engine/exact/exact_solver.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "engine/exact/atarigo_solution.hpp"
#include "engine/exact/connect4_solution.hpp"
#include "engine/exact/hex_solution.hpp"
#include "engine/exact/othello_endgame.hpp"
#include "engine/exact/proof_solution.hpp"
#include "engine/exact/race_solution.hpp"
#include "engine/exact/teeko_solution.hpp"
#include "games/boxed_game.hpp"

namespace pitboss::engine {

namespace {

/// Asks a solution of the game's positions for what is left after each move.
template <class Solution>
class MoveByMove final : public ExactSolver {
 public:
  using Game = typename Solution::Game;

  MoveByMove(const games::AnyGame& position, const Game& game, std::size_t table_bytes)
      : game_(game), solution_(make_solution(game, table_bytes)) {
    for (std::string& text : position.legal_moves()) {
      const games::Move code = position.find(text);
      moves_.push_back({std::move(text), {}, code});
    }
  }

  [[nodiscard]] bool run(Patience& patience) override {
    for (ExactMove& move : moves_) {
      if (!move.score && !find_score(move, patience)) return false;
    }
    return true;
  }
  [[nodiscard]] std::optional<ExactMove> best(Patience& patience) override {
    if constexpr (reads_table) {
      if (!run(patience)) return std::nullopt;
      return *std::ranges::max_element(moves_, {}, &ExactMove::score);
    }
    if (!best_score_) best_score_ = solution_.score(game_, patience);
    if (!best_score_) return std::nullopt;
    if (!ranks_losses() && *best_score_ < 0) {
      for (ExactMove& move : moves_) move.score = best_score_;
      return moves_.front();
    }
    for (ExactMove& move : moves_) {
      if (!after(move).result().finished()) continue;
      if (!find_score(move, patience)) return std::nullopt;
      if (move.score == best_score_) return move;
    }
    for (ExactMove& move : moves_) {
      if (-solution_.most(after(move)) >= *best_score_) move.score = best_score_;
      if (move.score == best_score_) return move;
    }
    // The table has forgotten it.
    for (ExactMove& move : moves_) {
      if (!move.score && !find_score(move, patience)) return std::nullopt;
      if (move.score == best_score_) return move;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::vector<ExactMove> moves() const override { return moves_; }
  [[nodiscard]] bool counts_points() const override { return Solution::counts_points; }
  [[nodiscard]] bool ranks_losses() const override {
    return Solution::counts_points || reads_table;
  }

 private:
  /// Then all scores are known at once.
  static constexpr bool reads_table = std::is_default_constructible_v<Solution>;

  /// Of a game with boards of several sizes a solution allocates what the position's size needs;
  /// one that reads a file allocates nothing.
  [[nodiscard]] static Solution make_solution(const Game& game, std::size_t table_bytes) {
    if constexpr (std::is_constructible_v<Solution, const Game&, std::size_t>) {
      return Solution(game, table_bytes);
    } else if constexpr (std::is_constructible_v<Solution, std::size_t>) {
      return Solution(table_bytes);
    } else {
      return Solution();
    }
  }
  [[nodiscard]] Game after(const ExactMove& move) const {
    Game after = game_;
    after.play(move.code);
    return after;
  }
  [[nodiscard]] bool find_score(ExactMove& move, Patience& patience) {
    const auto score = solution_.score(after(move), patience);
    if (score) move.score = -*score;
    return score.has_value();
  }

  Game game_;
  Solution solution_;
  std::optional<int> best_score_{};
  std::vector<ExactMove> moves_;
};

/// Null if the position is of another game.
template <class Solution>
const typename Solution::Game* game_of(const games::AnyGame& position) {
  const auto* const boxed =
      dynamic_cast<const games::BoxedGame<typename Solution::Game>*>(&position);
  return boxed != nullptr ? &boxed->game() : nullptr;
}

/// A solution has a type `Game`, `counts_points`, `positions_a_second`, and of a position of any
/// kind `score`, `most` and `expected_positions`, which is nothing while it cannot be made.
template <class... Solutions>
struct SolutionList {
  static constexpr std::array names{Solutions::Game::name...};
  /// Calls `call` with the type of the position's solution and its game, if there is one.
  static void with_solution(const games::AnyGame& position, const auto& call) {
    const auto try_one = [&]<class Solution>(std::type_identity<Solution> type) {
      const auto* const game = game_of<Solution>(position);
      if (game != nullptr) call(type, *game);
    };
    (try_one(std::type_identity<Solutions>{}), ...);
  }
};
using AllSolutions =
    SolutionList<AmazonsSolution, AtariGoSolution, BreakthroughSolution, Connect4Solution,
                 GomokuSolution, HexSolution, KnightthroughSolution, OthelloEndgame,
                 PentalathSolution, RolitSolution, TeekoSolution, YavalathSolution>;

}  // namespace

std::string_view word_of_score(std::optional<int> score) {
  if (!score) return "unknown";
  return *score > 0 ? "win" : *score < 0 ? "loss" : "draw";
}

std::span<const std::string_view> solved_games() { return AllSolutions::names; }

std::string why_unsolved(const games::AnyGame& position) {
  const std::string game(position.name());
  if (game == games::Rolit::name) return "rolit has an exact solver for two players only";
  if (std::ranges::count(solved_games(), game) > 0) {
    return game +
           "'s exact results are in a table, which is not there or damaged: pitboss truth "
           "--make-table " +
           game + " makes it";
  }
  std::string text = "there is no exact solver for " + game +
                     ", which can come back to a position: there are those for ";
  for (const std::string_view name : solved_games()) {
    if (name != solved_games().front()) text += ", ";
    text += name;
  }
  return text;
}

std::unique_ptr<ExactSolver> make_exact_solver(const games::AnyGame& position,
                                               std::size_t table_bytes) {
  if (!expected_positions(position)) return nullptr;
  std::unique_ptr<ExactSolver> solver;
  AllSolutions::with_solution(
      position, [&]<class Solution>(std::type_identity<Solution>, const auto& game) {
        solver = std::make_unique<MoveByMove<Solution>>(position, game, table_bytes);
      });
  return solver;
}

std::optional<double> expected_positions(const games::AnyGame& position) {
  std::optional<double> positions;
  AllSolutions::with_solution(position,
                              [&]<class Solution>(std::type_identity<Solution>, const auto& game) {
                                positions = Solution::expected_positions(game);
                              });
  return positions;
}

double positions_a_second(const games::AnyGame& position) {
  double positions = 0;
  AllSolutions::with_solution(position,
                              [&]<class Solution>(std::type_identity<Solution>, const auto&) {
                                positions = Solution::positions_a_second;
                              });
  return positions;
}

}  // namespace pitboss::engine
