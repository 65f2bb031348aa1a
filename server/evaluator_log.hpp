#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace pitboss::server {

/// Logs when an evaluator is left out and when it answers again, at most two lines per evaluator in
/// ten seconds, so that an unsteady evaluator does not fill the disk. Any thread.
class EvaluatorLog {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// The evaluator is left out because of `error`, or asked again if `error` is empty.
  void note(const std::string& url, const std::string& error, TimePoint now);
  /// Logs the state of evaluators whose last lines were held back and that may have lines again.
  void catch_up(TimePoint now);

 private:
  struct Evaluator {
    std::string error{};  ///< why it is left out; empty: it is not
    int untold = 0;       ///< changes not logged yet
    TimePoint begun{};
    int lines = 0;  ///< since `begun`
  };
  static void tell(const std::string& url, Evaluator& evaluator, TimePoint now);

  std::mutex mutex_;
  std::map<std::string, Evaluator> evaluators_;  ///< by URL
};

}  // namespace pitboss::server
