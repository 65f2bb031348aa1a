#include "clients/experiments/file_lock.hpp"

#include <doctest/doctest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"

using namespace pitboss::clients;

namespace {

/// From here on the system refuses this process every flock with `error`.
bool refuse_locks(unsigned error) {
  std::array<sock_filter, 4> rules{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
  const sock_fprog program{rules.size(), rules.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

TEST_CASE("FileLock: one holder at a time") {
  const ScratchFolder folder;
  auto first = try_lock(folder / "lock");
  REQUIRE(first);
  CHECK_FALSE(try_lock(folder / "lock"));
  auto moved = std::move(first);
  CHECK_FALSE(try_lock(folder / "lock"));
  moved.reset();
  CHECK(try_lock(folder / "lock"));
}

TEST_CASE("FileLock: a file that cannot be locked is not taken for one that somebody holds") {
  const ScratchFolder folder;
  CHECK(error_of([&] { static_cast<void>(try_lock(folder / "none/lock")); }) ==
        "cannot write " + (folder / "none/lock").string() + ": No such file or directory");
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string told = refuse_locks(ENOLCK)
                                 ? error_of([&] { static_cast<void>(try_lock(folder / "lock")); })
                                 : "no filter of system calls";
    const bool is_told = ::write(pipe[1], told.data(), told.size()) >= 0;
    ::_exit(is_told ? 0 : 1);
  }
  ::close(pipe[1]);
  std::array<char, 1000> text{};
  const ssize_t size = ::read(pipe[0], text.data(), text.size());
  ::close(pipe[0]);
  ::waitpid(child, nullptr, 0);
  REQUIRE(size > 0);
  CHECK(std::string(text.data(), static_cast<std::size_t>(size)) ==
        "cannot lock " + (folder / "lock").string() + ": No locks available");
}
