#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <thread>

namespace pitboss::clients {

/// Exit codes of commands that ended before their work was done.
constexpr int exit_stopped = 1;        ///< by a rule or a failure of its own
constexpr int exit_interrupted = 130;  ///< by SIGINT or SIGTERM

/// A flag that SIGINT and SIGTERM set, for work that checks it and soon ends; a second signal ends
/// the process. A run of games may wait for them at the same time (boost::asio::signal_set). The
/// destructor restores the signals' default action.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  [[nodiscard]] const std::atomic<bool>& flag() const { return flag_; }
  /// Sets the flag, as a signal does. Any thread may call it.
  void set() { flag_ = true; }

 private:
  std::atomic<bool> flag_ = false;
  boost::asio::io_context io_;
  boost::asio::signal_set signals_;
  std::thread thread_;  ///< that hears the signals
};

}  // namespace pitboss::clients
