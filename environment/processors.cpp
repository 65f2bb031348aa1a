#include "environment/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "environment/control_groups.hpp"
#include "environment/variable.hpp"

namespace pitboss::environment {

namespace fs = std::filesystem;

namespace {

/// Those that the system lets this thread run on; 0 if it does not tell.
int allowed_processors() {
  for (int most = 1024; most <= 1 << 20; most *= 2) {  // the set must be as large as the kernel's
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(
        CPU_ALLOC(most), [](cpu_set_t* allocated) { CPU_FREE(allocated); });
    const std::size_t size = CPU_ALLOC_SIZE(most);
    if (set && ::sched_getaffinity(0, size, set.get()) == 0) return CPU_COUNT_S(size, set.get());
  }
  return 0;
}

/// "QUOTA PERIOD" in microseconds; nothing for "max PERIOD", -1 or no such file.
std::optional<double> quota_of(const ControlGroup& group) {
  double quota = 0;
  double period = 0;
  if (group.is_unified) {
    std::ifstream file(group.folder / "cpu.max");
    file >> quota >> period;
    if (!file) return std::nullopt;
  } else {
    std::ifstream(group.folder / "cpu.cfs_quota_us") >> quota;
    std::ifstream(group.folder / "cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

}  // namespace

std::optional<double> control_group_processors(const fs::path& root) {
  std::optional<double> lowest;
  for_each_control_group(root, "cpu", [&](const ControlGroup& group) {
    const auto quota = quota_of(group);
    if (quota) lowest = std::min(*quota, lowest.value_or(*quota));
  });
  return lowest;
}

std::optional<int> slurm_processors() {
  const int of_task = count_in_variable("SLURM_CPUS_PER_TASK");
  const int here = of_task > 0 ? of_task : count_in_variable("SLURM_CPUS_ON_NODE");
  return here > 0 ? std::optional(here) : std::nullopt;
}

int processors() {
  const int allowed = allowed_processors();
  int all = allowed > 0 ? allowed : static_cast<int>(std::thread::hardware_concurrency());
  if (const auto quota = control_group_processors("/")) {
    all = static_cast<int>(std::min<double>(all, *quota));
  }
  return std::max(1, std::min(all, slurm_processors().value_or(all)));
}

}  // namespace pitboss::environment
