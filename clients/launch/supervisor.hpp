#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace pitboss::clients {

class ChildProgram;

/// A program that plays an experiment. It ends with 0 when the experiment is finished, 2 when it
/// refuses to play, and something else when it has failed.
struct Charge {
  std::string name;  ///< for the user: "worker 1", "host b"
  std::vector<std::string> command;
  /// It runs `pitboss launch local --attended` on another machine through ssh. Such a program is
  /// told by words on its standard input what signals tell others, and what it writes is shown.
  bool is_remote = false;
};

/// Keeps programs running until the experiment is finished: starts those again that fail, and tries
/// hosts again that do not answer. For the one thread that runs `io`.
///
/// No program outlives this process: each has a guard (child_program.hpp), and a remote one that
/// hears no word for a while ends by itself (attendance.hpp).
class Supervisor {
 public:
  using Milliseconds = std::chrono::milliseconds;

  Supervisor(boost::asio::io_context& io, const std::vector<Charge>& charges,
             std::function<void(const std::string&)> on_note);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// Starts all programs. `on_end` is called when none runs and none will be started again.
  void start(std::function<void()> on_end);
  /// Has the programs finish the rounds in play and end. After `limit` they drop them.
  void drain(Milliseconds limit = Milliseconds::max());
  /// Has them give up the rounds in play and end, within 15 seconds.
  void drop();

  [[nodiscard]] bool is_finished() const { return is_finished_; }
  /// Why programs do not play that have refused or given up, and those of hosts that are missing: a
  /// sentence each.
  [[nodiscard]] std::vector<std::string> refusals() const;

 private:
  struct Kept;
  struct Attempt;

  boost::asio::awaitable<void> keep(Kept& one);
  boost::asio::awaitable<Attempt> attempt(Kept& one);
  boost::asio::awaitable<void> read(Kept& one);
  boost::asio::awaitable<void> pause(Kept& one, Milliseconds duration) const;
  boost::asio::awaitable<void> speak();
  void miss(Kept& one, const std::string& why);
  void refuse(Kept& one, const std::string& why);
  [[nodiscard]] bool nobody_plays() const;
  void finish();
  void end_after(Milliseconds limit, void (Supervisor::*end)());
  void close_all();
  static void tell(Kept& one, std::string_view word);

  boost::asio::io_context& io_;
  std::list<Kept> kept_;
  std::function<void(const std::string&)> on_note_;
  std::function<void()> on_end_;
  boost::asio::steady_timer limit_;
  boost::asio::steady_timer words_;  ///< until the next one for remote programs
  std::size_t running_ = 0;          ///< coroutines that keep a program
  bool is_finished_ = false;
  bool is_ending_ = false;
  bool is_dropping_ = false;
};

}  // namespace pitboss::clients
