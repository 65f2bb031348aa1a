#include "tests/server/commands/transcripts.hpp"

#include <span>
#include <string_view>

namespace pitboss::tests {

namespace {

constexpr std::string_view anything = "...";
using Lines = std::span<const std::string>;

std::string without_blanks_behind(std::string_view line) {
  return std::string(line.substr(0, line.find_last_not_of(" \r") + 1));
}

/// Whether `text` is `pattern`, in which "..." is any text.
bool line_matches(std::string_view pattern, std::string_view text) {
  const auto gap = pattern.find(anything);
  if (gap == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, gap))) return false;
  pattern.remove_prefix(gap + anything.size());
  for (std::size_t skipped = gap; skipped <= text.size(); ++skipped) {
    if (line_matches(pattern, text.substr(skipped))) return true;
  }
  return false;
}

bool lines_match(Lines expected, Lines actual) {
  if (expected.empty()) return actual.empty();
  if (expected.front() == anything) {
    for (std::size_t skipped = 0; skipped <= actual.size(); ++skipped) {
      if (lines_match(expected.subspan(1), actual.subspan(skipped))) return true;
    }
    return false;
  }
  return !actual.empty() && line_matches(expected.front(), actual.front()) &&
         lines_match(expected.subspan(1), actual.subspan(1));
}

}  // namespace

std::vector<Transcript> transcripts_of(const std::string& page) {
  std::vector<Transcript> transcripts;
  bool inside = false;
  std::size_t number = 0;
  for (std::size_t at = 0; at < page.size();) {
    const auto end = std::min(page.find('\n', at), page.size());
    const std::string line = without_blanks_behind(std::string_view(page).substr(at, end - at));
    at = std::min(end + 1, page.size());
    ++number;
    if (line.starts_with("```")) {
      inside = !inside && line == "```gtp";
      if (inside) transcripts.push_back({number, {}});
    } else if (inside && line.starts_with(">")) {
      const std::string command = line.size() > 2 ? line.substr(2) : "";
      transcripts.back().exchanges.push_back({command, {}, at, at});
    } else if (inside && !transcripts.back().exchanges.empty()) {
      auto& exchange = transcripts.back().exchanges.back();
      if (!line.empty()) exchange.answer.push_back(line);
      exchange.end = at;
    }
  }
  return transcripts;
}

std::vector<std::string> answer_lines(const std::string& answer) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < answer.size();) {
    const auto end = std::min(answer.find('\n', at), answer.size());
    const std::string line = without_blanks_behind(std::string_view(answer).substr(at, end - at));
    if (!line.empty()) lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& actual) {
  return lines_match(expected, actual);
}

}  // namespace pitboss::tests
