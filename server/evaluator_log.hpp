#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace pitboss::server {

/// The log's lines about evaluators, two of each in ten seconds at most, so that one that wavers
/// does not fill the disk: that it is left out, or answers again. Any thread.
class EvaluatorLog {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// An evaluator is left out because of an error, or asked again if there is none.
  void note(const std::string& url, const std::string& error, TimePoint now);
  /// Tells how it is with those of which not everything was told, when they may have lines again.
  void catch_up(TimePoint now);

 private:
  struct Evaluator {
    std::string error{};  ///< why it is left out; empty: it is not
    int untold = 0;       ///< changes
    TimePoint begun{};
    int lines = 0;  ///< since then
  };
  static void tell(const std::string& url, Evaluator& evaluator, TimePoint now);

  std::mutex mutex_;
  std::map<std::string, Evaluator> evaluators_;  ///< by URL
};

}  // namespace pitboss::server
