#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "games/game.hpp"
#include "games/notation.hpp"

/// Moves as GUIs make them whose user clicks one point after another.
namespace pitboss::games {

/// A move and the points, at least one, that are chosen one after another to make it. Among the
/// legal moves of a position no move's steps are those of another, nor the beginning of another's.
struct SteppedMove {
  std::string move;                ///< as `text` writes it
  std::vector<std::string> steps;  ///< points; a word such as "pass" is a step by itself
};

/// A game that says itself by which points a move is chosen, where those of its text do not tell it
/// from the others: a capture that needs to say which of two men, for one.
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
