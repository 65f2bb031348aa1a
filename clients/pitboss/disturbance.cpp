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

DisturbanceWatch::Part::Part(DisturbanceWatch& watch)
    : watch_(watch),
      begin_(std::chrono::steady_clock::now()),
      used_before_(engine::thread_time()) {}

DisturbanceWatch::Part::~Part() {
  watch_.time_ += std::chrono::steady_clock::now() - begin_;
  watch_.used_ += engine::thread_time() - used_before_;
}

Disturbance DisturbanceWatch::seen() const {
  const double used = time_.count() > 0
                          ? static_cast<double>(used_.count()) / static_cast<double>(time_.count())
                          : 1;
  return {environment::load(), std::max(0.0, 1 - used)};
}

}  // namespace pitboss::clients
