#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "games/game.hpp"
#include "games/notation.hpp"

/// Moves as the points that a user of a GUI clicks one after another.
namespace pitboss::games {

/// A move and the points, at least one, that are chosen one after another to make it. Among the
/// legal moves of a position no two have the same steps, and no move's steps begin another's.
struct SteppedMove {
  std::string move;                ///< as `text` writes it
  std::vector<std::string> steps;  ///< points; a word such as "pass" is a step by itself
};

/// A game whose moves can have the same points in their texts, such as captures in two directions,
/// and which therefore defines each move's steps.
template <class G>
concept HasSteps = requires(const G game, Move move) {
  { game.steps(move) } -> std::same_as<std::vector<std::string>>;
};

template <class G>
[[nodiscard]] SteppedMove stepped(const G& game, Move move) {
  std::string text = game.text(move);
  std::vector<std::string> steps;
  if constexpr (HasSteps<G>) {
    steps = game.steps(move);
  } else {
    steps = points_of(text);
  }
  if (steps.empty()) steps.push_back(text);
  return {std::move(text), std::move(steps)};
}

}  // namespace pitboss::games
