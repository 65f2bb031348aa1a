#include "environment/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "environment/control_groups.hpp"
#include "environment/variable.hpp"

namespace pitboss::environment {

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
  for_each_control_group(root, "memory", [&](const ControlGroup& group) {
    const auto limit =
        number_in(group.folder / (group.is_unified ? "memory.max" : "memory.limit_in_bytes"));
    if (limit) lowest = std::min(*limit, lowest.value_or(*limit));
  });
  return lowest;
}

std::optional<std::size_t> slurm_memory() {
  std::size_t mebibytes = static_cast<std::size_t>(count_in_variable("SLURM_MEM_PER_NODE"));
  if (mebibytes == 0) {
    mebibytes = static_cast<std::size_t>(count_in_variable("SLURM_MEM_PER_CPU")) *
                static_cast<std::size_t>(count_in_variable("SLURM_CPUS_ON_NODE"));
  }
  return mebibytes > 0 ? std::optional(mebibytes << 20) : std::nullopt;
}

std::size_t memory() {
  const auto pages = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  std::size_t bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bytes = std::min(bytes, control_group_memory("/").value_or(bytes));
  bytes = std::min(bytes, slurm_memory().value_or(bytes));
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    bytes = std::min(bytes, static_cast<std::size_t>(space.rlim_cur));
  }
  return bytes;
}

}  // namespace pitboss::environment
