#include "clients/pitboss/disturbance.hpp"

#include <algorithm>
#include <cstdio>

#include "clients/results/document/formatting.hpp"
#include "engine/search/slice.hpp"
#include "environment/machine.hpp"

namespace pitboss::clients {

std::string sentence(const Disturbance& disturbance) {
  constexpr double too_much = 0.03;
  if (disturbance.lost <= too_much) return "";
  return format(
      "Other programs took %.0f %% of this thread's time (load %.1f): figures are in processor "
      "time, "
      "but shared caches and clocks make them lower; compare ratios alone.",
      100 * disturbance.lost, disturbance.load);
}

void print_if_disturbed(const Disturbance& disturbance) {
  const std::string text = sentence(disturbance);
  if (!text.empty()) std::printf("\n%s\n", text.c_str());
}

DisturbanceWatch::DisturbanceWatch()
    : begin_(std::chrono::steady_clock::now()), used_before_(engine::thread_time()) {}

Disturbance DisturbanceWatch::seen() const {
  using Seconds = std::chrono::duration<double>;
  const double time = Seconds(std::chrono::steady_clock::now() - begin_).count();
  const double used = Seconds(engine::thread_time() - used_before_).count();
  return {environment::load(), time > 0 ? std::max(0.0, 1 - used / time) : 0};
}

}  // namespace pitboss::clients
