#pragma once

#include <chrono>
#include <string>

namespace pitboss::clients {

/// How much other programs have disturbed a measurement, by the thread that measures.
struct Disturbance {
  double load = 0;  ///< threads of the machine that ran or waited, over the last minute
  double lost = 0;  ///< share of the thread's time in which it did not run
};
/// A sentence if it has to be told, else empty.
[[nodiscard]] std::string sentence(const Disturbance& disturbance);

/// Prints the sentence and an empty line before it, if there is one.
void print_if_disturbed(const Disturbance& disturbance);

/// Begins with its construction; the thread must not sleep.
class DisturbanceWatch {
 public:
  DisturbanceWatch();
  [[nodiscard]] Disturbance seen() const;

 private:
  std::chrono::steady_clock::time_point begin_;
  std::chrono::nanoseconds used_before_;
};

}  // namespace pitboss::clients
