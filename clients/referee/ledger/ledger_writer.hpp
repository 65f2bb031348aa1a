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

/// Writes a run's claims, incidents and finished rounds into the ledger, on a thread of its own, so
/// that games go on while the disk works. Writes in the order of the calls; what has come in since
/// the last transaction is written in one. To be used on the one thread that runs `executor`.
class LedgerWriter {
 public:
  /// An entry waits so long for others to be written with it, except after `settle`: a transaction
  /// costs as much as a short game.
  static constexpr std::chrono::milliseconds gathering_time{100};

  /// The ledger is open for writing, and used by nobody else as long as this object lives.
  LedgerWriter(boost::asio::any_io_executor executor, Ledger& ledger);
  /// Blocks until the entries that are not written yet are written, or the ledger has failed.
  ~LedgerWriter();
  LedgerWriter(const LedgerWriter&) = delete;
  LedgerWriter& operator=(const LedgerWriter&) = delete;

  /// Claims a round. Does not block.
  void claim(int match, int round);
  /// Records an incident. Does not block.
  void note(Incident incident);
  /// Records the games of a claimed round; suspends until they are on the disk. False if another
  /// referee has claimed the round since, and nothing was written. Throws UserError when the ledger
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
  std::map<std::pair<int, int>, Claim> claims_;  // by match and round; the thread's
  std::vector<Entry> waiting_;
  bool is_working_ = false;
  bool is_closing_ = false;
  boost::asio::steady_timer gathering_;
  std::exception_ptr failure_;
};

}  // namespace pitboss::clients
