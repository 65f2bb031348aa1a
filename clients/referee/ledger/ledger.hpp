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
#include "clients/referee/played_game.hpp"

namespace pitboss::clients {

/// The right to play a round and to write its games down. Each claim of a round has a higher token
/// than the one before, and `Ledger::finish` refuses all but the last: a referee that was given up
/// cannot write the round any more.
struct Claim {
  int match = 0;  ///< number in the experiment
  int round = 0;
  std::int64_t token = 0;
  std::string id;  ///< the round's in the ledger
};

/// A round that was played to its end.
struct PlayedRound {
  int match = 0;
  int round = 0;
  std::vector<PlayedGame> games;  ///< in order
  /// When its first game began and its last one ended, in seconds since 1970; 0 of older ledgers.
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

/// The record of an experiment: a SQLite file (write-ahead log, synchronous=FULL) that holds its
/// matches, the rounds claimed and finished, their games, and what failed. Tables, CSV, JSON and
/// reports are made from it. A finished round is written in one transaction, and only with the
/// last claim of it: so each game is counted once, whatever is killed when.
///
/// The tables (ledger_schema.hpp) are those of any SQL database; the statements are PostgreSQL's,
/// too.
///
/// Not thread-safe: one thread at a time. All of it blocks on the disk. Throws UserError, which
/// names the file; after a failure nothing of that transaction is written.
class Ledger {
 public:
  /// Reads what `folder` holds of the experiment, if anything, and changes nothing. The ledger may
  /// hold fewer matches, and fewer or more rounds, than the experiment. Throws UserError if it
  /// holds other matches, is damaged or no ledger, or if there are records without a ledger.
  Ledger(const std::filesystem::path& folder, const Experiment& experiment);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// The finished rounds of the experiment, by match and number.
  [[nodiscard]] std::vector<PlayedRound> played() const;
  /// A sentence for each contradiction between matches, rounds and games. Faults within games:
  /// `faults_in` (verify_games.hpp).
  [[nodiscard]] std::vector<std::string> faults() const;
  /// What the engines of each match with games said of themselves before the first of them; nothing
  /// if nobody asked then.
  [[nodiscard]] Declarations declarations() const;
  /// All incidents, in the order in which they happened.
  [[nodiscard]] std::vector<Incident> incidents() const;

  /// Creates what is missing and keeps other referees out until the end of this object's life.
  /// Claims that were left are void: their holder is gone. Must come before `transact`.
  void open_for_writing();
  /// Runs `writes` as one transaction and blocks until it is on the disk; all or nothing.
  void transact(const std::function<void()>& writes);

  // Only within `transact`:

  /// Claims a round; nothing if it is finished.
  [[nodiscard]] std::optional<Claim> claim(int match, int round);
  /// Takes the games and times of a round; false, and nothing is written, if the claim is not the
  /// last.
  bool finish(const Claim& claim, const PlayedRound& played);
  /// Appends an incident.
  void note(const Incident& incident);
  /// Sets what engines say of themselves, for matches that have no games yet.
  void note(const Declarations& declared);
  /// Sets it for all matches, and deletes what was there.
  void replace(const Declarations& declared);

 private:
  struct File;
  std::filesystem::path folder_;
  const Experiment& experiment_;
  std::vector<std::string> match_ids_;
  std::unique_ptr<File> file_;  ///< none if there is none
  int lock_ = -1;

  /// Gives an older ledger the columns that it lacks.
  static void upgrade(File& file);
};

/// Seconds since 1970, as a ledger tells times.
[[nodiscard]] std::int64_t now_in_seconds();

/// The ledger's file in the folder of an experiment.
[[nodiscard]] std::filesystem::path ledger_path(const std::filesystem::path& folder);

/// The experiment that a folder's ledger holds: its matches, with the number of games last planned.
/// Where its players are is not known. Throws UserError.
[[nodiscard]] Experiment read_experiment(const std::filesystem::path& folder);

}  // namespace pitboss::clients
