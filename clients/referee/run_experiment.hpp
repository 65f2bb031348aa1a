#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "clients/experiment/experiment.hpp"
#include "clients/referee/recorded.hpp"

namespace pitboss::clients {

/// How an experiment is run; none of it changes what its games are.
struct Conduct {
  std::filesystem::path folder;
  int concurrency = 8;                ///< games at once, in all and at each place
  std::map<std::string, int> limits;  ///< games at once, of places (as `text_of` writes them)
  /// How long a server that went away is looked for.
  std::chrono::milliseconds reconnect = std::chrono::seconds(10);
  /// SIGINT ends the run when the rounds in play are finished; a second one, and SIGTERM, at once.
  bool handles_signals = false;

  /// Called with what is recorded: before the first game, after each round, and about once a
  /// second.
  std::function<void(const Results&)> on_progress = [](const Results&) {};
  /// A sentence for whoever watches.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
};

/// How a run ended. Unless it is complete, the same command continues it.
struct RunEnd {
  enum class Kind : std::uint8_t { complete, interrupted, stopped };
  Kind kind;
  std::string why;    ///< of a run that was stopped: a sentence
  Recorded recorded;  ///< all there is
};

/// Plays what the folder's ledger does not hold yet of the experiment, many games at once on this
/// thread, and records it there; blocks until then.
///
/// An engine that goes away while its server lives on has crashed: its game is played again, and
/// lost when it crashes `max_crashes` times (blame.hpp). When the server itself is gone, its games
/// are played again as soon as it is back; the run stops if nothing else can be played for
/// `reconnect`, or if a server dies `max_deaths` times during one game.
///
/// Throws UserError before the first game; nothing is written then.
RunEnd run_experiment(const Experiment& experiment, const Conduct& conduct);

inline constexpr int max_crashes = 3;
inline constexpr int max_deaths = 50;

}  // namespace pitboss::clients
