#pragma once

#include <algorithm>
#include <chrono>

namespace pitboss::server {

/// The slices of one task: a sixteenth of its time so far, within bounds. Short tasks thus take
/// turns often, so that equal ones end together, and long ones do not lose time to cold caches.
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
