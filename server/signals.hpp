#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace pitboss::server {

/// Catches SIGTERM and SIGINT, on a thread of its own: the first stops, the second ends the process
/// at once, with the exit code that shells give for the signal. With `catches_hangup` it also
/// catches SIGHUP, which otherwise ends the process. Must be made before any other thread starts,
/// since threads inherit that these signals are blocked.
class Signals {
 public:
  explicit Signals(bool catches_hangup = false);
  /// Waits for `on_hangup` if it is running.
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Starts to call these functions. To be called once. `on_hangup` may take long: it has its own
  /// thread, other signals do not wait for it, and all SIGHUPs that arrive meanwhile count as one.
  void call(
      std::function<void()> on_stop, std::function<void()> on_hangup = [] {});
  /// Stops calling either function; false if `on_hangup` is running, which cannot be ended. A
  /// second SIGTERM or SIGINT still ends the process.
  [[nodiscard]] bool end();
  /// The signal that stopped; 0 if none has.
  [[nodiscard]] int stopped_by() const { return stopped_by_; }

 private:
  void watch(const std::stop_token& ended);
  void stop(int signal);
  void hang_up(const std::stop_token& ended);

  bool catches_hangup_;
  std::function<void()> on_stop_;
  std::function<void()> on_hangup_;
  std::atomic<int> stopped_by_ = 0;

  std::mutex mutex_;  ///< guards what follows
  std::condition_variable_any hung_up_;
  bool has_hung_up_ = false;  ///< SIGHUP came, and `on_hangup` has not begun since
  bool is_busy_ = false;      ///< `on_hangup` is running
  bool is_over_ = false;      ///< nothing is called any more

  std::jthread hangups_;
  std::jthread signals_;
};

}  // namespace pitboss::server
