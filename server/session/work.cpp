#include "server/session/work.hpp"

#include <algorithm>
#include <utility>

#include "protocol/line.hpp"

namespace pitboss::server {

std::string AnswerForm::sentence(protocol::FailureCode code, std::string_view what) const {
  return (tells_codes ? std::string(protocol::word_of(code)) + ": " : "") + std::string(what);
}

std::string AnswerForm::success(std::string_view text) const { return protocol::success(id, text); }

std::string AnswerForm::failure(protocol::FailureCode code, std::string_view what) const {
  return protocol::failure(id, sentence(code, what));
}

Work::Work(std::unique_ptr<Job> job, AnswerForm form, std::function<void(protocol::Limit)> on_limit)
    : form_(std::move(form)),
      on_limit_(std::move(on_limit)),
      yields_(job->yields()),
      is_short_(job->is_short()),
      streams_(job->streams()),
      job_(std::move(job)) {
  if (streams_) text_ = "=" + form_.id + " \n";
}

engine::Progress Work::run(std::chrono::microseconds slice, bool updates) {
  auto progress = engine::Progress::done;
  run_or_fail(
      on_limit_,
      [&] {
        const auto reached = job_->advance(slice);
        {
          const std::scoped_lock lock(mutex_);
          if (is_abandoned_) return;
        }
        progress = reached;
        const bool is_done = progress == engine::Progress::done;
        if (is_done) next_ = job_->take_next();
        if (next_) return;
        if (updates) tell(job_->update());
        if (updates && progress.is_waiting()) {
          progress.wake_at = std::min(progress.wake_at, job_->update_at());
        }
        if (!is_done) return;
        const std::string answer = job_->answer();
        has_moved_ = job_->plays();
        if (streams_) {
          tell(answer);
          text_ += '\n';
        } else {
          text_ += form_.success(answer);
        }
      },
      [&](protocol::FailureCode code, std::string_view what) {
        progress = engine::Progress::done;
        // An answer that has begun as a success can report a failure only in its last line.
        if (streams_) {
          tell("error: " + form_.sentence(code, what) + '\n');
        } else {
          text_ += form_.failure(code, what);
        }
      });
  if (progress == engine::Progress::done) end_job();
  return progress;
}

/// Adds a job's update: lines of the answer if it streams, else a separate text.
void Work::tell(const std::string& lines) {
  text_ += lines;
  if (streams_ && !lines.empty()) text_ += '\n';
}

void Work::drop_job() {
  end_job();
  next_.reset();
}

/// What comes next remains.
void Work::end_job() {
  std::unique_ptr<Job> ended;
  const std::scoped_lock lock(mutex_);
  ended.swap(job_);
}

void Work::interrupt() noexcept {
  const std::scoped_lock lock(mutex_);
  is_interrupted_ = true;
  if (job_) job_->interrupt();
}

void Work::abandon() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    is_abandoned_ = true;
  }
  interrupt();
}

}  // namespace pitboss::server
