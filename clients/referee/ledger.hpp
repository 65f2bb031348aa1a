#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clients/experiment/experiment.hpp"
#include "clients/referee/declarations.hpp"
#include "clients/referee/game_record.hpp"

namespace pitboss::clients {

/// A round lent to whoever plays it. Each loan of a round has a higher token than the one before,
/// so that a holder who was given up cannot hand in any more.
struct Lease {
  int match = 0;  ///< number in the experiment
  int round = 0;
  std::int64_t token = 0;
  std::string id;  ///< the round's in the ledger
};

/// A round that was played to its end.
struct PlayedRound {
  int match = 0;
  int round = 0;
  std::vector<GameRecord> games;  ///< in order
};

/// A failure of an engine or a server, whether it cost a game or the game was played again.
struct Incident {
  int match = 0;
  int game = 0;  ///< as in GameRecord: from 1
  std::string player;
  std::string place;  ///< where its engine was
  std::string reason;
  bool is_loss = false;
  std::string excerpt;    ///< see Engine::excerpt
  std::int64_t when = 0;  ///< seconds since 1970
};

/// THE record of an experiment: a SQLite file (write-ahead log, synchronous=FULL) that holds its
/// matches, the rounds lent and finished, their games, and what failed. Tables, CSV, JSON and
/// reports are made from it. A finished round is written in one transaction, and only by the holder
/// of its lease: so each game is counted once, whatever is killed when.
///
/// The tables (ledger_schema.hpp) are those of any SQL database; the statements are PostgreSQL's,
/// too.
///
/// Not thread-safe. Failures are UserErrors that name the file; what was to be written then is not.
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
  /// What does not fit together between matches, rounds and games, a sentence each. (What is wrong
  /// within games, `faults_in` tells.)
  [[nodiscard]] std::vector<std::string> faults() const;
  /// What the engines of each match with games said of themselves before the first of them; nothing
  /// if nobody asked then.
  [[nodiscard]] Declarations declarations() const;
  /// All incidents, in the order in which they happened.
  [[nodiscard]] std::vector<Incident> incidents() const;

  /// Creates what is missing and keeps other referees out until the end of this object's life.
  /// Leases that were left are void: their holder is gone. Must come before `transact`.
  void open_for_writing();
  /// Does all that `writes` asks for, and waits until it is on the disk; all or nothing.
  void transact(const std::function<void()>& writes);

  // Only within `transact`:

  /// Lends a round; nothing if it is finished.
  [[nodiscard]] std::optional<Lease> claim(int match, int round);
  /// Takes the games of a round; false, and nothing is written, if the lease is not valid any more.
  bool finish(const Lease& lease, std::span<const GameRecord> games);
  void note(const Incident& incident);
  /// Notes what engines say of themselves, of matches that have no games yet.
  void note(const Declarations& declared);
  /// Writes what is known of the engines of each match, and forgets all else of them.
  void replace(const Declarations& declared);

 private:
  struct File;
  std::filesystem::path folder_;
  const Experiment& experiment_;
  std::vector<std::string> match_ids_;
  std::unique_ptr<File> file_;  ///< none if there is none
  int lock_ = -1;
};

/// The ledger's file in the folder of an experiment.
[[nodiscard]] std::filesystem::path ledger_path(const std::filesystem::path& folder);

/// The experiment that a folder's ledger holds: its matches, with the number of games last planned.
/// Where its players are is not known. Throws UserError.
[[nodiscard]] Experiment read_experiment(const std::filesystem::path& folder);

}  // namespace pitboss::clients
