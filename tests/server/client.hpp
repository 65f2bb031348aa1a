#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/timing.hpp"

namespace pitboss::tests {

/// A client of the daemon for tests: blocks, but never longer than a timeout, after which it
/// throws std::runtime_error.
class Client {
 public:
  /// How much lies on the way from the server: through a narrow pipe some ten thousand bytes, not
  /// millions.
  enum class Pipe : bool { wide, narrow };

  /// From `own` address, or any.
  explicit Client(std::uint16_t port, const std::string& host = "127.0.0.1",
                  const std::string& own = "", Pipe pipe = Pipe::wide);

  /// Sends bytes as they are.
  void write(std::string_view bytes);
  /// The next answer, with the empty line that ends it. At the end of the stream: what there is.
  std::string answer();
  /// The next line, without its line feed.
  std::string line();
  /// Sends a line and returns its answer, which must be the next.
  std::string ask(std::string_view line);
  /// Whether something has come behind the last answer or line, and in one piece with it.
  [[nodiscard]] bool has_more() const { return !input_.empty(); }
  /// The next so many bytes; fewer at the end of the stream.
  std::string bytes(std::size_t count);
  /// All that comes until the server closes.
  std::string rest();

  /// Asks without reading, until the server has taken nothing more for two seconds.
  void write_until_blocked();

  /// Says that nothing more will be sent.
  void end_input();
  /// Closes as a program does that ends.
  void close();
  /// Closes in a way that the server notices at once.
  void reset();

  [[nodiscard]] boost::asio::ip::tcp::socket& socket() { return socket_; }

  std::chrono::milliseconds timeout = longest_wait;

 private:
  bool read_some();  // false at the end of the stream

  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_;
  std::string input_;
};

}  // namespace pitboss::tests
