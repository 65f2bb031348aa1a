#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "clients/address.hpp"
#include "clients/engines/transcript.hpp"

namespace pitboss::clients {

/// An engine that gave no usable answer. `what()` is short and says the same for the same
/// misbehaviour every time: "connection closed", "no answer in 300 s", "garbage: HTTP/1.1 400",
/// "refused: play b d3: illegal move".
class GtpFailure : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t { unreachable, closed, silent, garbage, refused };
  GtpFailure(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// A stream of lines to an engine and back, over TCP or to a program beside us, with a deadline on
/// everything. What is said on it is the business of GtpClient and UciClient.
///
/// For one coroutine at a time; what returns an awaitable suspends it and throws GtpFailure, after
/// which the stream is closed.
class Wire {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  using Duration = std::chrono::milliseconds;

  explicit Wire(boost::asio::any_io_executor executor);

  /// Connects anew; an existing connection is closed first.
  boost::asio::awaitable<void> connect(Address address, Duration timeout);
  /// Goes on with a connection that there is already.
  void adopt(Socket socket);

  [[nodiscard]] bool is_open() const;
  /// Whether the other end has closed an open connection, and all that it sent before was read.
  [[nodiscard]] bool is_cut() const;
  /// Whoever waits for something gets "connection closed".
  void close();

  /// The time for the reads and writes that follow, all together. Without one they may take for
  /// ever.
  void start_deadline(Duration timeout);
  void stop_deadline();
  boost::asio::awaitable<void> write(std::string text);
  /// Waits for more, and adds it to `received`.
  boost::asio::awaitable<void> read_more();
  /// Tells the other end at once what has come, and not only with the next thing that is said: one
  /// that sends its second answer when the first has been acknowledged (Nagle's algorithm) would
  /// wait for 40 ms.
  void acknowledge();
  /// What has come and nobody has taken out, without carriage returns.
  [[nodiscard]] std::string& received();
  /// Closes the connection and throws. The beginning of what was received goes into the transcript.
  [[noreturn]] void fail(GtpFailure::Kind kind, const std::string& what);

  [[nodiscard]] Transcript& transcript() { return transcript_; }
  [[nodiscard]] const Transcript& transcript() const { return transcript_; }

  /// A connection, and what has come that no answer was read from.
  struct Released {
    Socket socket;
    std::string received;
  };
  /// Gives the connection away, to go on with by other means. There must be one.
  [[nodiscard]] Released release();

 private:
  struct State;

  boost::asio::any_io_executor executor_;
  std::shared_ptr<State> state_;  // shared with the deadline's handler, which may outlive us
  Transcript transcript_;
};

/// "300 s", "0.25 s".
[[nodiscard]] std::string seconds_text(std::chrono::milliseconds duration);

}  // namespace pitboss::clients
