#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/declarations.hpp"
#include "clients/referee/ledger/ledger_place.hpp"
#include "clients/referee/played_game.hpp"

namespace pitboss::clients {

class Store;

/// The right to play a round and to write its games down. Each claim of a round has a higher token
/// than the one before, and `Ledger::finish` accepts only the last claim: a referee that was given
/// up for dead cannot write the round.
struct Claim {
  int match = 0;  ///< number in the experiment
  int round = 0;
  std::int64_t token = 0;
  std::string id;  ///< the round's id in the ledger
};

/// A round that was played to its end.
struct PlayedRound {
  int match = 0;
  int round = 0;
  std::vector<PlayedGame> games;  ///< in order
  /// When the first game began and the last one ended, in seconds since 1970; 0 in older ledgers.
  std::int64_t begun = 0;
  std::int64_t ended = 0;
};

/// A failure of an engine or a server, whether it cost a game or the game was played again.
struct Incident {
  int match = 0;
  int game = 0;  ///< as in PlayedGame: from 1
  std::string player;
  std::string location;  ///< of its engine
  std::string reason;
  bool is_loss = false;
  std::string excerpt;    ///< see Engine::excerpt
  std::int64_t when = 0;  ///< seconds since 1970
};

/// The record of an experiment, in a SQLite file or in a PostgreSQL database: its matches, the
/// rounds claimed and finished, their games, and the incidents. Tables, CSV, JSON and reports are
/// made from it. A finished round is written in one transaction, and only with its last claim: so
/// each game is counted once, whatever process is killed when.
///
/// Not thread-safe: one thread at a time. All functions block on the disk or the database and throw
/// UserError, which names the place; a failed transaction writes nothing.
class Ledger {
 public:
  /// Reads the experiment's records, if there are any, and changes nothing. The ledger may hold
  /// fewer matches, and fewer or more rounds, than the experiment. Throws UserError if it holds
  /// other matches, is damaged or no ledger, or if there are records without a ledger; for a
  /// database also if it cannot be reached.
  Ledger(const LedgerPlace& place, const Experiment& experiment);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// The finished rounds of the experiment, by match and number.
  [[nodiscard]] std::vector<PlayedRound> played() const;
  /// A sentence for each contradiction between matches, rounds and games. `faults_in`
  /// (verify_games.hpp) finds faults within games.
  [[nodiscard]] std::vector<std::string> faults() const;
  /// What the engines of each match with games said of themselves before the first game; nothing if
  /// nobody asked then.
  [[nodiscard]] Declarations declarations() const;
  /// All incidents, in the order in which they happened.
  [[nodiscard]] std::vector<Incident> incidents() const;

  /// Creates the ledger if necessary and keeps other referees out until this object is destroyed.
  /// Voids existing claims, whose holders are gone. Must come before `transact`.
  void open_for_writing();
  /// Runs `writes` as one transaction and blocks until it is on the disk; all or nothing. A
  /// database that goes away is waited for, up to ten minutes; then `writes` may run more than
  /// once, and counts once.
  void transact(const std::function<void()>& writes);
  /// `tell` is called with a sentence, within the other calls, when a database has gone away and
  /// when it is back.
  void on_outage(std::function<void(const std::string&)> tell);
  /// From now on a database that has gone away is a failure. May be called from another thread.
  void stop_waiting();

  // Only within `transact`:

  /// Claims a round; nothing if it is finished.
  [[nodiscard]] std::optional<Claim> claim(int match, int round);
  /// Records the games and times of a round. Writes nothing and returns false if the claim is not
  /// the last.
  bool finish(const Claim& claim, const PlayedRound& played);
  /// Appends an incident.
  void note(const Incident& incident);
  /// Sets the engines' declarations for matches that have no games yet.
  void note(const Declarations& declared);
  /// Sets the declarations of all matches and deletes the existing ones.
  void replace(const Declarations& declared);

 private:
  /// Gives an older ledger the columns that it lacks.
  void upgrade();

  LedgerPlace place_;
  const Experiment& experiment_;
  std::vector<std::string> match_ids_;
  std::unique_ptr<Store> store_;
  int format_ = 0;  ///< 0: there is no ledger yet
};

/// Seconds since 1970, the unit of all times in a ledger.
[[nodiscard]] std::int64_t now_in_seconds();

/// The ledger's file in the folder of an experiment.
[[nodiscard]] std::filesystem::path ledger_path(const std::filesystem::path& folder);

/// The place that a text names and that has a ledger; the name in a database may be left out if
/// there is only one. Throws UserError.
[[nodiscard]] LedgerPlace existing_place(const std::string& text);

/// Whether there is a ledger. Throws UserError for a database that cannot be reached.
[[nodiscard]] bool has_ledger(const LedgerPlace& place);

/// The experiment in a ledger: its matches, with the number of games last planned. The players have
/// no location. Throws UserError.
[[nodiscard]] Experiment read_experiment(const LedgerPlace& place);

}  // namespace pitboss::clients
