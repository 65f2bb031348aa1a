#include "clients/training/child_lines.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <optional>

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
  try {
    for (;;) {
      while (const auto line = take_line(stream.received())) on_line(*line);
      co_await stream.read_more();
    }
  } catch (const EngineFailure&) {  // the program has closed its output
  }
}

/// Runs `task` on this thread; closes the stream, which ends the task, soon after `stop` is true.
void run_until(asio::awaitable<void> task, asio::io_context& io, LineStream& stream,
               const std::atomic<bool>& stop) {
  std::exception_ptr failure;
  bool is_over = false;
  asio::co_spawn(io, std::move(task), [&](std::exception_ptr e) {
    failure = e;
    is_over = true;
  });
  while (!is_over) {
    io.restart();
    io.run_for(50ms);
    if (stop) stream.close();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

std::string run_program(const std::vector<std::string>& command, const std::atomic<bool>& stop,
                        const std::function<void(const std::string&)>& on_line) {
  ChildProgram program(command);
  asio::io_context io;
  LineStream stream(io.get_executor());
  stream.adopt(program.take_streams(io.get_executor()));
  const auto watch = [&]() -> asio::awaitable<void> {
    co_await read_lines(stream, on_line);
    if (!stop) co_await program.wait_for_end(10s);
  };
  run_until(watch(), io, stream, stop);
  std::string words = program.last_words();
  program.close();
  return words;
}

}  // namespace pitboss::clients
