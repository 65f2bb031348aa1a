#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// The last lines sent ("> " before them) and received ("< ") on a stream, for the record of a
/// failure.
class Transcript {
 public:
  /// The size of all lines together, with marks and line feeds.
  static constexpr std::size_t max_bytes = 1900;
  static constexpr std::size_t max_line = 200;

  void sent(std::string_view line) { add("> ", line); }
  /// One line or several; of too many lines, keeps the first.
  void received(std::string_view lines);
  /// Printable ASCII, and a line feed after each line.
  [[nodiscard]] std::string text() const;

 private:
  void add(std::string_view mark, std::string_view line);

  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
};

/// A text from an engine as one line of printable ASCII of bounded length.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_length = 60);

}  // namespace pitboss::clients
