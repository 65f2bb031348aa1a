#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <string>
#include <vector>

#include "clients/launch/launch.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/environment/one_processor.hpp"
#include "tests/environment/variable_set.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/text.hpp"

// What programs start for each processor is counted by those that they may use.

namespace pitboss::clients {

using peers::Process;
using tests::Daemon;
using tests::VariableSet;

namespace {

using tests::contains;

/// What a program says before it ends.
std::string words_of(const std::vector<std::string>& words) {
  Process program(words);
  program.wait();
  return program.output() + program.errors();
}

void expect_one_thread() {
  const std::string pitboss = tests::bin_folder() + "/pitboss";
  Daemon daemon;
  const std::string address = Daemon::address_of(daemon.output_line());

  CHECK(contains(words_of({pitboss, "bench", "--help"}), "--threads arg (=1)"));
  CHECK(threads_given(0) == 1);  // of pitboss train and others
  WorkerSettings settings{DatabasePlace("postgresql://localhost/a", "b"), 0, 0, {}, {}, {}};
  const std::vector<std::string> worker = local_workers(settings, 1, "folder").front().command;
  const auto threads = std::ranges::find(worker, "--threads");
  REQUIRE(threads != worker.end());
  CHECK(*std::next(threads) == "1");
  const ScratchFolder folder;
  const std::string engine =
      " program='" + pitboss + " gtp --connect " + address + " --set simulations=10' speaks=gtp";
  CHECK(
      contains(words_of({pitboss, "referee", "--game", "connect4", "--games", "2", "--concurrency",
                         "8", "--out", folder.path().string(), "--player", "name=A tc=60" + engine,
                         "--player", "name=B tc=61" + engine}),
               "this machine plays 1 game at once, not 8: time bounds searches there, and it has 1 "
               "processor\n"));

  daemon.signal(SIGTERM);
  daemon.wait();
  CHECK(contains(daemon.errors(), "connect4; 1 worker\n"));
}

}  // namespace

TEST_CASE("programs on one processor have one thread, worker, or game by the clock at once") {
  const VariableSet node("SLURM_CPUS_ON_NODE", nullptr);
  const VariableSet task("SLURM_CPUS_PER_TASK", nullptr);
  SUBCASE("by taskset") {
    const tests::OneProcessor processor;
    expect_one_thread();
  }
  SUBCASE("by Slurm") {
    const VariableSet one("SLURM_CPUS_PER_TASK", "1");
    expect_one_thread();
  }
}

}  // namespace pitboss::clients
