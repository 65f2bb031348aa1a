#pragma once

#include <algorithm>
#include <chrono>

namespace pitboss::server {

/// The slices of one task: a sixteenth of the time that it has had, within bounds. Short commands
/// thus take turns finely, so that equal ones end together, and long ones do not lose their time to
/// cold caches.
class Slices {
 public:
  [[nodiscard]] std::chrono::microseconds next() {
    using namespace std::chrono_literals;
    const auto slice = std::clamp<std::chrono::microseconds>(given_ / 16, 100us, 2ms);
    given_ += slice;
    return slice;
  }

 private:
  std::chrono::microseconds given_{};
};

}  // namespace pitboss::server
