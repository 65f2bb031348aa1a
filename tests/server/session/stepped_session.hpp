#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "server/commands/commands.hpp"
#include "server/session/audience.hpp"
#include "server/session/session.hpp"

namespace pitboss::tests {

/// A session whose jobs are run slice by slice, as a test says, where a server would have its pool
/// run it.
class SteppedSession {
 public:
  enum class Status {
    ready,    ///< for the next line
    running,  ///< `step` goes on with the job
    waiting,  ///< another session's command has the table
    closed
  };

  /// With all commands.
  explicit SteppedSession(const server::SessionConfig& config = {})
      : session(with_commands(config)) {}

  /// Gives a line; what there is of its answer is added to `out`.
  Status handle(std::string_view line, std::string& out, bool may_wait = true) {
    end_job();
    server::Reply reply = session.handle(protocol::Line(line), may_wait);
    if (std::holds_alternative<server::TableIsTaken>(reply)) return Status::waiting;
    if (const auto* answer = std::get_if<server::Answer>(&reply)) {
      out += answer->text;
      return answer->closes ? Status::closed : Status::ready;
    }
    if (const auto* watch = std::get_if<std::shared_ptr<server::Watch>>(&reply)) {
      out += (*watch)->begin() + (*watch)->take() + (*watch)->end();
      return Status::ready;
    }
    job_ = std::get<std::shared_ptr<server::RunningJob>>(reply);
    out += job_->take_text();
    return Status::running;
  }
  /// A slice of the job: `ready` when it has run to its end.
  Status step(std::chrono::microseconds slice, std::string& out, bool updates = true) {
    const auto progress = job_->run(slice, updates);
    out += job_->take_text();
    is_done_ = progress == engine::Progress::done;
    return is_done_ ? Status::ready : Status::running;
  }
  /// Behind `ready`: `running` if another job goes on in its place. Else others may have the table.
  Status begin_next(std::string& out) {
    job_ = session.end(job_);
    is_done_ = false;
    if (!job_) return Status::ready;
    out += job_->take_text();
    return Status::running;
  }
  /// Behind `ready`: what would go on is given up.
  void end_job() {
    if (!is_done_) return;
    std::string nothing;
    if (begin_next(nothing) != Status::running) return;
    job_->abandon();
    while (step(std::chrono::milliseconds(1), nothing) == Status::running) {
    }
    static_cast<void>(begin_next(nothing));
  }
  void leave() {
    job_.reset();
    session.leave();
  }

  std::optional<std::string> handle_while_running(std::string_view line) {
    return session.handle_while_running(protocol::Line(line));
  }
  void when_free(std::function<void()> call) { session.when_free(std::move(call)); }
  [[nodiscard]] auto ponder() { return session.ponder({}); }
  void interrupt() {
    if (job_) job_->interrupt();
  }
  void abandon() { job_->abandon(); }
  [[nodiscard]] bool yields() const { return job_->yields(); }
  [[nodiscard]] auto search() const { return job_->search(); }

  server::Session session;

 private:
  static server::SessionConfig with_commands(server::SessionConfig config) {
    config.commands = server::commands();
    return config;
  }

  std::shared_ptr<server::RunningJob> job_;
  bool is_done_ = false;
};

}  // namespace pitboss::tests
