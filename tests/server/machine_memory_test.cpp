#include "server/machine_memory.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;
using pitboss::server::control_group_memory;

namespace {

/// Files of a system, in a folder that is removed.
class System {
 public:
  System() { fs::remove_all(root); }
  ~System() { fs::remove_all(root); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }

  const fs::path root =
      fs::temp_directory_path() / ("pitboss-machine-memory-" + std::to_string(getpid()));
};

}  // namespace

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

TEST_CASE("machine_memory: something") {
  CHECK(pitboss::server::machine_memory() > std::size_t{1} << 20);
}
