#include "protocol/line.hpp"

#include <algorithm>
#include <charconv>

#include "protocol/error.hpp"

namespace pitboss::protocol {

namespace {

constexpr std::size_t max_failure = 300;

/// Takes a word, and the blanks behind it, from the beginning.
std::string_view take_word(std::string_view& text) {
  const auto end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
  return word;
}

std::string framed(char status, std::string_view id, std::string_view text) {
  std::string answer{status};
  answer += id;
  answer += ' ';
  for (const char c : text) {
    // An empty line would end the answer.
    if (c == '\n' && answer.back() == '\n') answer += ' ';
    answer += c;
  }
  while (answer.back() == '\n') answer.pop_back();
  return answer += "\n\n";
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Without control characters, comment and outer blanks.
std::string cleaned(std::string_view line) {
  std::string text(line.substr(0, line.find('#')));
  std::ranges::replace(text, '\t', ' ');
  std::erase_if(text, is_control);
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

Line::Line(std::string_view bytes) : text_(cleaned(bytes)) {
  if (is_blank()) {
    const auto comment = bytes.find('#');
    is_interrupt_ =
        comment != std::string_view::npos && cleaned(bytes.substr(comment + 1)) == "interrupt";
    return;
  }
  std::string_view rest = text_;
  std::string_view word = take_word(rest);
  if (std::ranges::all_of(word, is_digit)) {
    std::int64_t id = 0;
    const auto error = std::from_chars(word.data(), word.data() + word.size(), id).ec;
    has_large_id_ = error != std::errc{} || id > max_id;
    if (has_large_id_) return;
    id_size_ = word.size();
    word = take_word(rest);
  }
  arguments_ = text_.size() - rest.size();
  command_size_ = word.size();
  command_ = word.empty() ? arguments_ : static_cast<std::size_t>(word.data() - text_.data());
}

void Line::check() const {
  if (has_large_id_) {
    throw CommandError(FailureCode::bad_argument,
                       "syntax error: an id must be a number from 0 to 2147483647");
  }
  if (command().empty()) throw CommandError(FailureCode::bad_argument, "empty command");
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) words.emplace_back(take_word(text));
  return words;
}

std::string success(std::string_view id, std::string_view text) { return framed('=', id, text); }

std::string failure(std::string_view id, std::string_view text) {
  return framed('?', id, shortened(text));
}

std::string shortened(std::string_view text) {
  if (text.size() <= max_failure) return std::string(text);
  return std::string(text.substr(0, max_failure)) + "...";
}

}  // namespace pitboss::protocol
