#include "clients/players/child_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cctype>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "clients/players/program_guard.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using SteadyClock = std::chrono::steady_clock;

namespace {

/// How long to wait for an answer of a guard, which does nothing else.
constexpr int guard_patience_ms = 200;

/// Closes its descriptor when it is destroyed.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

using Ends = std::pair<Descriptor, Descriptor>;

[[noreturn]] void fail(const std::string& program, int error) {
  std::string why = games::system_reason(error);
  why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
  throw EngineFailure(EngineFailure::Kind::unreachable,
                      "cannot start " + printable(program, 200) + ": " + why);
}

Ends socket_pair(int type, const std::string& program) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(program, errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Ends pipe_pair(const std::string& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(program, errno);
  Ends out{Descriptor(ends[0]), Descriptor(ends[1])};
  // O_NONBLOCK is for this end only.
  if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) fail(program, errno);
  return out;
}

/// All guards of this process that have been told to end. A thread reaps them as they end; our exit
/// waits for those that are left, but 0.2 s at most, and leaves the rest to init.
class DismissedGuards {
 public:
  DismissedGuards() = default;
  ~DismissedGuards() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(200), [&] { return guards_.empty(); });
  }
  DismissedGuards(const DismissedGuards&) = delete;
  DismissedGuards& operator=(const DismissedGuards&) = delete;
  static DismissedGuards& instance() {
    static DismissedGuards guards;
    return guards;
  }
  void add(pid_t guard) {
    const std::scoped_lock lock(mutex_);
    guards_.push_back(guard);
    if (!reaper_.joinable()) {
      reaper_ = std::jthread([this](const std::stop_token& stop) { reap(stop); });
    }
    changed_.notify_all();
  }

 private:
  void reap(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !guards_.empty(); })) {
      std::erase_if(guards_, [](pid_t guard) { return ::waitpid(guard, nullptr, WNOHANG) != 0; });
      if (guards_.empty()) {
        changed_.notify_all();
      } else {
        changed_.wait_for(lock, stop, std::chrono::milliseconds(5), [] { return false; });
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<pid_t> guards_;
  std::jthread reaper_;  // the last member: it ends before the others
};

std::string text_of(const GuardReport& report) {
  const std::string number = std::to_string(report.number);
  if (report.end == GuardReport::End::exit) return "[exit code " + number + "]";
  const char* const name = ::sigdescr_np(report.number);
  return "[signal " + number + (name != nullptr ? " (" + std::string(name) + ")" : "") + "]";
}

}  // namespace

ChildProgram::ChildProgram(const std::vector<std::string>& command, Milliseconds grace) {
  const std::string program = command.empty() ? "" : command.front();
  if (program.empty()) fail("a program without a name", EINVAL);
  auto [ours, its] = socket_pair(SOCK_STREAM, program);
  auto [control, guards] = socket_pair(SOCK_SEQPACKET, program);
  const auto [errors_read, errors] = pipe_pair(program);

  const GuardedProgram started = start_guarded(
      command, {its.number(), errors.number(), errors_read.number(), guards.number()}, grace);
  guard_ = started.guard;
  program_ = started.program;
  control_ = control.release();
  if (started.error != 0) {
    close();
    fail(program, started.error);
  }
  streams_ = ours.release();
}

ChildProgram::~ChildProgram() { close(); }

LineStream::Socket ChildProgram::take_streams(const asio::any_io_executor& executor) {
  const asio::generic::stream_protocol local(AF_UNIX, 0);
  return {executor, local, std::exchange(streams_, -1)};
}

void ChildProgram::close() {
  if (control_ < 0) return;
  if (guard_ > 0) {
    ask_guard();
    DismissedGuards::instance().add(guard_);
  }
  for (int* const descriptor : {&streams_, &control_}) {
    if (*descriptor >= 0) ::close(std::exchange(*descriptor, -1));
  }
}

void ChildProgram::ask_guard() {
  if (control_ < 0) return;
  const char request = 0;
  GuardReport report{};
  // Drops answers that came too late for earlier questions.
  while (::recv(control_, &report, sizeof report, MSG_DONTWAIT) > 0) continue;
  pollfd answer{control_, POLLIN, 0};
  if (::send(control_, &request, 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1 ||
      ::poll(&answer, 1, guard_patience_ms) <= 0 ||
      ::recv(control_, &report, sizeof report, MSG_DONTWAIT) != sizeof report) {
    return;
  }
  errors_.assign(report.errors.data(), static_cast<std::size_t>(report.errors_size));
  if (report.end != GuardReport::End::none) ending_ = text_of(report);
  if (report.end == GuardReport::End::exit) exit_code_ = report.number;
  stops_ = report.stops;
}

asio::awaitable<void> ChildProgram::wait_for_end(Milliseconds limit) {
  asio::steady_timer pause(co_await asio::this_coro::executor);
  const auto end = SteadyClock::now() + limit;
  for (ask_guard(); ending_.empty() && control_ >= 0 && SteadyClock::now() < end; ask_guard()) {
    pause.expires_after(Milliseconds(2));
    co_await pause.async_wait(asio::use_awaitable);
  }
}

bool ChildProgram::has_ended() {
  ask_guard();
  pollfd guard{control_, 0, 0};
  const bool is_guarded = control_ >= 0 && ::poll(&guard, 1, 0) == 0;
  return !ending_.empty() || !is_guarded;
}

bool ChildProgram::was_stopped() {
  ask_guard();
  return std::exchange(stops_told_, stops_) != stops_;
}

std::string ChildProgram::last_words() {
  ask_guard();
  const bool has_line = errors_.empty() || errors_.back() == '\n';
  return errors_ + (has_line || ending_.empty() ? "" : "\n") + ending_;
}

}  // namespace pitboss::clients
