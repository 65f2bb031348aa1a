#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/players/line_stream.hpp"
#include "clients/players/told_search.hpp"

namespace pitboss::clients {

/// A line of a protocol that tells of a search and is no part of an answer: its first word, and the
/// word of ToldSearch::hear that the rest lacks ("nodestats 35805" tells "nodes 35805").
struct Aside {
  std::string_view word;
  std::string_view lacks{};
};

/// A client of a protocol whose answers are lines, the last of which has a form of its own: UCI,
/// Gomocup's, NBoard's. For one coroutine at a time; what returns an awaitable suspends it and
/// throws EngineFailure, after which the stream is closed.
class LineClient {
 public:
  using Duration = LineStream::Duration;

  /// A longer line, or an answer with more lines than this, is taken for garbage.
  static constexpr std::size_t max_line_bytes = std::size_t{1} << 20;
  static constexpr std::size_t max_answer_bytes = std::size_t{16} << 20;

  /// `asides` must outlive the client.
  LineClient(boost::asio::any_io_executor executor, std::span<const Aside> asides);

  [[nodiscard]] LineStream& stream() { return stream_; }
  [[nodiscard]] const LineStream& stream() const { return stream_; }

  /// Sends a command that has no answer. It must be a single line.
  boost::asio::awaitable<void> tell(std::string command, Duration timeout);
  /// Sends a command and waits for the line whose first word is `last` ("uciok", "bestmove"); if
  /// `last` is empty, for the first line that has words. Returns the lines up to and including that
  /// one, without asides.
  boost::asio::awaitable<std::vector<std::string>> ask(std::string command, std::string last,
                                                       Duration timeout);
  /// What the asides before the last answer have told.
  [[nodiscard]] const ToldSearch& told() const { return told_; }

 private:
  /// The next line, without white space around it.
  boost::asio::awaitable<std::string> read_line();
  [[nodiscard]] const Aside* aside_of(std::string_view line) const;

  LineStream stream_;
  std::span<const Aside> asides_;
  ToldSearch told_;
};

/// The first word of a line.
[[nodiscard]] std::string_view first_word(std::string_view line);

}  // namespace pitboss::clients
