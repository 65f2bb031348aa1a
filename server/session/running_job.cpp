#include "server/session/running_job.hpp"

#include <algorithm>
#include <utility>

#include "protocol/envelope.hpp"
#include "protocol/line.hpp"

namespace pitboss::server {

std::string AnswerForm::sentence(protocol::FailureCode code, std::string_view what) const {
  return (tells_codes ? std::string(protocol::word_of(code)) + ": " : "") + std::string(what);
}

std::string AnswerForm::success(std::string_view text) const {
  return in_envelopes ? protocol::success_envelope(id, text) : protocol::success(id, text);
}

std::string AnswerForm::failure(protocol::FailureCode code, std::string_view what) const {
  return in_envelopes ? protocol::failure_envelope(id, code, what)
                      : protocol::failure(id, sentence(code, what));
}

std::string AnswerForm::aside(std::string_view text) const {
  if (!in_envelopes) return std::string(text);
  return protocol::update_envelope(id, text.substr(0, text.find_last_not_of('\n') + 1));
}

std::string AnswerForm::begin() const { return in_envelopes ? "" : "=" + id + " \n"; }

std::string AnswerForm::part(std::string_view lines) const {
  return in_envelopes ? protocol::update_envelope(id, lines) : std::string(lines) + '\n';
}

std::string AnswerForm::end(std::string_view lines) const {
  if (in_envelopes) return success(lines);
  return (lines.empty() ? "" : part(lines)) + '\n';
}

std::string AnswerForm::end(protocol::FailureCode code, std::string_view what) const {
  return in_envelopes ? failure(code, what) : end("error: " + sentence(code, what));
}

RunningJob::RunningJob(std::unique_ptr<Job> job, AnswerForm form,
                       std::function<void(protocol::Limit)> on_limit)
    : form_(std::move(form)),
      on_limit_(std::move(on_limit)),
      yields_(job->yields()),
      is_short_(job->is_short()),
      streams_(job->streams()),
      job_(std::move(job)) {
  if (streams_) text_ = form_.begin();
}

engine::Progress RunningJob::run(std::chrono::microseconds slice, bool updates) {
  auto progress = engine::Progress::done;
  run_or_fail(
      on_limit_,
      [&] {
        const auto reached = job_->run(slice);
        {
          const std::scoped_lock lock(mutex_);
          if (is_abandoned_) return;
        }
        progress = reached;
        const bool is_done = progress == engine::Progress::done;
        if (is_done) next_ = job_->take_next();
        if (next_) return;
        if (const auto update = updates ? job_->update() : ""; !update.empty()) {
          text_ += streams_ ? form_.part(update) : form_.aside(update);
        }
        if (updates && progress.is_waiting()) {
          progress.wake_at = std::min(progress.wake_at, job_->update_at());
        }
        if (!is_done) return;
        const std::string answer = job_->answer();
        has_moved_ = job_->plays();
        text_ += streams_ ? form_.end(answer) : form_.success(answer);
      },
      [&](protocol::FailureCode code, std::string_view what) {
        progress = engine::Progress::done;
        text_ += streams_ ? form_.end(code, what) : form_.failure(code, what);
      });
  if (progress == engine::Progress::done) end_job();
  return progress;
}

void RunningJob::drop_job() {
  end_job();
  next_.reset();
}

/// What comes next remains.
void RunningJob::end_job() {
  std::unique_ptr<Job> ended;
  const std::scoped_lock lock(mutex_);
  ended.swap(job_);
}

void RunningJob::interrupt() noexcept {
  const std::scoped_lock lock(mutex_);
  is_interrupted_ = true;
  if (job_) job_->interrupt();
}

void RunningJob::abandon() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    is_abandoned_ = true;
  }
  interrupt();
}

}  // namespace pitboss::server
