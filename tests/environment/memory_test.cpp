#include "environment/memory.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/environment/made_system.hpp"
#include "tests/environment/variable_set.hpp"

namespace pitboss::environment {

using System = tests::MadeSystem;
using tests::VariableSet;

TEST_CASE("control_group_memory: the lowest limit of the group and those above, in version 2") {
  const System system;
  CHECK_FALSE(control_group_memory(system.root));
  system.write("proc/self/cgroup", "0::/a/b\n");
  CHECK_FALSE(control_group_memory(system.root));
  system.write("sys/fs/cgroup/a/b/memory.max", "max\n");
  CHECK_FALSE(control_group_memory(system.root));
  system.write("sys/fs/cgroup/a/memory.max", "1000000\n");
  CHECK(control_group_memory(system.root) == 1'000'000);
  system.write("sys/fs/cgroup/a/b/memory.max", "2000000\n");
  CHECK(control_group_memory(system.root) == 1'000'000);
  system.write("sys/fs/cgroup/memory.max", "900000\n");  // a container's own root
  CHECK(control_group_memory(system.root) == 900'000);
}

TEST_CASE("control_group_memory: the lowest limit counts, whichever group has it") {
  for (const char* lowest : {"a/b/c", "a/b", "a", "."}) {
    CAPTURE(lowest);
    const System system;
    system.write("proc/self/cgroup", "0::/a/b/c\n");
    for (const std::string group : {"a/b/c", "a/b", "a", "."}) {
      system.write("sys/fs/cgroup/" + group + "/memory.max",
                   group == lowest ? "700000\n" : "2000000\n");
    }
    CHECK(control_group_memory(system.root) == 700'000);
  }
  // Of both versions at once, too.
  for (const bool is_second : {false, true}) {
    const System system;
    system.write("proc/self/cgroup", "5:memory:/x/y\n0::/a\n");
    system.write("sys/fs/cgroup/a/memory.max", is_second ? "700000\n" : "800000\n");
    system.write("sys/fs/cgroup/memory/x/y/memory.limit_in_bytes", "900000\n");
    system.write("sys/fs/cgroup/memory/x/memory.limit_in_bytes",
                 is_second ? "1000000\n" : "700000\n");
    CHECK(control_group_memory(system.root) == 700'000);
  }
}

TEST_CASE("control_group_memory: in version 1") {
  const System system;
  system.write("proc/self/cgroup", "7:cpu,cpuacct:/x\n5:memory:/x\n0::/\n");
  CHECK_FALSE(control_group_memory(system.root));
  system.write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "5000000\n");
  CHECK(control_group_memory(system.root) == 5'000'000);
}

TEST_CASE("control_group_memory: version 1, mounted with another controller") {
  const System system;
  system.write("proc/self/cgroup", "7:cpuset,memory:/x\n");
  system.write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "5000000\n");
  CHECK(control_group_memory(system.root) == 5'000'000);
}

TEST_CASE("slurm_memory: of the node, else of each processor") {
  const VariableSet node("SLURM_MEM_PER_NODE", nullptr);
  const VariableSet each("SLURM_MEM_PER_CPU", nullptr);
  const VariableSet count("SLURM_CPUS_ON_NODE", nullptr);
  CHECK_FALSE(slurm_memory());
  const VariableSet of_processor("SLURM_MEM_PER_CPU", "100");
  CHECK_FALSE(slurm_memory());
  const VariableSet three("SLURM_CPUS_ON_NODE", "3");
  CHECK(slurm_memory() == std::size_t{300} << 20);
  const VariableSet of_node("SLURM_MEM_PER_NODE", "200");
  CHECK(slurm_memory() == std::size_t{200} << 20);
  CHECK(memory() <= std::size_t{200} << 20);
}

TEST_CASE("memory: something") { CHECK(memory() > std::size_t{1} << 20); }

}  // namespace pitboss::environment
