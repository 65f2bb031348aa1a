#include "clients/training/child_lines.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include "clients/players/line_stream.hpp"

namespace pitboss::clients {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

/// Removes the first complete line from `received` and returns it.
std::optional<std::string> take_line(std::string& received) {
  const std::size_t end = received.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = received.substr(0, end);
  received.erase(0, end + 1);
  return line;
}

asio::awaitable<void> read_lines(LineStream& stream,
                                 const std::function<void(const std::string&)>& on_line) {
  std::string rest;  // of a last line that has no end
  try {
    for (;;) {
      while (const auto line = take_line(stream.received())) on_line(*line);
      rest = stream.received();
      co_await stream.read_more();
    }
  } catch (const EngineFailure&) {  // the program has closed its output
    if (!rest.empty()) on_line(rest);
  }
}

/// Runs `task`, which reads the stream, on this thread. Ends it soon after `stop` is true, or the
/// program has ended: what that has left behind may hold its output open.
void run_beside(ChildProgram& program, asio::awaitable<void> task, asio::io_context& io,
                LineStream& stream, const std::atomic<bool>& stop) {
  std::exception_ptr failure;
  bool is_over = false;
  asio::co_spawn(io, std::move(task), [&](std::exception_ptr e) {
    failure = e;
    is_over = true;
  });
  while (!is_over) {
    io.restart();
    io.run_for(50ms);
    if (stop) {
      stream.close();
    } else if (!is_over && program.has_ended()) {
      stream.end_reading();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Takes the last line off, without its line feed.
std::string take_last(std::string& words) {
  const std::size_t before = words.rfind('\n');
  std::string line = words.substr(before == std::string::npos ? 0 : before + 1);
  words.resize(before == std::string::npos ? 0 : before);
  return line;
}

EndedProgram ended_with(std::string words) {
  while (!words.empty() && words.back() == '\n') words.pop_back();
  EndedProgram ended;
  ended.ending = take_last(words);
  ended.sentence = take_last(words);
  return ended;
}

}  // namespace

EndedProgram run_program(const std::vector<std::string>& command, const std::atomic<bool>& stop,
                         const std::function<void(const std::string&)>& on_line) {
  ChildProgram program(command);
  asio::io_context io;
  LineStream stream(io.get_executor());
  stream.adopt(program.take_streams(io.get_executor()));
  run_beside(program, read_lines(stream, on_line), io, stream, stop);
  // A program may close its output long before its end.
  for (auto pause = 1ms; !stop && !program.has_ended(); pause = std::min(2 * pause, 50ms)) {
    std::this_thread::sleep_for(pause);
  }
  EndedProgram ended = ended_with(program.last_words());
  ended.exit_code = program.exit_code();
  program.close();
  return ended;
}

}  // namespace pitboss::clients
