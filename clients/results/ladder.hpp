#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/referee/results.hpp"
#include "clients/results/document/document.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

/// A player of a ladder (clients/experiments/ladder.hpp).
struct Rung {
  int player = 0;  ///< in the tournament
  std::string value;
  std::optional<double> doublings;  ///< above the first rung, if all values are numbers above 0
};

struct Ladder {
  std::string player;       ///< what the rungs' names begin with
  std::string option;       ///< in which they differ
  std::vector<Rung> rungs;  ///< numbers rise, words in order of appearance
};

/// The ladders at a game, whose players have ratings of one scale.
struct GameLadders {
  Tournament tournament;
  std::vector<Ladder> ladders;  ///< at least one
};

/// The ladders in an experiment: players called NAME-VALUE who differ in the value of one option
/// alone, each of whom meets the next.
[[nodiscard]] std::vector<GameLadders> ladders_in(const Results& results);

/// In which share of positions players choose a move that loses what the position is worth, by the
/// title of the tournament and the player.
using TruthErrors = std::map<std::pair<std::string, std::string>, Cell>;

/// What a doubling is worth on each ladder, in all and in its first and last half, and for each
/// game and option the ratings by value; for programs the tables `ladders` and `rungs`.
[[nodiscard]] Section ladders_section(const std::vector<GameLadders>& games,
                                      const TruthErrors& errors = {});

}  // namespace pitboss::clients
