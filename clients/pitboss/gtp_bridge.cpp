#include "clients/pitboss/gtp_bridge.hpp"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <csignal>
#include <exception>
#include <optional>
#include <utility>

#include "clients/pitboss/gtp_traffic.hpp"
#include "protocol/awaiting.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

using Stream = asio::posix::stream_descriptor;

/// A standard stream that does not block during this object's life. Other processes (a terminal's
/// shell) share this property of the stream, so it is restored.
class StandardStream {
 public:
  StandardStream(asio::io_context& io, int descriptor)
      : descriptor_(descriptor), flags_(::fcntl(descriptor, F_GETFL)), stream_(io) {
    const int copy = flags_ < 0 ? -1 : ::dup(descriptor);
    if (copy < 0) throw boost::system::system_error(errno, boost::system::system_category());
    stream_.assign(copy);
  }
  ~StandardStream() { ::fcntl(descriptor_, F_SETFL, flags_); }
  StandardStream(const StandardStream&) = delete;
  StandardStream& operator=(const StandardStream&) = delete;

  [[nodiscard]] Stream& stream() { return stream_; }

 private:
  int descriptor_;
  int flags_;
  Stream stream_;
};

/// Live graphics on their way to standard error. Each block replaces the picture before it: while
/// one block is being written, only the newest one waits, and those between are dropped.
class GraphicsOutput {
 public:
  explicit GraphicsOutput(Stream& out) : out_(out) {}

  void show(std::string block) {
    if (block.empty()) return;
    next_ = std::move(block);
    if (!waiting_) write();
  }

 private:
  void write() {
    while (!now_.empty() || !next_.empty()) {
      if (now_.empty()) now_.swap(next_);
      error_code error;
      now_.erase(0, out_.write_some(asio::buffer(now_), error));
      if (error == asio::error::would_block) {
        waiting_ = true;
        out_.async_wait(Stream::wait_write, [this](const error_code& wait_error) {
          waiting_ = false;
          if (!wait_error) write();
        });
        return;
      }
      if (error) return now_.clear();
    }
  }

  Stream& out_;
  std::string now_;
  std::string next_;
  bool waiting_ = false;
};

class Bridge {
 public:
  Bridge(asio::io_context& io, LineStream::Socket socket, bool moves_graphics)
      : io_(io),
        socket_(std::move(socket)),
        signals_(io, SIGINT, SIGTERM),
        input_(io, STDIN_FILENO),
        output_(io, STDOUT_FILENO),
        errors_(io, STDERR_FILENO),
        graphics_(errors_.stream()),
        moves_graphics_(moves_graphics) {
    errors_.stream().non_blocking(true);
  }

  BridgeResult run(std::string received) {
    asio::co_spawn(io_, send(), protocol::rethrow);
    asio::co_spawn(io_, receive(std::move(received)), protocol::rethrow);
    asio::co_spawn(io_, watch_output(), protocol::rethrow);
    signals_.async_wait([this](const error_code& error, int number) {
      if (!error) finish({BridgeEnd::interrupted, {}, number});
    });
    io_.run();
    return std::move(result_).value();
  }

 private:
  asio::awaitable<void> send() {
    std::array<char, 16384> chunk;
    for (;;) {
      const auto [error, size] =
          co_await input_.stream().async_read_some(asio::buffer(chunk), protocol::awaiting);
      if (error) break;
      sent_.take({chunk.data(), size});
      const auto [write_error, written] =
          co_await asio::async_write(socket_, asio::buffer(chunk, size), protocol::awaiting);
      if (write_error) co_return;  // `receive` finds the failure after it has read all answers
    }
    sent_.end();
    error_code ignored;
    socket_.shutdown(LineStream::Socket::shutdown_send, ignored);
  }

  asio::awaitable<void> receive(std::string bytes) {
    std::array<char, 16384> chunk;
    for (;;) {
      if (!co_await pass_on(bytes)) co_return;
      const auto [error, size] =
          co_await socket_.async_read_some(asio::buffer(chunk), protocol::awaiting);
      if (error) {
        std::string rest;
        received_.end(rest);
        if (co_await write(rest)) finish(end_by(error));
        co_return;
      }
      bytes.assign(chunk.data(), size);
    }
  }

  asio::awaitable<bool> pass_on(const std::string& bytes) {
    std::string answers;
    std::string graphics;
    received_.take(bytes, answers, moves_graphics_ ? graphics : answers);
    graphics_.show(std::move(graphics));  // first: GoGui ignores graphics after the answer
    co_return co_await write(answers);
  }

  asio::awaitable<bool> write(const std::string& text) {
    const auto [error, size] =
        co_await asio::async_write(output_.stream(), asio::buffer(text), protocol::awaiting);
    if (error) finish({BridgeEnd::nobody});
    co_return !error;
  }

  asio::awaitable<void> watch_output() {
    for (;;) {
      const auto [error] =
          co_await output_.stream().async_wait(Stream::wait_error, protocol::awaiting);
      if (error) co_return;  // a file: it always takes the output
      pollfd state{output_.stream().native_handle(), 0, 0};
      if (::poll(&state, 1, 0) > 0 && (state.revents & POLLERR) != 0) break;
    }
    finish({BridgeEnd::nobody});
  }

  [[nodiscard]] BridgeResult end_by(const error_code& error) const {
    if (error != asio::error::eof) return {BridgeEnd::lost, error.message()};
    if (received_.count() < sent_.count()) {
      return {BridgeEnd::lost, "closed before all commands were answered"};
    }
    return {sent_.is_over() ? BridgeEnd::closed : BridgeEnd::unasked};
  }

  void finish(BridgeResult result) {
    if (!result_) result_ = std::move(result);
    io_.stop();
  }

  asio::io_context& io_;
  LineStream::Socket socket_;
  asio::signal_set signals_;
  StandardStream input_;
  StandardStream output_;
  StandardStream errors_;
  GraphicsOutput graphics_;
  bool moves_graphics_;
  SentCommands sent_;
  ReceivedAnswers received_;
  std::optional<BridgeResult> result_;
};

}  // namespace

BridgeResult run_bridge(asio::io_context& io, LineStream::Socket socket, std::string received,
                        bool moves_graphics) {
  // A closed pipe shall be an error of `write`, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  Bridge bridge(io, std::move(socket), moves_graphics);
  return bridge.run(std::move(received));
}

}  // namespace pitboss::clients
