#pragma once

#include <string>
#include <vector>

namespace pitboss::tests {

/// A conversation in a page of docs/: a block fenced as ```gtp, of commands behind "> " and the
/// lines of their answers. Blank lines, and blanks at the ends of lines, do not count. "..." stands
/// for what differs from time to time: within a line for any text, as a line for any lines.
struct Transcript {
  struct Exchange {
    std::string command;
    std::vector<std::string> answer;
    std::size_t begin = 0;  ///< of the answer's lines in the page
    std::size_t end = 0;
  };
  std::size_t line = 0;  ///< of the page, where it begins
  std::vector<Exchange> exchanges;
};

[[nodiscard]] std::vector<Transcript> transcripts_of(const std::string& page);

/// The lines of an answer as a transcript shows them.
[[nodiscard]] std::vector<std::string> answer_lines(const std::string& answer);

/// Whether the lines are what a transcript expects.
[[nodiscard]] bool matches(const std::vector<std::string>& expected,
                           const std::vector<std::string>& actual);

}  // namespace pitboss::tests
