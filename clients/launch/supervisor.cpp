#include "clients/launch/supervisor.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <optional>
#include <tuple>
#include <utility>

#include "clients/launch/attendance.hpp"
#include "clients/players/child_program.hpp"
#include "clients/players/engine_failure.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using environment::AwakeClock;

namespace {

/// A program that has run for so long did not fail at its start.
constexpr auto settled = 60s;
/// For so long programs are started again that fail at their start.
constexpr auto longest_failing = 10min;
constexpr auto longest_pause = 30s;
constexpr auto look_for_host = 10s;
/// For the ends of the others, when one has found the experiment finished.
constexpr auto time_to_finish = 10s;
constexpr auto time_to_drop = 15s;
/// Between SIGTERM and SIGKILL by the guard.
constexpr auto grace = 10s;

constexpr int finished_code = 0;
constexpr int refused_code = 2;
constexpr int no_program_codes[] = {126, 127};  // of a shell
constexpr int ssh_failed_code = 255;

/// The sentence with which a program has ended: all after "pitboss: ", or its last line.
std::string sentence_in(const std::string& words) {
  std::string text = words.substr(0, words.rfind('['));  // "[exit code 2]"
  text.erase(text.find_last_not_of("\r\n ") + 1);
  constexpr std::string_view ours = "pitboss: ";
  const std::size_t named = text.rfind(ours);
  const bool is_at_start = named == 0 || (named != std::string::npos && text[named - 1] == '\n');
  if (is_at_start) return text.substr(named + ours.size());
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

struct Supervisor::Kept {
  Kept(asio::io_context& io, Charge charge_) : charge(std::move(charge_)), timer(io) {}

  Charge charge;
  asio::steady_timer timer;
  std::optional<ChildProgram> program;
  std::optional<LineStream::Socket> streams;
  bool has_answered = false;  ///< ever
  bool is_missing = false;    ///< when it was tried last
  bool has_refused = false;
  std::string why;  ///< of either
};

struct Supervisor::Attempt {
  int code = refused_code;
  std::string sentence;
};

Supervisor::Supervisor(asio::io_context& io, const std::vector<Charge>& charges,
                       std::function<void(const std::string&)> on_note)
    : io_(io), on_note_(std::move(on_note)), limit_(io), words_(io) {
  for (const Charge& charge : charges) kept_.emplace_back(io, charge);
}

Supervisor::~Supervisor() = default;

void Supervisor::start(std::function<void()> on_end) {
  on_end_ = std::move(on_end);
  running_ = kept_.size();
  for (Kept& one : kept_) {
    asio::co_spawn(io_, keep(one), [this](std::exception_ptr failure) {
      if (failure) std::rethrow_exception(failure);
      if (--running_ > 0) return;
      limit_.cancel();
      words_.cancel();
      on_end_();
    });
  }
  asio::co_spawn(io_, speak(), asio::detached);
}

asio::awaitable<void> Supervisor::keep(Kept& one) {
  auto failing_since = AwakeClock::now();
  Milliseconds next_pause = 1s;
  bool is_first = true;  // but for those of a host that did not answer
  while (!is_ending_ && !is_finished_) {
    const auto begun = AwakeClock::now();
    const Attempt ended = co_await attempt(one);
    if (ended.code == finished_code) finish();
    if (is_finished_ || is_ending_) co_return;
    if (one.charge.is_remote && ended.code == ssh_failed_code) {
      miss(one, ended.sentence);
      co_await pause(one, look_for_host);
      failing_since = AwakeClock::now();
      next_pause = 1s;
      is_first = is_first && !one.has_answered;
      continue;
    }
    one.is_missing = false;
    if (AwakeClock::now() - begun >= settled) {
      failing_since = AwakeClock::now();
      next_pause = 1s;
    }
    const bool has_no_program = std::ranges::count(no_program_codes, ended.code) > 0;
    if ((is_first && ended.code == refused_code) || has_no_program ||
        AwakeClock::now() - failing_since > longest_failing) {
      refuse(one, ended.sentence);
      co_return;
    }
    on_note_(one.charge.name + " has ended (" + ended.sentence + "); starting it again");
    co_await pause(one, next_pause);
    next_pause = std::min<Milliseconds>(2 * next_pause, longest_pause);
    is_first = false;
  }
}

/// Runs the program until it ends.
asio::awaitable<Supervisor::Attempt> Supervisor::attempt(Kept& one) {
  try {
    one.program.emplace(one.charge.command, grace);
  } catch (const EngineFailure& failure) {
    co_return Attempt{refused_code, failure.what()};
  }
  one.streams.emplace(one.program->take_streams(io_.get_executor()));
  co_await read(one);
  co_await one.program->wait_for_end(2s);
  const std::string words = one.program->last_words();
  Attempt out{one.program->exit_code().value_or(1), sentence_in(words)};
  if (out.sentence.empty()) out.sentence = words;
  one.streams.reset();
  one.program.reset();
  co_return out;
}

/// Reads what the program writes, until it ends.
asio::awaitable<void> Supervisor::read(Kept& one) {
  std::string text;
  std::array<char, 4096> some{};
  for (;;) {
    boost::system::error_code error;
    const std::size_t size = co_await one.streams->async_read_some(
        asio::buffer(some), asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
    if (!one.charge.is_remote) continue;
    if (std::exchange(one.is_missing, false)) on_note_(one.charge.name + " is back");
    one.has_answered = true;
    text.append(some.data(), size);
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos;) {
      on_note_(one.charge.name + ": " + text.substr(0, end));
      text.erase(0, end + 1);
    }
    if (text.size() > some.size()) text.clear();  // no line of ours
  }
}

asio::awaitable<void> Supervisor::pause(Kept& one, Milliseconds duration) const {
  one.timer.expires_after(duration);
  boost::system::error_code woken;
  if (is_ending_ || is_finished_) co_return;
  co_await one.timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

void Supervisor::miss(Kept& one, const std::string& why) {
  one.why = why;
  const bool is_news = !std::exchange(one.is_missing, true);
  if (nobody_plays()) {
    drain();
  } else if (is_news) {
    on_note_(one.charge.name + " is missing (" + why + "); looking for it every " +
             std::to_string(std::chrono::seconds(look_for_host).count()) + " s");
  }
}

void Supervisor::refuse(Kept& one, const std::string& why) {
  one.why = why;
  one.has_refused = true;
  if (nobody_plays()) {
    drain();
  } else {
    on_note_(one.charge.name + " does not play: " + why);
  }
}

/// Whether each program has refused, or is on a host that has never answered.
bool Supervisor::nobody_plays() const {
  return std::ranges::all_of(kept_, [](const Kept& one) {
    return one.has_refused || (one.is_missing && !one.has_answered);
  });
}

std::vector<std::string> Supervisor::refusals() const {
  std::vector<std::string> out;
  for (const Kept& one : kept_) {
    if (one.has_refused || one.is_missing) out.push_back(one.charge.name + ": " + one.why);
  }
  return out;
}

void Supervisor::finish() {
  if (std::exchange(is_finished_, true)) return;
  for (Kept& one : kept_) {
    one.timer.cancel();
    // Nobody hears it, or nobody is there yet.
    if (one.program && one.charge.is_remote && !one.has_answered) one.streams->cancel();
  }
  if (!is_dropping_) end_after(time_to_finish, &Supervisor::drop);
}

void Supervisor::drain(Milliseconds limit) {
  if (is_dropping_) return;
  if (!std::exchange(is_ending_, true)) {
    for (Kept& one : kept_) {
      one.timer.cancel();
      tell(one, attendance::drain);
    }
  }
  if (limit != Milliseconds::max()) end_after(limit, &Supervisor::drop);
}

void Supervisor::drop() {
  is_ending_ = true;
  if (std::exchange(is_dropping_, true)) return;
  for (Kept& one : kept_) {
    one.timer.cancel();
    tell(one, attendance::drop);
  }
  end_after(time_to_drop, &Supervisor::close_all);
}

void Supervisor::end_after(Milliseconds limit, void (Supervisor::*end)()) {
  limit_.expires_after(limit);
  limit_.async_wait([this, end](const boost::system::error_code& cancelled) {
    if (!cancelled) (this->*end)();
  });
}

void Supervisor::close_all() {
  for (Kept& one : kept_) {
    if (one.program) one.program->close();
    if (one.streams) one.streams->cancel();
  }
}

void Supervisor::tell(Kept& one, std::string_view word) {
  if (!one.program || !one.streams) return;
  if (one.charge.is_remote) {
    const std::string line = std::string(word) + "\n";
    // What does not fit is not needed: a later word tells the same.
    std::ignore =
        ::send(one.streams->native_handle(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  } else if (word == attendance::drain) {
    ::kill(one.program->id(), SIGINT);
  } else if (word == attendance::drop) {
    ::kill(one.program->id(), SIGTERM);
  }
}

/// Has remote programs hear that this one lives.
asio::awaitable<void> Supervisor::speak() {
  for (;;) {
    words_.expires_after(attendance::interval);
    boost::system::error_code cancelled;
    co_await words_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    if (cancelled || running_ == 0) co_return;
    const std::string_view word = is_dropping_ ? attendance::drop
                                  : is_ending_ ? attendance::drain
                                               : attendance::alive;
    for (Kept& one : kept_) {
      if (one.charge.is_remote) tell(one, word);
    }
  }
}

}  // namespace pitboss::clients
