#pragma once

#include <map>
#include <utility>

#include "clients/referee/ledger/batch_writer.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// Writes a run's claims, incidents and finished rounds into the ledger as `BatchWriter` does.
class LedgerWriter {
 public:
  /// The ledger must be open for writing; nobody else may use it during this object's life.
  LedgerWriter(boost::asio::any_io_executor executor, Ledger& ledger)
      : ledger_(ledger),
        writer_(std::move(executor), [this](const auto& work) { ledger_.transact(work); }) {}

  /// Claims a round. Does not block.
  void claim(int match, int round) {
    writer_.add([this, match, round] {
      if (const auto claim = ledger_.claim(match, round)) claims_[{match, round}] = *claim;
      return true;
    });
  }
  /// Records an incident. Does not block.
  void note(Incident incident) {
    writer_.add([this, what = std::move(incident)] {
      ledger_.note(what);
      return true;
    });
  }
  /// Records the games of a claimed round; suspends until they are on the disk. Writes nothing and
  /// returns false if another referee has claimed the round since. Throws UserError if the ledger
  /// cannot be written; from then on all calls do.
  boost::asio::awaitable<bool> finish(PlayedRound round) {
    return writer_.finish([this, what = std::move(round)] {
      // It stays there, since a transaction may run again.
      const auto claim = claims_.find({what.match, what.round});
      return claim != claims_.end() && ledger_.finish(claim->second, what);
    });
  }
  /// Suspends until all entries are written. No entry may follow. Throws as `finish` does.
  boost::asio::awaitable<void> settle() { return writer_.settle(); }

 private:
  Ledger& ledger_;
  std::map<std::pair<int, int>, Claim> claims_;  // by match and round; for the writer's thread only
  BatchWriter writer_;
};

}  // namespace pitboss::clients
