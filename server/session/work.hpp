#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "protocol/failure_code.hpp"
#include "protocol/limit.hpp"
#include "server/session/job.hpp"

namespace pitboss::server {

/// How a session writes its answers.
struct AnswerForm {
  std::string id;            ///< of the command
  bool tells_codes = false;  ///< failures begin with their code

  [[nodiscard]] std::string success(std::string_view text) const;
  [[nodiscard]] std::string failure(protocol::FailureCode code, std::string_view sentence) const;
  /// A failure's text, without the frame.
  [[nodiscard]] std::string sentence(protocol::FailureCode code, std::string_view what) const;
};

/// Runs `action`; what it throws because of the client is given to `on_failure` as a code and a
/// sentence, and told to `on_limit` (if there is one) if a limit refuses.
void run_or_fail(const std::function<void(protocol::Limit)>& on_limit,
                 const std::function<void()>& action,
                 const std::function<void(protocol::FailureCode, std::string_view)>& on_failure);

/// A command that takes time: a job at work, and its answer as the client is to read it. The
/// session makes it (`Session::handle`); then one thread at a time runs it, any thread.
class Work {
 public:
  Work(std::unique_ptr<Job> job, AnswerForm form, std::function<void(protocol::Limit)> on_limit);

  /// Goes on for about `slice`. Adds to `take_text` the answer when it ends, and before that what
  /// the job has to tell meanwhile, if `updates` are wanted. `waiting`: there is nothing to do
  /// before the session's waker is called (SessionConfig), or the time has come. Throws
  /// std::bad_alloc.
  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice, bool updates = true);
  /// Text for the client that has not been taken yet. To be called as `run`.
  [[nodiscard]] std::string take_text() { return std::exchange(text_, {}); }

  /// Ends the command as soon as it can; a search answers with the best move so far. Any thread,
  /// any time; nothing happens when the command has ended.
  void interrupt() noexcept;
  /// As `interrupt`, but nobody wants the answer any more: a search's move is not played.
  void abandon() noexcept;

  // Before the first slice.

  /// Whether the command goes on until something else is asked: any line, however empty, or the end
  /// of input is to interrupt it.
  [[nodiscard]] bool yields() const { return yields_; }
  /// Whether the command needs one slice, and not a long one.
  [[nodiscard]] bool is_short() const { return is_short_; }
  /// The search to be helped (engine::Search::help) by as many threads as it has work for; null if
  /// the command is no search. It may be helped, and kept, by any thread after the command has
  /// ended.
  [[nodiscard]] std::shared_ptr<engine::Search> search() const { return job_->search(); }

 private:
  friend class Session;
  void tell(const std::string& lines);
  void end();

  const AnswerForm form_;
  const std::function<void(protocol::Limit)> on_limit_;
  const bool yields_;
  const bool is_short_;
  const bool streams_;
  std::string text_;
  bool has_moved_ = false;     ///< by its end
  std::unique_ptr<Job> next_;  ///< goes on in place of the job, which is done
  std::mutex mutex_;           ///< guards what follows: `interrupt` may find the job at its end
  std::unique_ptr<Job> job_;   ///< null after its end
  bool is_interrupted_ = false;
  bool is_abandoned_ = false;
};

}  // namespace pitboss::server
