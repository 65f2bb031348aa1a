#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "environment/awake_clock.hpp"

namespace pitboss::server {

/// Logs when an evaluator is left out and when it answers again, as a whole or for one network,
/// each at most two lines in ten seconds, so that an unsteady evaluator does not fill the disk. Any
/// thread.
class EvaluatorLog {
 public:
  using TimePoint = environment::AwakeClock::time_point;

  /// The evaluator is left out, for the network if one is named, for the reason `why`; or, if that
  /// is empty, it answers again.
  void note(const std::string& url, const std::string& network, const std::string& why,
            TimePoint now);
  /// Logs the state of evaluators whose last lines were held back and that may have lines again.
  void catch_up(TimePoint now);

 private:
  struct Subject {
    std::string why{};  ///< it is left out; empty: it is not
    int untold = 0;     ///< changes not logged yet
    TimePoint begun{};
    int lines = 0;  ///< since `begun`
  };
  using Name = std::pair<std::string, std::string>;  ///< URL, and network or nothing
  static void tell(const Name& name, Subject& subject, TimePoint now);

  std::mutex mutex_;
  std::map<Name, Subject> subjects_;
};

}  // namespace pitboss::server
