#include "server/net/limits.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace pitboss::server {

namespace {

/// What one client may have of something, so that others find some left.
std::size_t share_of(std::size_t all) { return std::max<std::size_t>(all - all / 4, 1); }

}  // namespace

std::size_t most_sessions_of_host(const ServerLimits& limits, bool is_local) {
  constexpr std::size_t most = 64;
  const std::size_t usual = is_local ? std::numeric_limits<std::size_t>::max() : most;
  return limits.max_sessions_per_address.value_or(usual);
}

std::size_t most_sessions_of_client(const ServerLimits& limits) {
  return limits.max_sessions_per_client.value_or(share_of(limits.max_sessions));
}

std::size_t most_tables_of_client(const ServerLimits& limits) {
  return limits.max_tables_per_client.value_or(share_of(limits.max_tables));
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
