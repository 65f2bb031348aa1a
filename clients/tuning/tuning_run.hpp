#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "clients/referee/run_experiment.hpp"
#include "clients/tuning/tuning_file.hpp"

namespace pitboss::clients {

struct TuningProgress {
  std::int64_t games = 0;  ///< on record
  std::int64_t of = 0;     ///< at most
  Values answer;           ///< so far
};

/// A proposed game that was played: the options of both sides, "k=0.1 alpha=2" (empty: an opponent,
/// which is not tuned), and the first side's share of the point.
struct TriedGame {
  std::string options;
  std::string against;
  double share;
};

/// How the games of a tuning ended. Unless it is complete, the same command continues it.
struct TuningEnd {
  RunEnd::Kind kind;
  std::string why;  ///< of a run that was stopped: a sentence
  std::int64_t games = 0;
  Values answer;
  std::vector<std::string> remarks;
  std::vector<TriedGame> games_tried;  ///< in the order in which they were proposed
};

/// Plays the games of a tuning that the folder does not hold yet, many at once, on the calling
/// thread, and records them there. Crashes, and servers that go away, are handled as in
/// `run_experiment`. Proposals, games and answer do not depend on `Conduct::concurrency`, nor on
/// what is killed when. `on_progress` is called on the same thread, about once a second.
/// `before_games` is called once with the games on record, before any is played.
/// Throws UserError before the first game; nothing is written then.
TuningEnd run_tuning(const PlannedTuning& plan, const Conduct& conduct,
                     const std::function<void(std::int64_t)>& before_games,
                     const std::function<void(const TuningProgress&)>& on_progress);

}  // namespace pitboss::clients
