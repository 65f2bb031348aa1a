#pragma once

#include <map>
#include <utility>
#include <vector>

#include "clients/referee/ledger/batch_writer.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// Writes a run's questions, incidents and finished rounds into the ledger as `BatchWriter` does.
class LedgerWriter {
 public:
  /// The ledger must be open for writing; nobody else may use it during this object's life.
  LedgerWriter(boost::asio::any_io_executor executor, Ledger& ledger)
      : ledger_(ledger),
        writer_(std::move(executor), [this](const auto& work) { ledger_.transact(work); }) {}

  /// Asks the ledger what others do, and claims rounds (`Ledger::ask`). Throws as `finish` does.
  /// The requests must live until then.
  boost::asio::awaitable<News> ask(const std::vector<Request>& requests) {
    News news;
    const BatchWriter::Write write = [this, &news, &requests] {
      news = ledger_.ask(requests);
      for (const Claim& claim : news.claims) claims_[{claim.match, claim.round}] = claim;
      return true;
    };
    co_await writer_.finish(write);
    co_return news;
  }
  /// Gives claimed rounds back, by match and round. Does not block.
  void give_back(std::vector<std::pair<int, int>> rounds) {
    writer_.add([this, rounds = std::move(rounds)] {
      for (const auto& round : rounds) ledger_.give_back(claims_.at(round));
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
  /// The entries so far wait for no others.
  void hurry() { writer_.hurry(); }
  /// Suspends until all entries are written. No entry may follow. Throws as `finish` does.
  boost::asio::awaitable<void> settle() { return writer_.settle(); }

 private:
  Ledger& ledger_;
  std::map<std::pair<int, int>, Claim> claims_;  // by match and round; for the writer's thread only
  BatchWriter writer_;
};

}  // namespace pitboss::clients
