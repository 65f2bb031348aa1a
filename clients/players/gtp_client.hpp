#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/address.hpp"
#include "clients/players/line_stream.hpp"
#include "clients/players/told_search.hpp"
#include "protocol/failure_code.hpp"

namespace pitboss::clients {

/// What an engine answered to one command.
struct GtpAnswer {
  bool ok;           ///< "=" rather than "?"
  std::string text;  ///< without status, id, code and final line feeds; lines separated by '\n'
  /// The code of a failure, from a server that tells codes.
  std::optional<protocol::FailureCode> code{};

  /// Whether the engine does not know the command; also any refusal by one that tells no codes.
  [[nodiscard]] bool is_unknown() const {
    return !ok && code.value_or(protocol::FailureCode::unknown_command) ==
                      protocol::FailureCode::unknown_command;
  }
};

/// A GTP client over a stream of lines. Commands carry ids and the answers must echo them, so that
/// an engine which answers twice fails instead of being one move late. What an engine says before
/// its first answer is skipped.
///
/// For one coroutine at a time; `connect`, `ask` and the `demand`s suspend it and throw
/// EngineFailure. After a failure the connection is closed, and `connect` starts a new one.
class GtpClient {
 public:
  using Duration = LineStream::Duration;
  using Released = LineStream::Released;

  /// A longer answer is taken for garbage.
  static constexpr std::size_t max_answer_bytes = std::size_t{1} << 20;

  explicit GtpClient(boost::asio::any_io_executor executor);

  /// Connects anew; an existing connection is closed first.
  boost::asio::awaitable<void> connect(Address address, Duration timeout);
  /// Takes over an open connection on which nothing has been said.
  void adopt(LineStream::Socket socket);
  /// Sends one command and waits for its answer. The command must be a single line.
  boost::asio::awaitable<GtpAnswer> ask(std::string command, Duration timeout);
  /// The same for a command that has to succeed: "?" is an EngineFailure (refused), after which the
  /// connection stays open.
  boost::asio::awaitable<std::string> demand(std::string command, Duration timeout);

  /// Has the server begin or stop telling the codes of failures. A server without codes does
  /// neither, and its failures have none.
  boost::asio::awaitable<void> ask_for_codes(bool wanted, Duration timeout);

  /// Several commands, sent in one write. `timeout` is for all answers together.
  boost::asio::awaitable<std::vector<GtpAnswer>> ask_all(std::span<const std::string> commands,
                                                         Duration timeout);
  /// The same for commands that have to succeed. Returns the texts of all answers; throws the first
  /// refusal.
  boost::asio::awaitable<std::vector<std::string>> demand_all(std::vector<std::string> commands,
                                                              Duration timeout);

  /// What comments, lines that begin with `#`, have told before the answers to the last commands.
  [[nodiscard]] const ToldSearch& told() const { return told_; }

  [[nodiscard]] bool is_connected() const { return stream_.is_open(); }
  void close() { stream_.close(); }
  [[nodiscard]] LineStream& stream() { return stream_; }
  [[nodiscard]] const LineStream& stream() const { return stream_; }
  /// Hands the open connection over to the caller.
  [[nodiscard]] Released release() { return stream_.release(); }

 private:
  /// What came before an answer.
  struct Prelude {
    bool has_comments = false;
    std::string greeting{};  ///< the first line before the first answer that is none
  };
  bool skip_line(std::uint32_t id, Prelude& prelude);
  boost::asio::awaitable<GtpAnswer> read_answer(std::uint32_t id);

  LineStream stream_;
  ToldSearch told_;
  bool hears_codes_ = false;
  std::uint32_t last_id_ = 0;
};

/// The text of an answer to a command that not every engine knows; nothing if this one does not.
/// Throws any other refusal.
[[nodiscard]] std::optional<std::string> text_if_known(const std::string& command,
                                                       const GtpAnswer& answer);
/// Throws the first refusal among the answers to the commands.
void expect_success(std::span<const std::string> commands, std::span<const GtpAnswer> answers);

/// Reads one complete answer (without its terminating empty line). Throws EngineFailure (garbage)
/// if it does not begin with a status and the id. With `has_codes` a failure's text begins with its
/// code; a word that is no code of ours stays in the text.
[[nodiscard]] GtpAnswer parse_answer(std::string_view block, std::uint32_t id,
                                     bool has_codes = false);

}  // namespace pitboss::clients
