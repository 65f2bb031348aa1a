#include "server/limits.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace pitboss::server {

std::size_t most_sessions_of_one(const ServerLimits& limits, bool is_local) {
  constexpr std::size_t most = 64;
  const std::size_t usual = is_local ? std::numeric_limits<std::size_t>::max() : most;
  return limits.max_sessions_per_address.value_or(usual);
}

std::size_t affordable_sessions(std::size_t wanted) {
  // Listeners, logs, the event loop, files that are read, pages of metrics, and connections that
  // are just being refused.
  constexpr std::size_t reserve = 64;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return wanted;
  const auto needed = static_cast<rlim_t>(wanted + reserve);
  if (files.rlim_cur < needed) {
    rlimit raised = files;
    raised.rlim_cur = std::min(needed, files.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) files = raised;
  }
  if (files.rlim_cur >= needed) return wanted;
  return files.rlim_cur > reserve ? static_cast<std::size_t>(files.rlim_cur) - reserve : 1;
}

}  // namespace pitboss::server
