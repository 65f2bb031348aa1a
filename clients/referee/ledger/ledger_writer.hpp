#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// Writes a run's claims, incidents and finished rounds into the ledger on a thread of its own, so
/// that games go on while the disk works. Writes in the order of the calls; one transaction takes
/// all entries since the last one. To be used on the one thread that runs `executor`.
class LedgerWriter {
 public:
  /// How long an entry waits for others to share its transaction, which costs as much as a short
  /// game; no entry waits after `settle`.
  static constexpr std::chrono::milliseconds gathering_time{100};

  /// The ledger must be open for writing; nobody else may use it during this object's life.
  LedgerWriter(boost::asio::any_io_executor executor, Ledger& ledger);
  /// Blocks until all entries are written, or the ledger has failed.
  ~LedgerWriter();
  LedgerWriter(const LedgerWriter&) = delete;
  LedgerWriter& operator=(const LedgerWriter&) = delete;

  /// Claims a round. Does not block.
  void claim(int match, int round);
  /// Records an incident. Does not block.
  void note(Incident incident);
  /// Records the games of a claimed round; suspends until they are on the disk. Writes nothing and
  /// returns false if another referee has claimed the round since. Throws UserError if the ledger
  /// cannot be written; from then on all calls do.
  boost::asio::awaitable<bool> finish(PlayedRound round);
  /// Suspends until all entries are written. No entry may follow. Throws as `finish` does.
  boost::asio::awaitable<void> settle();

 private:
  struct NewRound {
    int match;
    int round;
  };
  struct Entry {
    std::variant<std::monostate, NewRound, Incident, PlayedRound> what;
    bool* is_written = nullptr;
    boost::asio::steady_timer* done = nullptr;
  };

  boost::asio::awaitable<bool> wait_for(Entry entry);
  void add(Entry entry);
  boost::asio::awaitable<void> work();
  void write(std::vector<Entry>& batch);
  bool write(Entry& entry);

  boost::asio::any_io_executor executor_;
  boost::asio::thread_pool thread_{1};
  Ledger& ledger_;
  std::map<std::pair<int, int>, Claim> claims_;  // by match and round; for `thread_` only
  std::vector<Entry> waiting_;
  bool is_working_ = false;
  bool is_closing_ = false;
  boost::asio::steady_timer gathering_;
  std::exception_ptr failure_;
};

}  // namespace pitboss::clients
