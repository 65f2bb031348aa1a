#include "environment/processors.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/environment/made_system.hpp"
#include "tests/environment/one_processor.hpp"
#include "tests/environment/variable_set.hpp"

namespace pitboss::environment {

using tests::MadeSystem;
using tests::OneProcessor;
using tests::VariableSet;

TEST_CASE("processors: those that the process may run on") {
  const VariableSet task("SLURM_CPUS_PER_TASK", nullptr);
  const VariableSet node("SLURM_CPUS_ON_NODE", nullptr);
  const int before = processors();
  CHECK(before >= 1);
  {
    const OneProcessor one;
    CHECK(processors() == 1);
  }
  CHECK(processors() == before);
}

TEST_CASE(
    "processors: Slurm's, of the task before those of the node, and never more than there are") {
  const VariableSet node("SLURM_CPUS_ON_NODE", nullptr);
  const VariableSet task("SLURM_CPUS_PER_TASK", nullptr);
  CHECK_FALSE(slurm_processors());
  const int all = processors();
  {
    const VariableSet many("SLURM_CPUS_ON_NODE", "100000");
    CHECK(slurm_processors() == 100'000);
    CHECK(processors() == all);
    const VariableSet one("SLURM_CPUS_PER_TASK", "1");
    CHECK(slurm_processors() == 1);
    CHECK(processors() == 1);
  }
  for (const char* none : {"", "0", "-1", "two", "2(x3)", "99999999999"}) {
    CAPTURE(none);
    const VariableSet odd("SLURM_CPUS_PER_TASK", none);
    CHECK_FALSE(slurm_processors());
    CHECK(processors() == all);
  }
}

TEST_CASE(
    "control_group_processors: the quota in version 2, the lowest of the group and those above") {
  for (const char* lowest : {"a/b", "a", "."}) {
    CAPTURE(lowest);
    const MadeSystem system;
    CHECK_FALSE(control_group_processors(system.root));
    system.write("proc/self/cgroup", "0::/a/b\n");
    for (const std::string group : {"a/b", "a", "."}) {
      system.write("sys/fs/cgroup/" + group + "/cpu.max", "max 100000\n");
    }
    CHECK_FALSE(control_group_processors(system.root));
    system.write("sys/fs/cgroup/cpu.max", "300000 100000\n");
    system.write("sys/fs/cgroup/" + std::string(lowest) + "/cpu.max", "50000 100000\n");
    CHECK(control_group_processors(system.root) == 0.5);
  }
}

TEST_CASE("control_group_processors: in version 1, whose controllers are mounted together") {
  for (const std::string controllers : {"cpu,cpuacct", "cpuacct,cpu", "cpu"}) {
    CAPTURE(controllers);
    const MadeSystem system;
    system.write("proc/self/cgroup", "7:cpuset:/x\n5:memory:/x\n4:" + controllers + ":/x\n0::/\n");
    system.write("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
    system.write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
    CHECK_FALSE(control_group_processors(system.root));
    system.write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "250000\n");
    CHECK(control_group_processors(system.root) == 2.5);
  }
  const MadeSystem system;  // the controller cpuset has no quota
  system.write("proc/self/cgroup", "7:cpuset:/x\n");
  system.write("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  system.write("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "250000\n");
  CHECK_FALSE(control_group_processors(system.root));
}

}  // namespace pitboss::environment
