#include "games/records/psq.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace pitboss::games {

namespace {

constexpr std::string_view first_word = "Piskvorky";
constexpr std::string_view blanks = " \t\r";

std::string_view without_blanks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  return line.substr(0, line.find_last_not_of(blanks) + 1);
}

/// Where the first line with words begins; a byte order mark is none.
std::size_t begin_of(std::string_view text) {
  return std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size());
}

/// Takes a number and the mark behind it off a text; nothing if it does not begin with them.
std::optional<int> take_number(std::string_view& text, char mark) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end == text.data() + text.size() || *end != mark) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

constexpr std::string_view end_of_moves = "-1";

/// The lines of a text. A last line without an end may be cut off: among the moves it counts only
/// if a whole point stands in it.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  bool has_moves = true;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = without_blanks(line);
    if (line == end_of_moves) has_moves = false;
    const bool has_point = line.find(',') != line.rfind(',');
    if (end != std::string_view::npos || !has_moves || has_point) lines.push_back(line);
  }
  return lines;
}

/// "15:15", the size of the board, from the first line.
std::string size_in(std::string_view line) {
  std::string_view rest = without_blanks(line.substr(first_word.size()));
  const auto columns = take_number(rest, 'x');
  const auto rows = take_number(rest, ',');
  if (columns && rows) return std::to_string(*columns) + ":" + std::to_string(*rows);
  throw BadRecord("'" + std::string(line) +
                  "' is no first line of a record of Piskvork, 'Piskvorky 15x15, ...'");
}

/// SGF's letters of the point in a line "COLUMN,ROW,MILLISECONDS"; nothing if it is no such line.
std::optional<std::string> point_in(std::string_view line) {
  const std::string ended = std::string(line) + ",";
  std::string_view rest = ended;
  const auto column = take_number(rest, ',');
  const auto row = take_number(rest, ',');
  if (!column || !row) return std::nullopt;
  std::string point;
  for (const int number : {*column, *row}) {
    if (number < 1 || number > static_cast<int>(sgf_letters.size())) return std::nullopt;
    point += sgf_letters[number - 1];
  }
  return point;
}

}  // namespace

bool is_psq(std::string_view text) { return text.substr(begin_of(text)).starts_with(first_word); }

SgfGame read_psq(std::string_view text) {
  const std::size_t begin = begin_of(text);
  const auto lines_before =
      static_cast<std::size_t>(std::ranges::count(text.substr(0, begin), '\n'));
  text.remove_prefix(begin);
  const auto lines = lines_of(text);
  SgfGame game{{{{"GM", {"4"}}, {"SZ", {size_in(text.substr(0, text.find('\n')))}}}}};
  std::size_t at = 1;
  for (; at < lines.size() && lines[at] != end_of_moves; ++at) {
    if (lines[at].empty()) continue;
    const auto point = point_in(lines[at]);
    if (!point) {
      throw BadRecord("'" + std::string(lines[at]) + "' in line " +
                      std::to_string(lines_before + at + 1) +
                      " is no move of a record of Piskvork, COLUMN,ROW,MILLISECONDS");
    }
    game.nodes.push_back({{game.nodes.size() % 2 == 1 ? "B" : "W", {*point}}});
  }
  if (at >= lines.size()) game.cut_in_line = static_cast<int>(lines_before + at);
  for (const char* const name : {"PB", "PW"}) {
    if (++at < lines.size()) game.nodes.front().push_back({name, {std::string(lines[at])}});
  }
  return game;
}

}  // namespace pitboss::games
