#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace pitboss::server {

/// Catches SIGTERM and SIGINT, on a thread of its own: the first stops, the second ends the process
/// at once, with the exit code that shells give for the signal. If asked to, catches SIGHUP, too,
/// which else ends the process. To be made before any other thread, which inherit that they do not
/// get these signals.
class Signals {
 public:
  explicit Signals(bool catches_hangup = false);
  /// Waits for `on_hangup` if that is at work.
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// From now on. Once. `on_hangup` may take as long as it likes, on another thread: other signals
  /// do not wait for it, and all that ask for it meanwhile are one.
  void call(
      std::function<void()> on_stop, std::function<void()> on_hangup = [] {});
  /// Calls neither any more; false if `on_hangup` is at work, which nobody can end. A second signal
  /// that stops still ends the process.
  [[nodiscard]] bool end();

 private:
  void watch(const std::stop_token& ended);
  void stop(int signal);
  void hang_up(const std::stop_token& ended);

  bool catches_hangup_;
  std::function<void()> on_stop_;
  std::function<void()> on_hangup_;
  int stops_ = 0;  ///< signals that stop

  std::mutex mutex_;  ///< guards what follows
  std::condition_variable_any hung_up_;
  bool has_hung_up_ = false;  ///< SIGHUP came, and `on_hangup` has not begun since
  bool is_busy_ = false;      ///< with `on_hangup`
  bool is_over_ = false;      ///< nothing is called any more

  std::jthread hangups_;
  std::jthread signals_;
};

}  // namespace pitboss::server
