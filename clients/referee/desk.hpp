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

#include "clients/referee/ledger.hpp"

namespace pitboss::clients {

/// Where rounds are lent and handed in: writes the ledger on a thread of its own, in the order of
/// the calls, and as much in one transaction as has come in since the last. To be used on the one
/// thread that runs `executor`.
class Desk {
 public:
  /// So long what is to be written waits for more, unless somebody waits for the end: to bring it
  /// to the disk costs as much as to play a short game.
  static constexpr std::chrono::milliseconds gathering_time{100};

  /// The ledger, open for writing, is the desk's alone from now on.
  Desk(boost::asio::any_io_executor executor, Ledger& ledger);
  /// Writes what was given and is not written yet, if it can.
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  /// Lends a round. Does not wait.
  void claim(int match, int round);
  /// Writes an incident down. Does not wait.
  void note(Incident incident);
  /// Hands a lent round in and waits until it is on the disk. False if it was not written, since
  /// somebody else has it. Throws UserError when the ledger cannot be written; from then on all
  /// calls do.
  boost::asio::awaitable<bool> finish(PlayedRound round);
  /// Waits until everything is written that was given; nothing is given after that. Throws as
  /// `finish` does.
  boost::asio::awaitable<void> settle();

 private:
  struct Claim {
    int match;
    int round;
  };
  struct Entry {
    std::variant<std::monostate, Claim, Incident, PlayedRound> what;
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
  std::map<std::pair<int, int>, Lease> leases_;  // by match and round; the thread's
  std::vector<Entry> waiting_;
  bool is_working_ = false;
  bool is_closing_ = false;
  boost::asio::steady_timer gathering_;
  std::exception_ptr failure_;
};

}  // namespace pitboss::clients
