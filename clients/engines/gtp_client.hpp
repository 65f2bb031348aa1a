#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clients/address.hpp"
#include "clients/engines/wire.hpp"

namespace pitboss::clients {

/// What an engine answered to one command.
struct GtpAnswer {
  bool ok;           ///< "=" rather than "?"
  std::string text;  ///< without status, id and final line feeds; lines separated by '\n'
};

/// One conversation with a GTP engine over any stream. Commands carry ids and the answers must echo
/// them, so that an engine which answers twice is found out instead of being believed one move
/// late.
///
/// For one coroutine at a time; `connect`, `ask` and the `demand`s suspend it and throw
/// GtpFailure. After a failure the connection is closed, and `connect` starts a new one.
class GtpClient {
 public:
  using Duration = Wire::Duration;
  using Released = Wire::Released;

  /// An answer longer than this is taken for garbage.
  static constexpr std::size_t max_answer_bytes = std::size_t{1} << 20;

  explicit GtpClient(boost::asio::any_io_executor executor);

  /// Connects anew; an existing connection is closed first.
  boost::asio::awaitable<void> connect(Address address, Duration timeout);
  /// Talks to whoever is at the other end, from the beginning.
  void adopt(Wire::Socket socket);
  /// Sends one command and waits for its answer. The command must be a single line.
  boost::asio::awaitable<GtpAnswer> ask(std::string command, Duration timeout);
  /// The same for a command that has to succeed: "?" is a failure, too (but leaves the connection
  /// as it is).
  boost::asio::awaitable<std::string> demand(std::string command, Duration timeout);

  /// Several such commands, sent at once: one way to the engine and back instead of many. All
  /// answers together get `timeout`. Returns the texts of all; of several refusals the first is
  /// thrown.
  boost::asio::awaitable<std::vector<std::string>> demand_all(std::vector<std::string> commands,
                                                              Duration timeout);

  [[nodiscard]] bool is_connected() const { return wire_.is_open(); }
  void close() { wire_.close(); }
  [[nodiscard]] Wire& wire() { return wire_; }
  [[nodiscard]] const Wire& wire() const { return wire_; }
  /// Gives the connection away, to go on with by other means. There must be one.
  [[nodiscard]] Released release() { return wire_.release(); }

 private:
  boost::asio::awaitable<GtpAnswer> read_answer(std::uint32_t id);

  Wire wire_;
  std::uint32_t last_id_ = 0;
};

/// Reads one complete answer (without its terminating empty line). Throws GtpFailure (garbage) if
/// it does not begin with a status and the id.
[[nodiscard]] GtpAnswer parse_answer(std::string_view block, std::uint32_t id);

}  // namespace pitboss::clients
