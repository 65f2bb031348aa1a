#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <vector>

namespace pitboss::clients {

/// Writes entries into a database on a thread of its own, so that games go on while the disk works.
/// Writes in the order of the calls; one transaction takes all entries since the last one. To be
/// used on the one thread that runs `executor`.
class BatchWriter {
 public:
  /// Writes an entry, on the writer's thread; false if it was refused. Must stay callable, also
  /// more than once, until all entries are written.
  using Write = std::function<bool()>;
  /// Runs work as one transaction and blocks until it is on the disk; all or nothing. Work that
  /// did not count may run again.
  using Transact = std::function<void(const std::function<void()>& work)>;

  /// How long an entry waits for others to share its transaction, which costs as much as a short
  /// game; no entry waits after `settle`.
  static constexpr std::chrono::milliseconds gathering_time{100};

  BatchWriter(boost::asio::any_io_executor executor, Transact transact);
  /// Blocks until all entries are written, or writing has failed.
  ~BatchWriter();
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  /// Does not block.
  void add(Write write) { add(Entry{std::move(write)}); }
  /// Suspends until the entry is on the disk; returns what it returned. Throws what `transact`
  /// throws; from then on all calls do.
  boost::asio::awaitable<bool> finish(Write write);
  /// The entries so far wait for no others.
  void hurry() {
    is_in_haste_ = true;
    gathering_.cancel();
  }
  /// Suspends until all entries are written. No entry may follow. Throws as `finish` does.
  boost::asio::awaitable<void> settle();

 private:
  struct Entry {
    Write write;
    bool* is_written = nullptr;
    boost::asio::steady_timer* done = nullptr;
  };
  void add(Entry entry);
  boost::asio::awaitable<void> work();
  void write(std::vector<Entry>& batch);

  boost::asio::any_io_executor executor_;
  boost::asio::thread_pool thread_{1};
  Transact transact_;
  std::vector<Entry> waiting_;
  bool is_working_ = false;
  bool is_in_haste_ = false;
  bool is_closing_ = false;
  boost::asio::steady_timer gathering_;
  std::exception_ptr failure_;
};

}  // namespace pitboss::clients
