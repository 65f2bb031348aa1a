#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "environment/awake_clock.hpp"
#include "server/metrics/counters.hpp"

namespace pitboss::server {

/// Counts the lines of one connection and their answers, and measures how long answers take. A line
/// is identified by the number of lines before it. Belongs to the I/O thread.
class LineMeter {
 public:
  using TimePoint = environment::AwakeClock::time_point;

  explicit LineMeter(Counters& counters) : counters_(counters) {}

  /// `count` lines have arrived at `now`, which makes `end` altogether.
  void arrived(std::size_t count, std::size_t end, TimePoint now) {
    if (count == 0) return;
    counters_.lines.add(static_cast<std::int64_t>(count));
    if (first_ > arrivals_.size() / 2) {
      arrivals_.erase(arrivals_.begin(), arrivals_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    arrivals_.push_back({end, now});
  }

  /// `line`, which has arrived, is being handled; lines are handled in order.
  void handles(std::size_t line) {
    while (arrivals_[first_].end <= line) ++first_;
    line_arrived_ = arrivals_[first_].time;
  }
  [[nodiscard]] TimePoint line_arrived() const { return line_arrived_; }

  /// The I/O thread has this answer to the line; empty: the line has none.
  void answers(std::string_view answer) {
    is_answered_ = !answer.empty();
    note_failure(answer);
  }
  /// The line has been handled.
  void handled(TimePoint now) {
    if (std::exchange(is_answered_, false)) counters_.answers_at_once.observe(now - line_arrived_);
  }
  /// A worker has this answer to a line that came at `arrived`.
  void worker_answers(std::string_view answer, TimePoint arrived, TimePoint now) {
    counters_.answers_of_workers.observe(now - arrived);
    note_failure(answer);
  }

 private:
  struct Arrival {
    std::size_t end;
    TimePoint time;
  };

  void note_failure(std::string_view answer) {
    if (answer.starts_with('?')) counters_.failures.add();
  }

  Counters& counters_;
  std::vector<Arrival> arrivals_;  ///< of lines that wait or are being handled, from `first_` on
  std::size_t first_ = 0;
  TimePoint line_arrived_;  ///< the line that was handled last
  bool is_answered_ = false;
};

}  // namespace pitboss::server
