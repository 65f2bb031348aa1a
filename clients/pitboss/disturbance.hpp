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

/// Watches parts of a measurement in which its thread never waits, for other threads neither.
class DisturbanceWatch {
 public:
  /// Returns what `part` returns.
  auto during(auto&& part) {
    const Part watched(*this);
    return part();
  }
  /// In all parts together.
  [[nodiscard]] Disturbance seen() const;

 private:
  class Part {
   public:
    explicit Part(DisturbanceWatch& watch);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    DisturbanceWatch& watch_;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::nanoseconds used_before_;
  };

  std::chrono::nanoseconds time_{};
  std::chrono::nanoseconds used_{};
};

}  // namespace pitboss::clients
