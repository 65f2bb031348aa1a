#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "engine/search.hpp"

namespace pitboss::server {

/// A command that takes time, run in slices.
class Job {
 public:
  virtual ~Job() = default;
  using SteadyClock = std::chrono::steady_clock;

  /// Goes on for about `slice`; `done` when `answer` can be asked. May throw as handlers do. A job
  /// that waits calls the waker that its maker has given it when it is to go on.
  [[nodiscard]] virtual engine::Progress advance(std::chrono::microseconds slice) = 0;
  /// The answer's text; may play the move found.
  [[nodiscard]] virtual std::string answer() = 0;
  /// Whether the answer comes in parts: the beginning of a success before the first slice, then the
  /// lines of each `update`, then `answer` as the last line.
  [[nodiscard]] virtual bool streams() const { return false; }
  /// After `advance`: what is due to be told, often nothing. Lines of the answer if the job
  /// streams, without the last line feed; else a text of its own, which is sent before the answer.
  [[nodiscard]] virtual std::string update() { return {}; }
  /// When `update` will next have something to tell.
  [[nodiscard]] virtual SteadyClock::time_point update_at() const {
    return SteadyClock::time_point::max();
  }
  /// Whether the job goes on until something else is asked of the session or the table.
  [[nodiscard]] virtual bool yields() const { return false; }
  /// Whether one slice is enough, and it is not a long one.
  [[nodiscard]] virtual bool is_short() const { return false; }
  /// After `done`: the job that goes on in place of this one, whose answer is not asked then.
  [[nodiscard]] virtual std::unique_ptr<Job> take_next() { return nullptr; }
  /// After `answer`: whether the job has played a move.
  [[nodiscard]] virtual bool plays() const { return false; }
  /// Asks for an early end. Any thread.
  virtual void interrupt() noexcept = 0;
  /// The search that other threads may help; null if there is none.
  [[nodiscard]] virtual std::shared_ptr<engine::Search> search() const { return nullptr; }
};

/// What a handler returns: an answer, or a job that will produce the answer.
struct Outcome {
  std::string text;
  std::unique_ptr<Job> job;
  bool plays = false;   ///< the answer completes a move of the engine (Job::plays)
  bool closes = false;  ///< the session ends after the answer

  Outcome(std::string answer = {}) : text(std::move(answer)) {}  // NOLINT(*-explicit-*): an answer
  Outcome(std::unique_ptr<Job> work) : job(std::move(work)) {}   // NOLINT(*-explicit-*): is one
};

}  // namespace pitboss::server
