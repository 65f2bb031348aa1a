#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/referee/declarations.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// A game that a tuner proposed, by its proposal's number and its place in it, from 0.
using ProposedNumber = std::pair<std::int64_t, int>;

/// A proposed game that was played.
struct TunedGame {
  std::string options;  ///< what the tuner proposed, for comparison
  PlayedGame record;
};

/// What determines a tuning's games.
struct TuningConfiguration {
  std::string text;  ///< JSON, an object of objects and texts
  /// The key of a number that may be raised when a tuning goes on; empty: there is none.
  std::string growing;
};

/// The record of a tuning, `tuning.sqlite`: what determines it, its games, the incidents; made,
/// locked and checked as a referee's ledger is. Not thread-safe; all functions block on the disk
/// and throw UserError, which names the file; a failed transaction writes nothing.
class TuningLedger {
 public:
  /// Opens the ledger of a folder, or makes it. Throws UserError if the ledger has another
  /// configuration, which names the key that differs, or if the engines were others when it began.
  TuningLedger(const std::filesystem::path& folder, const TuningConfiguration& configuration,
               const Experiment& experiment, const Declarations& declared);
  ~TuningLedger();
  TuningLedger(const TuningLedger&) = delete;
  TuningLedger& operator=(const TuningLedger&) = delete;

  /// All games on record.
  [[nodiscard]] std::map<ProposedNumber, TunedGame> games() const;
  /// Runs `writes` as one transaction and blocks until it is on the disk; all or nothing.
  void transact(const std::function<void()>& writes);
  // Only within `transact`:
  void add(ProposedNumber number, const TunedGame& game);
  /// `Incident::match` and `game` are the numbers of the proposal and of the game in it.
  void note(const Incident& incident);

 private:
  std::unique_ptr<Store> store_;
};

/// The ledger's file in the folder of a tuning.
[[nodiscard]] std::filesystem::path tuning_path(const std::filesystem::path& folder);

/// Reads a tuning's ledger, which must exist, without knowing its plan, also while it is written.
/// Throws and blocks as TuningLedger does.
class TuningReader {
 public:
  explicit TuningReader(const std::filesystem::path& folder);
  ~TuningReader();
  TuningReader(const TuningReader&) = delete;
  TuningReader& operator=(const TuningReader&) = delete;

  /// See TuningConfiguration::text.
  [[nodiscard]] std::string configuration();
  /// What was proposed and what it scored.
  struct Game {
    ProposedNumber number;
    std::string options;  ///< see TunedGame::options
    int twelfths;
    bool is_forfeit;
  };
  /// All games on record, by number.
  [[nodiscard]] std::vector<Game> games();
  /// See TuningLedger::note.
  [[nodiscard]] std::vector<Incident> incidents();

 private:
  std::unique_ptr<Store> store_;
};

/// Throws UserError, which names the key that differs, if the folder has a tuning with another
/// configuration. Changes nothing.
void check_tuning(const std::filesystem::path& folder, const TuningConfiguration& configuration);

}  // namespace pitboss::clients
