#include "server/machine_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace pitboss::server {

namespace fs = std::filesystem;

namespace {

/// The number in a file; nothing if it is "max" or there is no such file.
std::optional<std::size_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::size_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::size_t> control_group_memory(const fs::path& root) {
  std::optional<std::size_t> lowest;
  std::ifstream groups(root / "proc/self/cgroup");
  // NUMBER:CONTROLLERS:PATH; version 2 names no controllers.
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers != "memory") continue;
    const fs::path top = root / "sys/fs/cgroup" / controllers;
    const char* const file = controllers.empty() ? "memory.max" : "memory.limit_in_bytes";
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    while (true) {
      const auto limit = number_in(top / group / file);
      if (limit) lowest = std::min(*limit, lowest.value_or(*limit));
      if (group.empty()) break;
      group = group.parent_path();
    }
  }
  return lowest;
}

std::size_t machine_memory() {
  const auto pages = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  std::size_t bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bytes = std::min(bytes, control_group_memory("/").value_or(bytes));
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    bytes = std::min(bytes, static_cast<std::size_t>(space.rlim_cur));
  }
  return bytes;
}

}  // namespace pitboss::server
