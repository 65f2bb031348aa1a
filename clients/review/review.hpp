#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "clients/review/finding.hpp"
#include "clients/review/game_files.hpp"
#include "clients/review/judgement.hpp"

/// Games, what searches have found in their positions, and what follows for their moves.
namespace pitboss::clients {

/// A game with what was found. Of n moves it has n + 1 positions.
struct ReviewedGame {
  GameOnFile game;
  std::string rules;
  std::vector<std::string> positions;
  std::vector<int> movers;               ///< the colour of each move
  std::vector<const Finding*> findings;  ///< of each position; null where the game is over
  std::vector<PositionValues> values;    ///< of each position; at the end what each colour has got
  std::vector<MoveVerdict> verdicts;     ///< of each move

  /// Whether somebody would know another move than the one with this number, from 0.
  [[nodiscard]] bool has_better(std::size_t move) const {
    return verdicts[move].is_mistake || verdicts[move].is_turning_point;
  }
};

/// The positions of games that are to be searched, each once, in the order in which they occur:
/// all but those in which a game is over.
[[nodiscard]] std::vector<GamePosition> questions_of(std::span<const GameOnFile> games);

/// The games of which all positions have been found; they point to `findings`.
[[nodiscard]] std::vector<ReviewedGame> reviewed(std::vector<GameOnFile> games,
                                                 const std::map<GamePosition, Finding>& findings,
                                                 const Thresholds& thresholds);

}  // namespace pitboss::clients
