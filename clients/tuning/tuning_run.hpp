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

/// How the games of a tuning ended. Unless it is complete, the same command continues it.
struct TuningEnd {
  RunEnd::Kind kind;
  std::string why;  ///< of a run that was stopped: a sentence
  /// Why there is no answer, and will be none: engines broke down. Empty if there is, or may be.
  std::string no_result;
  std::int64_t games = 0;
  Values answer;
  std::vector<std::string> remarks;
};

/// Plays the games of a tuning that the folder does not hold yet, many at once, on the calling
/// thread, and records them there. Crashes, and servers that go away, are handled as in
/// `run_experiment`. Proposals, games and answer do not depend on `Conduct::concurrency`, nor on
/// what is killed when. It ends early if a player loses all games by breakdowns. `on_progress` is
/// called on the same thread, about once a second. `before_games` is called once with the games on
/// record, before any is played. Throws UserError before the first game; nothing is written then.
TuningEnd run_tuning(const PlannedTuning& plan, const Conduct& conduct,
                     const std::function<void(std::int64_t)>& before_games,
                     const std::function<void(const TuningProgress&)>& on_progress);

}  // namespace pitboss::clients
