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

}  // namespace

std::string cleaned(std::string_view line) {
  std::string text(line.substr(0, line.find('#')));
  std::ranges::replace(text, '\t', ' ');
  std::erase_if(text, is_control);
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

ParsedLine split(std::string_view line, std::string& id) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string_view word = take_word(line);
  if (std::ranges::all_of(word, is_digit)) {
    std::int64_t number = 0;
    const auto error = std::from_chars(word.data(), word.data() + word.size(), number).ec;
    if (error != std::errc{} || number > max_id) {
      throw CommandError(FailureCode::bad_argument,
                         "syntax error: an id must be a number from 0 to 2147483647");
    }
    id = word;
    word = take_word(line);
    if (word.empty()) throw CommandError(FailureCode::bad_argument, "empty command");
  }
  return {word, line};
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

bool is_interrupt(std::string_view line) {
  const auto hash = line.find_first_not_of(" \t\r");
  if (hash == std::string_view::npos || line[hash] != '#') return false;
  return cleaned(line.substr(hash + 1)) == "interrupt";
}

bool is_quit(std::string_view line) {
  constexpr std::size_t enough = 256;
  const std::string text = cleaned(line.substr(0, enough));
  std::string_view words = text;
  words.remove_prefix(std::min(words.find_first_not_of("0123456789 "), words.size()));  // the id
  return words == "quit";
}

}  // namespace pitboss::protocol
