#include "clients/players/transcript.hpp"

#include <algorithm>

namespace pitboss::clients {

namespace {

constexpr int max_lines_at_once = 8;

}  // namespace

void Transcript::received(std::string_view lines) {
  for (int count = 0; count < max_lines_at_once; ++count) {
    const std::size_t feed = lines.find('\n');
    add("< ", lines.substr(0, feed));
    if (feed == std::string_view::npos) return;
    lines.remove_prefix(feed + 1);
  }
  add("< ", "...");
}

std::string Transcript::text() const {
  std::string out;
  for (const std::string& line : lines_) out += line;
  return out;
}

void Transcript::add(std::string_view mark, std::string_view line) {
  lines_.push_back(std::string(mark) + printable(line, max_line) + "\n");
  bytes_ += lines_.back().size();
  while (bytes_ > max_bytes) {
    bytes_ -= lines_.front().size();
    lines_.pop_front();
  }
}

std::string printable(std::string_view text, std::size_t max_length) {
  std::string out(text.substr(0, max_length));
  for (char& c : out) c = c == '\t' || c == '\n' ? ' ' : c < ' ' || c > '~' ? '?' : c;
  if (text.size() > max_length) out += "...";
  return out;
}

}  // namespace pitboss::clients
