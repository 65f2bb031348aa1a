#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/experiments/file_lock.hpp"
#include "clients/referee/declarations.hpp"
#include "clients/referee/played_game.hpp"

namespace pitboss::clients {

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

/// The record of an experiment: a SQLite file (write-ahead log, synchronous=FULL) that holds its
/// matches, the rounds claimed and finished, their games, and the incidents. Tables, CSV, JSON and
/// reports are made from it. A finished round is written in one transaction, and only with its last
/// claim: so each game is counted once, whatever process is killed when.
///
/// The tables (ledger_schema.hpp) are plain SQL; PostgreSQL understands the statements, too.
///
/// Not thread-safe: one thread at a time. All functions block on the disk and throw UserError,
/// which names the file; a failed transaction writes nothing.
class Ledger {
 public:
  /// Reads the experiment's records in `folder`, if there are any, and changes nothing. The ledger
  /// may hold fewer matches, and fewer or more rounds, than the experiment. Throws UserError if it
  /// holds other matches, is damaged or no ledger, or if there are records without a ledger.
  Ledger(const std::filesystem::path& folder, const Experiment& experiment);
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
  /// Runs `writes` as one transaction and blocks until it is on the disk; all or nothing.
  void transact(const std::function<void()>& writes);

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
  struct File;
  std::filesystem::path folder_;
  const Experiment& experiment_;
  std::vector<std::string> match_ids_;
  std::optional<FileLock> lock_;  ///< held while the ledger is open for writing
  std::unique_ptr<File> file_;    ///< null if there is no ledger

  /// Gives an older ledger the columns that it lacks.
  static void upgrade(File& file);
};

/// Seconds since 1970, the unit of all times in a ledger.
[[nodiscard]] std::int64_t now_in_seconds();

/// The ledger's file in the folder of an experiment.
[[nodiscard]] std::filesystem::path ledger_path(const std::filesystem::path& folder);

/// The experiment in a folder's ledger: its matches, with the number of games last planned. The
/// players have no location. Throws UserError.
[[nodiscard]] Experiment read_experiment(const std::filesystem::path& folder);

/// Copies the ledger of `folder`, as it is between two transactions, to `target`, which is made if
/// necessary; a referee may be at work. Then `target` is a folder as a referee leaves it. Throws
/// UserError, and leaves no copy, if `target` has a ledger or the one of `folder` is damaged.
void back_up_ledger(const std::filesystem::path& folder, const std::filesystem::path& target);

}  // namespace pitboss::clients
