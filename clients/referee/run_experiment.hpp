#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger_place.hpp"
#include "clients/referee/ledger_contents.hpp"

namespace pitboss::clients {

/// How an experiment is run; none of it changes what its games are.
struct Conduct {
  std::filesystem::path folder;
  /// Has the ledger that would be in the folder.
  std::optional<DatabasePlace> database;
  /// Of an experiment that somebody else may have described: the programs that may be started, as
  /// `text_of` writes them. Matches whose players cannot be used here are then left to other
  /// referees.
  std::optional<std::set<std::string>> programs;
  int concurrency = 8;  ///< games at once, in all and at each location
  /// Games at once at locations (as `text_of` writes them) that take fewer.
  std::map<std::string, int> capacities;
  /// Of this machine, for searches of programs that time bounds; 0: all.
  int processors = 0;
  /// How long a server that went away is looked for.
  std::chrono::milliseconds reconnect = std::chrono::seconds(10);
  /// How long a referee of an experiment in a database may show no sign of life until the others
  /// take over its rounds.
  std::chrono::milliseconds patience = std::chrono::seconds(30);
  /// Whether the games are wanted when the run has ended.
  bool wants_games = true;
  /// SIGINT ends the run when the rounds in play are finished; a second one, and SIGTERM, at once.
  bool handles_signals = false;

  /// Called on the same thread with the results so far: before the first game, after each round,
  /// and about once a second.
  std::function<void(const Results&)> on_progress = [](const Results&) {};
  /// Called on the same thread with a sentence for the user.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};

  [[nodiscard]] LedgerPlace ledger() const {
    if (database) return *database;
    return folder;
  }
};

/// As an experiment file wants it.
[[nodiscard]] Conduct conduct_of(const ExperimentFile& file);

/// How a run ended. Unless it is complete, the same command continues it.
struct RunEnd {
  enum class Kind : std::uint8_t { complete, interrupted, stopped };
  Kind kind;
  std::string why;          ///< of a run that was stopped: a sentence
  LedgerContents contents;  ///< all there is, games only if `Conduct::wants_games`
  /// The user has asked for the end, also of a run whose rounds in play were the last ones.
  bool is_asked_to_end = false;
};

/// Thrown if a ledger cannot be read any more when a run has ended; the same command continues it.
class LedgerAway : public UserError {
 public:
  using UserError::UserError;
};

/// Plays all games of the experiment that its ledger does not hold yet, many at once, on the
/// calling thread, and records them there. Blocks until all are played or the run is stopped.
///
/// If the ledger is in a database, other referees may play the experiment at the same time. Each
/// plays rounds that it has claimed, counts what the others finish, and, while they play the last
/// rounds, waits for them. While the ledger is paused no round begins. Rounds of a match whose
/// server has been gone for `reconnect` are left to the others.
///
/// An engine that goes away while its server lives on has crashed: its game is played again, and
/// lost when it crashes `max_crashes` times (server_watch.hpp). When the server itself is gone, its
/// games are played again as soon as it is back; the run stops if nothing else can be played for
/// `reconnect`, or if a server dies `max_deaths` times during one game.
///
/// What time decides while this process, the machine or an engine's program stands still counts for
/// nobody (play_game.hpp): such a game is played again, at most `max_standstills` times.
///
/// The engines of matches of which nothing is left to play are not asked, and may be gone.
///
/// Throws UserError before the first game; nothing is written then. Afterwards throws LedgerAway.
RunEnd run_experiment(const Experiment& experiment, const Conduct& conduct);
/// The same of a part, which is the experiment with fewer games of some matches: the ledger plans
/// all games, and the run is complete with those of the part. Nobody else may play meanwhile.
RunEnd run_part(const Experiment& part, const Experiment& experiment, const Conduct& conduct);

inline constexpr int max_crashes = 3;
inline constexpr int max_deaths = 50;
inline constexpr int max_standstills = 20;

}  // namespace pitboss::clients
