#include "clients/players/child_program.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "tests/timing.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

namespace {

bool exists(pid_t process) { return ::kill(process, 0) == 0 || errno == EPERM; }

bool ends(pid_t process) {
  return tests::eventually([&] { return !exists(process); });
}

/// The lines that a program writes.
class Lines {
 public:
  explicit Lines(LineStream::Socket& socket) : socket_(socket) {}
  std::string next() {
    const std::size_t size = asio::read_until(socket_, asio::dynamic_buffer(received_), '\n');
    std::string line = received_.substr(0, size - 1);
    received_.erase(0, size);
    return line;
  }

 private:
  LineStream::Socket& socket_;
  std::string received_;
};

std::string last_words_of(ChildProgram& program, const std::string& expected) {
  std::string words;
  static_cast<void>(tests::eventually([&] { return (words = program.last_words()) == expected; }));
  return words;
}

std::ptrdiff_t descriptors() {
  const std::filesystem::directory_iterator begin("/proc/self/fd");
  return std::distance(begin, std::filesystem::directory_iterator());
}

/// Whether all guards end after their programs, and are reaped, though no other program starts.
bool guards_end() {
  return tests::eventually([] {
    int children = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream in(entry.path() / "children");
      for (pid_t child = 0; in >> child;) ++children;
    }
    return children == 0;
  });
}

}  // namespace

TEST_CASE("ChildProgram talks on its standard streams") {
  asio::io_context io;
  ChildProgram program({"sh", "-c", "read line; echo \"got $line\"; read line"});
  LineStream::Socket socket = program.take_streams(io.get_executor());
  Lines lines(socket);
  asio::write(socket, asio::buffer("a b\n", 4));
  CHECK(lines.next() == "got a b");
  CHECK(exists(program.id()));
  CHECK(program.last_words().empty());
  program.close();
  CHECK(ends(program.id()));
  program.close();
  CHECK(program.last_words().empty());
}

TEST_CASE("ChildProgram: what cannot be started") {
  const std::string folder = std::filesystem::temp_directory_path().string();
  struct Row {
    std::vector<std::string> command;
    std::string what;
  };
  const Row rows[] = {
      {{"no-such-program", "x"}, "cannot start no-such-program: no such file or directory"},
      {{folder}, "cannot start " + folder + ": permission denied"},
      {{}, "cannot start a program without a name: invalid argument"},
      {{""}, "cannot start a program without a name: invalid argument"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    std::string what;
    try {
      const ChildProgram program(row.command);
    } catch (const EngineFailure& failure) {
      what = failure.what();
      CHECK(failure.kind() == EngineFailure::Kind::unreachable);
    }
    CHECK(what == row.what);
  }
}

TEST_CASE("ChildProgram: how it ended, and the end of standard error") {
  ChildProgram good({"sh", "-c", "echo one >&2; echo two >&2; exit 3"});
  CHECK(last_words_of(good, "one\ntwo\n[exit code 3]") == "one\ntwo\n[exit code 3]");
  good.close();
  CHECK(good.last_words() == "one\ntwo\n[exit code 3]");

  ChildProgram killed({"sh", "-c", "printf 'no line' >&2; kill -SEGV $$"});
  const std::string expected = "no line\n[signal 11 (Segmentation fault)]";
  CHECK(last_words_of(killed, expected) == expected);

  ChildProgram flood({"sh", "-c", "yes warning | head -c 1000000 >&2; echo done >&2; read x"});
  std::string words;
  CHECK(tests::eventually([&] { return (words = flood.last_words()).ends_with("done\n"); }));
  CHECK(words.size() == 2048);
  CHECK(words.ends_with("warning\ndone\n"));
}

TEST_CASE("ChildProgram: everything is ended") {
  // A child of the program's, one in a session of its own, and both deaf to SIGTERM.
  const std::string script =
      "trap '' TERM HUP; sleep 1000 & echo $!; sh -c 'sleep 1000 & echo $!'; echo ready; "
      "while :; do sleep 1000; done";
  const auto time_to_close = [&] {
    asio::io_context io;
    ChildProgram program({"sh", "-c", script}, 2s);
    LineStream::Socket socket = program.take_streams(io.get_executor());
    Lines lines(socket);
    const pid_t child = std::stoi(lines.next());
    const pid_t grandchild = std::stoi(lines.next());
    CHECK(lines.next() == "ready");
    for (const pid_t process : {program.id(), child, grandchild}) CHECK(exists(process));

    const auto begin = SteadyClock::now();
    program.close();
    const auto time = SteadyClock::now() - begin;
    CHECK(exists(program.id()));  // nobody has waited for its end
    for (const pid_t process : {program.id(), child, grandchild}) CHECK(ends(process));
    return time;
  };
  CHECK(tests::quickest(5, 50ms, time_to_close) < 50ms);
}

TEST_CASE("ChildProgram: a program that ends on SIGTERM has the time to") {
  asio::io_context io;
  ChildProgram program(
      {"sh", "-c", "trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done"});
  LineStream::Socket socket = program.take_streams(io.get_executor());
  Lines lines(socket);
  CHECK(lines.next() == "ready");
  program.close();
  CHECK(lines.next() == "bye");
  CHECK(ends(program.id()));
}

TEST_CASE("ChildProgram: nothing is left when we are killed, not even stopped programs") {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t referee = ::fork();
  if (referee == 0) {
    const ChildProgram program({"sh", "-c", "trap '' TERM; kill -STOP $$; sleep 1000"}, 100ms);
    const pid_t id = program.id();
    static_cast<void>(!::write(pipe[1], &id, sizeof id));
    for (;;) ::pause();
  }
  pid_t program = 0;
  REQUIRE(::read(pipe[0], &program, sizeof program) == sizeof program);
  CHECK(exists(program));
  ::kill(referee, SIGKILL);
  ::waitpid(referee, nullptr, 0);
  CHECK(ends(program));
  for (const int end : pipe) ::close(end);
}

TEST_CASE("ChildProgram: no zombies, and no descriptors") {
  { const ChildProgram first({"true"}); }
  const auto before = descriptors();
  for (int i = 0; i < 20; ++i) const ChildProgram program({"true"});
  CHECK(descriptors() == before);
  CHECK(guards_end());
}

TEST_CASE("ChildProgram: with few descriptors a program works or cannot be started") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  int started = 0;
  int refused = 0;
  for (rlim_t limit = static_cast<rlim_t>(descriptors()); limit <= 100; ++limit) {
    CAPTURE(limit);
    const rlimit small{limit, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &small) == 0);
    std::optional<ChildProgram> program;
    std::string failure;
    try {
      program.emplace(
          std::vector<std::string>{"sh", "-c", "echo ready; read line; echo $line >&2"});
    } catch (const EngineFailure& e) {
      failure = e.what();
    }
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    if (!program) {
      CHECK(failure == "cannot start sh: too many open files");
      ++refused;
      continue;
    }
    ++started;
    asio::io_context io;
    LineStream::Socket socket = program->take_streams(io.get_executor());
    CHECK(Lines(socket).next() == "ready");
    asio::write(socket, asio::buffer("heard\n", 6));
    CHECK(last_words_of(*program, "heard\n[exit code 0]") == "heard\n[exit code 0]");
  }
  CHECK(started > 50);
  CHECK(refused > 5);
  CHECK(guards_end());
}

}  // namespace pitboss::clients
