#include "games/notation.hpp"

#include <algorithm>

#include "games/grid.hpp"
#include "games/letter_case.hpp"

namespace pitboss::games {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of the point's text at the beginning of `text`; 0 if there is none. Boards have at
/// most 99 rows.
std::size_t point_length(std::string_view text) {
  if (text.empty() || lower(text[0]) < 'a' || lower(text[0]) > 'z') return 0;
  const auto rest = text.substr(1);
  const auto digits = std::ranges::find_if_not(rest, is_digit) - rest.begin();
  return digits == 1 || digits == 2 ? static_cast<std::size_t>(digits) + 1 : 0;
}

std::optional<Place> read(std::string_view point, const Notation& notation) {
  const char letter = lower(point[0]);
  const int row = std::stoi(std::string(point.substr(1)));
  if (letter == 'i' && !notation.column_i) return std::nullopt;
  if (row < 1 || (notation.rows_from_top > 0 && row > notation.rows_from_top)) return std::nullopt;
  const int x = letter - 'a' - (!notation.column_i && letter > 'i' ? 1 : 0);
  return Place{x, notation.rows_from_top > 0 ? notation.rows_from_top - row : row - 1};
}

std::optional<std::string> written(Place place, const Notation& notation) {
  const int columns = notation.column_i ? 26 : 25;
  if (place.x >= columns || (notation.rows_from_top > 0 && place.y >= notation.rows_from_top)) {
    return std::nullopt;
  }
  const int y = notation.rows_from_top > 0 ? notation.rows_from_top - 1 - place.y : place.y;
  if (!notation.column_i) return point_text(place.x, y);
  std::string text(1, static_cast<char>('a' + place.x));
  text += std::to_string(y + 1);
  return text;
}

/// Calls `point(text)` for the points of `text`, `other(character)` for all other characters.
template <class Point, class Other>
void scan(std::string_view text, Point&& point, Other&& other) {
  while (!text.empty()) {
    const std::size_t length = point_length(text);
    if (length > 0) {
      point(text.substr(0, length));
    } else {
      other(text[0]);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

}  // namespace

std::string rewritten(std::string_view text, const Notation& from, const Notation& to) {
  if (from == to) return std::string(text);
  std::string result;
  scan(
      text,
      [&](std::string_view point) {
        const auto place = read(point, from);
        const auto other = place ? written(*place, to) : std::nullopt;
        if (other) {
          result += *other;
        } else {
          std::ranges::transform(point, std::back_inserter(result), lower);
        }
      },
      [&](char c) { result += c; });
  return result;
}

std::optional<Place> place_of(std::string_view point) {
  if (point.empty() || point_length(point) != point.size()) return std::nullopt;
  return read(point, {});
}

std::vector<std::string> points_of(std::string_view move) {
  std::vector<std::string> points;
  scan(
      move, [&](std::string_view point) { points.emplace_back(point); }, [](char) {});
  return points;
}

}  // namespace pitboss::games
