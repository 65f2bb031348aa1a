#include "clients/pitboss/gtp_traffic.hpp"

#include <algorithm>

namespace pitboss::clients {

namespace {

constexpr std::string_view graphics_word = "gogui-gfx:";

/// Splits bytes after each line feed. Calls `take_part` for each piece, and `end_line` after each
/// piece that ends a line.
template <class TakePart, class EndLine>
void for_each_line(std::string_view bytes, TakePart&& take_part, EndLine&& end_line) {
  while (!bytes.empty()) {
    const std::size_t feed = bytes.find('\n');
    const std::size_t size = feed == std::string_view::npos ? bytes.size() : feed + 1;
    take_part(bytes.substr(0, size));
    if (feed != std::string_view::npos) end_line();
    bytes.remove_prefix(size);
  }
}

}  // namespace

// ---- what is sent

void SentCommands::take(std::string_view bytes) {
  constexpr std::size_t enough = 64;  // to recognise `quit` after an id
  const auto add = [&](std::string_view part) {
    for (const char c : part) {
      if (c == '#') in_comment_ = true;
      if (in_comment_ || line_.size() == enough) return;
      const bool is_blank = c == ' ' || c == '\t';
      const bool counts = is_blank ? !line_.empty() : static_cast<unsigned char>(c) > ' ';
      if (counts) line_ += is_blank ? ' ' : c;
    }
  };
  for_each_line(bytes, add, [&] { end_line(); });
}

void SentCommands::end() {
  end_line();
  is_over_ = true;
}

void SentCommands::end_line() {
  if (!is_over_ && !line_.empty()) {
    ++count_;
    line_.erase(line_.find_last_not_of(' ') + 1);
    std::string_view command = line_;
    command.remove_prefix(std::min(command.find_first_not_of("0123456789 "), command.size()));
    is_over_ = command == "quit";
  }
  line_.clear();
  in_comment_ = false;
}

// ---- what is received

void ReceivedAnswers::take(std::string_view bytes, std::string& answers, std::string& graphics) {
  for_each_line(
      bytes, [&](std::string_view part) { take_part(part, answers); }, [&] { end_line(graphics); });
}

void ReceivedAnswers::end(std::string& answers) {
  answers += held_;
  held_.clear();
}

void ReceivedAnswers::take_part(std::string_view part, std::string& answers) {
  is_empty_line_ = is_empty_line_ && part.find_first_not_of("\r\n") == std::string_view::npos;
  if (state_ == State::graphics_line || state_ == State::graphics_block) {
    return take_graphics(part);
  }
  if (state_ != State::between) {
    answers += part;
    return;
  }
  held_ += part;
  if (graphics_word.starts_with(held_)) return;  // more bytes must decide
  if (held_.starts_with(graphics_word)) {
    state_ = State::graphics_line;
    take_graphics(held_);
  } else {
    state_ = held_[0] == '=' || held_[0] == '?' ? State::answer : State::stray;
    answers += held_;
  }
  held_.clear();
}

void ReceivedAnswers::end_line(std::string& graphics) {
  switch (state_) {
    case State::between:
      break;
    case State::stray:
      state_ = State::between;
      break;
    case State::answer:
      if (!is_empty_line_) break;
      ++count_;
      state_ = State::between;
      break;
    case State::graphics_line:
      // A line with the word alone begins a block.
      if (block_.find_first_not_of(" \t\r\n", graphics_word.size()) == std::string::npos) {
        state_ = State::graphics_block;
      } else {
        end_graphics(graphics);
      }
      break;
    case State::graphics_block:
      if (is_empty_line_) end_graphics(graphics);
      break;
  }
  is_empty_line_ = true;
}

void ReceivedAnswers::take_graphics(std::string_view part) {
  too_long_ = too_long_ || block_.size() + part.size() > max_block_bytes;
  if (!too_long_) block_ += part;
}

void ReceivedAnswers::end_graphics(std::string& graphics) {
  if (!too_long_) graphics += block_;
  std::string().swap(block_);
  too_long_ = false;
  state_ = State::between;
}

}  // namespace pitboss::clients
