#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "protocol/error.hpp"
#include "protocol/failure_code.hpp"
#include "protocol/limit.hpp"
#include "server/session/job.hpp"

namespace pitboss::server {

/// How a session writes its answers: as GTP's text, or in envelopes (protocol/envelope.hpp), one a
/// line.
struct AnswerForm {
  std::string id;             ///< of the command
  bool tells_codes = false;   ///< failures in GTP's text begin with their code
  bool in_envelopes = false;  ///< with the code of every failure beside its sentence

  [[nodiscard]] std::string success(std::string_view text) const;
  [[nodiscard]] std::string failure(protocol::FailureCode code, std::string_view what) const;
  /// A text that is sent before the answer.
  [[nodiscard]] std::string aside(std::string_view text) const;

  // An answer in parts.

  [[nodiscard]] std::string begin() const;
  /// Lines, without the last line feed.
  [[nodiscard]] std::string part(std::string_view lines) const;
  [[nodiscard]] std::string end(std::string_view lines) const;
  /// In GTP's text the answer has begun as a success, and only its last line can tell the failure.
  [[nodiscard]] std::string end(protocol::FailureCode code, std::string_view what) const;

 private:
  [[nodiscard]] std::string sentence(protocol::FailureCode code, std::string_view what) const;
};

/// Runs `action`. Passes exceptions that the client has caused to `on_failure` as a code and a
/// sentence, and before that the limit of a LimitError to `on_limit`, if that is set.
template <class Action, class OnFailure>
void run_or_fail(const std::function<void(protocol::Limit)>& on_limit, const Action& action,
                 const OnFailure& on_failure) {
  try {
    action();
  } catch (const protocol::LimitError& error) {
    if (on_limit) on_limit(error.limit);
    on_failure(error.code(), error.what());
  } catch (const protocol::CommandError& error) {
    on_failure(error.code(), error.what());
  } catch (const games::BadGame& error) {
    on_failure(protocol::FailureCode::bad_argument, error.what());
  } catch (const engine::NoEvaluator& error) {
    on_failure(protocol::FailureCode::no_evaluator, error.what());
  } catch (const engine::Interrupted& error) {
    on_failure(protocol::FailureCode::interrupted, error.what());
  } catch (const engine::BadOption& error) {
    on_failure(protocol::FailureCode::unsupported, error.what());
  }
}

/// A command that takes time: a job and its answer in the form that the client reads.
/// `Session::handle` makes it; then any thread may run it, one at a time.
class RunningJob {
 public:
  RunningJob(std::unique_ptr<Job> job, AnswerForm form,
             std::function<void(protocol::Limit)> on_limit);

  /// Works for about `slice`. Adds the job's updates, if `updates` are wanted, and at the end its
  /// answer to the text that `take_text` takes. Returns `waiting` if there is nothing to do before
  /// the session's waker (SessionConfig) is called or `wake_at` has come. Throws std::bad_alloc.
  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice, bool updates = true);
  /// Text for the client that has not been taken yet. Same thread as `run`.
  [[nodiscard]] std::string take_text() { return std::exchange(text_, {}); }

  /// Ends the command as soon as possible; a search answers with the best move so far. Any thread,
  /// any time; does nothing once the command has ended.
  void interrupt() noexcept;
  /// As `interrupt`, but drops the answer: a search's move is not played.
  void abandon() noexcept;

  /// Destroys the job, which will not go on, and the one that was to replace it; the table that
  /// they work at may then go. No slice may be under way.
  void drop_job();

  // Before the first slice; `search` also between two of them.

  /// Whether the command goes on until interrupted: any line, even an empty one, or the end of
  /// input is to interrupt it.
  [[nodiscard]] bool yields() const { return yields_; }
  /// Whether the command needs only one slice, and a short one.
  [[nodiscard]] bool is_short() const { return is_short_; }
  /// The search that goes on, which other threads may help (engine::Search::help); null if the
  /// command is no search. Any thread may keep and help it even after the command has ended.
  [[nodiscard]] std::shared_ptr<engine::Search> search() const { return job_->search(); }

 private:
  friend class Session;
  void end_job();

  const AnswerForm form_;
  const std::function<void(protocol::Limit)> on_limit_;
  const bool yields_;
  const bool is_short_;
  const bool streams_;
  std::string text_;
  bool has_moved_ = false;     ///< at its end
  std::unique_ptr<Job> next_;  ///< replaces the job, which is done
  std::mutex mutex_;          ///< guards the members below: `interrupt` may come while the job ends
  std::unique_ptr<Job> job_;  ///< null after its end
  bool is_interrupted_ = false;
  bool is_abandoned_ = false;
};

}  // namespace pitboss::server
