#pragma once

#include <doctest/doctest.h>
#include <sched.h>

namespace pitboss::tests {

/// Has this thread, and the programs that it starts, run on one of its processors as long as it
/// lives: what `taskset` does.
class OneProcessor {
 public:
  OneProcessor() {
    REQUIRE(::sched_getaffinity(0, sizeof before_, &before_) == 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    int first = 0;
    while (!CPU_ISSET(first, &before_)) ++first;
    CPU_SET(first, &one);
    REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  }
  ~OneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_{};
};

}  // namespace pitboss::tests
