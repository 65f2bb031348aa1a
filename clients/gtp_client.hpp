#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "clients/address.hpp"

namespace pitboss::clients {

/// What an engine answered to one command.
struct GtpAnswer {
  bool ok;           ///< "=" rather than "?"
  std::string text;  ///< without status, id and final line feeds; lines separated by '\n'
};

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

/// One conversation with a GTP engine over TCP. Commands carry ids and the answers must echo them,
/// so that an engine which answers twice is found out instead of being believed one move late.
///
/// For one coroutine at a time; `connect`, `ask` and `demand` suspend it and throw GtpFailure.
/// After a failure the connection is closed, and `connect` starts a new one.
class GtpClient {
 public:
  using Duration = std::chrono::milliseconds;

  /// An answer longer than this is taken for garbage.
  static constexpr std::size_t max_answer_bytes = std::size_t{1} << 20;

  explicit GtpClient(boost::asio::any_io_executor executor);

  /// Connects anew; an existing connection is closed first.
  boost::asio::awaitable<void> connect(Address address, Duration timeout);
  /// Sends one command and waits for its answer. The command must be a single line.
  boost::asio::awaitable<GtpAnswer> ask(std::string command, Duration timeout);
  /// The same for a command that has to succeed: "?" is a failure, too (but leaves the connection
  /// as it is).
  boost::asio::awaitable<std::string> demand(std::string command, Duration timeout);

  [[nodiscard]] bool is_connected() const;
  void close();

  /// A connection, and what has come that no answer was read from.
  struct Released {
    boost::asio::ip::tcp::socket socket;
    std::string received;
  };
  /// Gives the connection away, to go on with by other means. There must be one.
  [[nodiscard]] Released release();

 private:
  struct Wire;

  void start_deadline(Duration timeout);
  void stop_deadline();
  boost::asio::awaitable<void> read_more(Duration timeout);
  /// Closes the connection and throws what fits: silence if the deadline has passed.
  [[noreturn]] void fail(GtpFailure::Kind kind, const std::string& what, Duration timeout);

  boost::asio::any_io_executor executor_;
  std::shared_ptr<Wire> wire_;  // shared with the deadline's handler, which may outlive us
  std::uint32_t last_id_ = 0;
};

/// Reads one complete answer (without its terminating empty line). Throws GtpFailure (garbage) if
/// it does not begin with a status and the id.
[[nodiscard]] GtpAnswer parse_answer(std::string_view block, std::uint32_t id);

/// Text from a stranger made fit for a record: one line of printable ASCII of bounded length.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_length = 60);

/// "300 s", "0.25 s".
[[nodiscard]] std::string seconds_text(std::chrono::milliseconds duration);

}  // namespace pitboss::clients
