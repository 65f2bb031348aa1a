#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "clients/experiments/address.hpp"
#include "clients/players/engine_failure.hpp"
#include "clients/players/transcript.hpp"

namespace pitboss::clients {

/// A two-way stream of lines to an engine, over TCP or to a program that we have started, with a
/// deadline on every exchange. It knows how to enter a server; GtpClient and LineClient know the
/// rest of the protocols.
///
/// For one coroutine at a time; what returns an awaitable suspends it and throws EngineFailure,
/// after which the stream is closed.
class LineStream {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  using Duration = std::chrono::milliseconds;

  explicit LineStream(boost::asio::any_io_executor executor);

  /// Connects anew, with TLS and the server's token if the address says so; an existing connection
  /// is closed first. After TLS, `release` gives the near end of a tunnel (tls_tunnel.hpp).
  boost::asio::awaitable<void> connect(Address address, Duration timeout);
  /// Takes over an open connection.
  void adopt(Socket socket);

  [[nodiscard]] bool is_open() const;
  /// Whether the other end has closed an open connection, with no unread bytes left.
  [[nodiscard]] bool is_cut() const;
  /// Closes the connection; a coroutine that waits gets an EngineFailure, "connection closed".
  void close();

  /// Sets one time limit for all following reads and writes together. Without a deadline they may
  /// take for ever.
  void start_deadline(Duration timeout);
  void stop_deadline();
  boost::asio::awaitable<void> write(std::string text);
  /// Waits for bytes and appends them to `received`.
  boost::asio::awaitable<void> read_more();
  /// Goes on reading until `read_more` or `close` is called, so that an engine which talks while it
  /// ponders is not held up. Keeps the last lines.
  void read_ahead();
  /// Reads what has arrived, and then no more: the stream ends there.
  void end_reading();
  /// Sends the TCP acknowledgement at once: an engine that holds its second answer back until the
  /// first is acknowledged (Nagle's algorithm) would wait for 40 ms.
  void acknowledge();
  /// The bytes received and not yet consumed, without carriage returns; callers erase what they
  /// have read.
  [[nodiscard]] std::string& received();
  /// Closes the connection and throws. The beginning of what was received goes into the transcript.
  [[noreturn]] void fail(EngineFailure::Kind kind, const std::string& what);

  [[nodiscard]] Transcript& transcript() { return transcript_; }
  [[nodiscard]] const Transcript& transcript() const { return transcript_; }

  /// A connection, and the bytes received and not yet consumed.
  struct Released {
    Socket socket;
    std::string received;
  };
  /// Hands the open connection over to the caller.
  [[nodiscard]] Released release();

 private:
  struct State;

  boost::asio::awaitable<void> enter(Address address);

  boost::asio::any_io_executor executor_;
  std::shared_ptr<State> state_;  // shared with the deadline's handler, which may outlive us
  Transcript transcript_;
};

/// "300 s", "0.25 s".
[[nodiscard]] std::string seconds_text(std::chrono::milliseconds duration);

}  // namespace pitboss::clients
