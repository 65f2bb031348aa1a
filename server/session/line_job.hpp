#pragma once

#include <memory>
#include <string>
#include <utility>

#include "server/commands/commands.hpp"

namespace pitboss::server {

/// Handles a line: what its command answers, or the job that will. Throws as handlers do.
[[nodiscard]] Outcome outcome_of(const Command& command, Seat& seat, std::string_view text);

/// The handling of a line that may take longer than others should wait for the thread that handles
/// lines. A command that takes time by itself goes on as the next job.
class LineJob final : public Job {
 public:
  /// `text` is the line behind the command's name.
  LineJob(const Command& command, Seat& seat, std::string text)
      : command_(command), seat_(seat), text_(std::move(text)) {}

  [[nodiscard]] engine::Progress advance(std::chrono::microseconds /*slice*/) override {
    outcome_ = outcome_of(command_, seat_, text_);
    return engine::Progress::done;
  }
  [[nodiscard]] std::string answer() override { return std::move(outcome_.text); }
  [[nodiscard]] bool is_short() const override { return true; }
  [[nodiscard]] bool plays() const override { return outcome_.plays; }
  void interrupt() noexcept override {}  // what comes next is interrupted

  [[nodiscard]] std::unique_ptr<Job> take_next() override { return std::move(outcome_.job); }

 private:
  const Command& command_;
  Seat& seat_;
  std::string text_;
  Outcome outcome_;
};

}  // namespace pitboss::server
