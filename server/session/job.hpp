#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "engine/search/search.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::server {

class Watch;

/// A command that takes time, run in slices.
class Job {
 public:
  virtual ~Job() = default;
  using SteadyClock = environment::AwakeClock;

  /// Runs for about `slice`; `done` when `answer` may be called. May throw as handlers do. A job
  /// that has answered `waiting` calls its waker, which its maker has given it, when it can go on.
  [[nodiscard]] virtual engine::Progress run(std::chrono::microseconds slice) = 0;
  /// The answer's text; may play the move found.
  [[nodiscard]] virtual std::string answer() = 0;
  /// Whether the answer comes in parts: the beginning of a success before the first slice, then the
  /// lines of each `update`, then `answer` as the last line.
  [[nodiscard]] virtual bool streams() const { return false; }
  /// After `run`: the text that is due, often none. If the job streams, lines of the answer
  /// without the last line feed; else a separate text, which is sent before the answer.
  [[nodiscard]] virtual std::string update() { return {}; }
  /// When `update` will next have a text.
  [[nodiscard]] virtual SteadyClock::time_point update_at() const {
    return SteadyClock::time_point::max();
  }
  /// Whether the job goes on until the session or the table is asked something else.
  [[nodiscard]] virtual bool yields() const { return false; }
  /// Whether the job needs only one slice, and a short one.
  [[nodiscard]] virtual bool is_short() const { return false; }
  /// After `done`: the job that replaces this one, whose `answer` is then not called; null if none.
  [[nodiscard]] virtual std::unique_ptr<Job> take_next() { return nullptr; }
  /// After `answer`: whether the job has played a move.
  [[nodiscard]] virtual bool plays() const { return false; }
  /// Asks for an early end. Any thread.
  virtual void interrupt() noexcept = 0;
  /// The search with which the next slice begins, which other threads may help; or null.
  [[nodiscard]] virtual std::shared_ptr<engine::Search> search() const { return nullptr; }
};

/// What a handler returns: an answer, or a job that will produce the answer.
struct Outcome {
  std::string text;
  std::unique_ptr<Job> job;
  bool plays = false;              ///< the answer completes a move of the engine (Job::plays)
  bool closes = false;             ///< the session ends after the answer
  std::shared_ptr<Watch> watch{};  ///< the session is told of its table until its next line

  Outcome(std::string answer = {}) : text(std::move(answer)) {}  // NOLINT(*-explicit-*): an answer
  Outcome(std::unique_ptr<Job> its) : job(std::move(its)) {}     // NOLINT(*-explicit-*): is one
};

}  // namespace pitboss::server
