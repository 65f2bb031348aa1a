#include "engine/exact/exact_solver.hpp"

#include <algorithm>
#include <utility>

#include "engine/exact/connect4_solution.hpp"
#include "engine/exact/othello_endgame.hpp"
#include "games/boxed_game.hpp"

namespace pitboss::engine {

namespace {

/// Asks a solver of the game's positions for what is left after each move.
template <games::Game G, class Solution, bool CountsPoints>
class MoveByMove final : public ExactSolver {
 public:
  MoveByMove(const games::AnyGame& position, const G& game, std::size_t table_bytes)
      : game_(game), solution_(table_bytes) {
    for (std::string& text : position.legal_moves()) {
      found_.push_back(position.find(text));
      moves_.push_back({std::move(text)});
    }
  }

  [[nodiscard]] bool run(Patience& patience) override {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      if (moves_[i].score) continue;
      G after = game_;
      after.play(found_[i]);
      const auto score = score_of(after, patience);
      if (!score) return false;
      moves_[i].score = -*score;
    }
    return true;
  }
  [[nodiscard]] std::vector<ExactMove> moves() const override { return moves_; }
  [[nodiscard]] bool counts_points() const override { return CountsPoints; }

 private:
  /// For the side to move, which in a game that is over would be to move.
  [[nodiscard]] std::optional<int> score_of(const G& position, Patience& patience) {
    if constexpr (!CountsPoints) {
      const games::Result result = position.result();
      if (result.finished()) return result.shared() ? 0 : -1;  // who has moved last has won
    }
    return solution_.score(position, patience);
  }

  G game_;
  Solution solution_;
  std::vector<games::Move> found_;
  std::vector<ExactMove> moves_;
};

template <games::Game G>
const games::BoxedGame<G>* boxed(const games::AnyGame& position) {
  return dynamic_cast<const games::BoxedGame<G>*>(&position);
}

template <games::Game G, class Solution, bool CountsPoints>
std::unique_ptr<ExactSolver> solver_of(const games::AnyGame& position, std::size_t table_bytes) {
  const auto* const known = boxed<G>(position);
  if (!known) return nullptr;
  return std::make_unique<MoveByMove<G, Solution, CountsPoints>>(position, known->game(),
                                                                 table_bytes);
}

}  // namespace

bool has_exact_solver(const games::AnyGame& position) {
  return boxed<games::Connect4>(position) || boxed<games::Othello>(position);
}

std::unique_ptr<ExactSolver> make_exact_solver(const games::AnyGame& position,
                                               std::size_t table_bytes) {
  auto solver = solver_of<games::Connect4, Connect4Solution, false>(position, table_bytes);
  if (!solver) solver = solver_of<games::Othello, OthelloEndgame, true>(position, table_bytes);
  return solver;
}

}  // namespace pitboss::engine
