#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "clients/players/line_stream.hpp"
#include "clients/players/told_search.hpp"

namespace pitboss::clients {

/// A UCI client (the Universal Chess Interface; S. Meyer-Kahlen, 2006) over a stream of lines. For
/// one coroutine at a time; what returns an awaitable suspends it and throws EngineFailure, after
/// which the stream is closed.
class UciClient {
 public:
  using Duration = LineStream::Duration;

  /// A longer line, or an answer with more lines than this, is taken for garbage.
  static constexpr std::size_t max_line_bytes = std::size_t{1} << 20;
  static constexpr std::size_t max_answer_bytes = std::size_t{16} << 20;

  explicit UciClient(boost::asio::any_io_executor executor);

  [[nodiscard]] LineStream& stream() { return stream_; }
  [[nodiscard]] const LineStream& stream() const { return stream_; }

  /// Sends a command that has no answer. It must be a single line.
  boost::asio::awaitable<void> tell(std::string command, Duration timeout);
  /// Sends a command and waits for the line whose first word is `last` ("uciok", "bestmove").
  /// Returns the lines up to and including that one, without those that begin with "info".
  boost::asio::awaitable<std::vector<std::string>> ask(std::string command, std::string last,
                                                       Duration timeout);
  /// What the lines of the last answer that begin with "info" have told.
  [[nodiscard]] const ToldSearch& told() const { return told_; }

 private:
  /// The next line, without white space around it.
  boost::asio::awaitable<std::string> read_line();

  LineStream stream_;
  ToldSearch told_;
};

/// The first word of a line.
[[nodiscard]] std::string_view first_word(std::string_view line);

}  // namespace pitboss::clients
