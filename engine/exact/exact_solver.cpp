#include "engine/exact/exact_solver.hpp"

#include <array>
#include <utility>

#include "engine/exact/connect4_solution.hpp"
#include "engine/exact/othello_endgame.hpp"
#include "games/boxed_game.hpp"

namespace pitboss::engine {

namespace {

/// Asks a solution of the game's positions for what is left after each move.
template <class Solution>
class MoveByMove final : public ExactSolver {
 public:
  using Game = typename Solution::Game;

  MoveByMove(const games::AnyGame& position, const Game& game, std::size_t table_bytes)
      : game_(game), solution_(table_bytes) {
    for (std::string& text : position.legal_moves()) {
      found_.push_back(position.find(text));
      moves_.push_back({std::move(text)});
    }
  }

  [[nodiscard]] bool run(Patience& patience) override {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      if (moves_[i].score) continue;
      Game after = game_;
      after.play(found_[i]);
      const auto score = solution_.score(after, patience);
      if (!score) return false;
      moves_[i].score = -*score;
    }
    return true;
  }
  [[nodiscard]] std::vector<ExactMove> moves() const override { return moves_; }
  [[nodiscard]] bool counts_points() const override { return Solution::counts_points; }

 private:
  Game game_;
  Solution solution_;
  std::vector<games::Move> found_;
  std::vector<ExactMove> moves_;
};

/// Null if the position is of another game.
template <class Solution>
std::unique_ptr<ExactSolver> solver_by(const games::AnyGame& position, std::size_t table_bytes) {
  using Boxed = games::BoxedGame<typename Solution::Game>;
  const auto* const boxed = dynamic_cast<const Boxed*>(&position);
  if (!boxed) return nullptr;
  return std::make_unique<MoveByMove<Solution>>(position, boxed->game(), table_bytes);
}

/// A solution has a type `Game`, `counts_points`, and `score`, of a position of any kind.
template <class... Solutions>
struct SolutionList {
  static constexpr std::array names{Solutions::Game::name...};
  static std::unique_ptr<ExactSolver> solver(const games::AnyGame& position,
                                             std::size_t table_bytes) {
    std::unique_ptr<ExactSolver> solver;
    static_cast<void>(((solver = solver_by<Solutions>(position, table_bytes)) || ...));
    return solver;
  }
};
using AllSolutions = SolutionList<Connect4Solution, OthelloEndgame>;

}  // namespace

std::span<const std::string_view> solved_games() { return AllSolutions::names; }

std::unique_ptr<ExactSolver> make_exact_solver(const games::AnyGame& position,
                                               std::size_t table_bytes) {
  return AllSolutions::solver(position, table_bytes);
}

}  // namespace pitboss::engine
