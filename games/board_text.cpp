#include "games/board_text.hpp"

#include <algorithm>
#include <sstream>

#include "games/grid.hpp"

namespace pitboss::games {

namespace {

/// Each row is half a point off the one below: to the right if the lattice falls, else to the left.
std::string slanted(const std::vector<std::string>& rows, Lattice lattice) {
  constexpr int margin = 3;  // for the row numbers
  const int height = static_cast<int>(rows.size());
  const int width = static_cast<int>(rows.front().size());
  const auto at = [&](int x, int y) { return rows[height - 1 - y][x]; };
  std::vector<int> lowest(width, 0);  // the lowest point of each column
  for (int x = 0; x < width; ++x) {
    while (at(x, lowest[x]) == '?') ++lowest[x];
  }
  std::string text;
  for (int y = height - 1; y >= -1; --y) {
    std::string line = y < 0 ? "" : std::to_string(y + 1);
    if (line.size() == 1) line.insert(0, " ");
    const int shift = lattice == Lattice::hexagonal_falling ? y + 1 : height - 1 - y;
    for (int x = 0; x < width; ++x) {
      const bool is_point = y >= 0 && at(x, y) != '?';
      if (!is_point && y != lowest[x] - 1) continue;
      line.resize(margin + 2 * x + shift, ' ');
      line += is_point ? at(x, y) : column_text(x)[0];
    }
    text += line + (y < 0 ? "" : "\n");
  }
  return text;
}

}  // namespace

std::string framed(const std::vector<std::string>& rows, Lattice lattice) {
  if (lattice != Lattice::square) return slanted(rows, lattice);
  const int height = static_cast<int>(rows.size());
  const int width = static_cast<int>(rows.front().size());
  std::string letters = "  ";
  for (int x = 0; x < width; ++x) letters += " " + column_text(x);
  std::string text = letters + "\n";
  for (int i = 0; i < height; ++i) {
    std::string number = std::to_string(height - i);
    number.insert(0, 2 - number.size(), ' ');
    text += number;
    for (const char c : rows[i]) {
      text += ' ';
      text += c;
    }
    text += " " + std::to_string(height - i) + "\n";
  }
  return text + letters;
}

PositionWords split_position(std::string_view text, std::span<const std::string_view> colours) {
  std::istringstream words{std::string(text)};
  std::string rows;
  std::string colour;
  std::string extra;
  words >> rows >> colour >> extra;
  if (std::string rest; words >> rest) {
    throw BadGame("a position must be ROWS COLOUR [EXTRA], without '" + rest + "' behind it");
  }
  const auto seat = std::ranges::find(colours, colour, [](auto name) { return name.substr(0, 1); });
  if (seat == colours.end()) {
    std::string letters;
    for (const auto name : colours)
      letters += (letters.empty() ? "" : ", ") + std::string(1, name[0]);
    throw BadGame("the COLOUR of a position, ROWS COLOUR [EXTRA], must be one of " + letters);
  }
  PositionWords split{{}, static_cast<Colour>(seat - colours.begin()), extra};
  std::string_view rest = text.substr(text.find_first_not_of(' '), rows.size());
  for (;;) {
    const auto slash = rest.find('/');
    split.rows.push_back(rest.substr(0, slash));
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  return split;
}

}  // namespace pitboss::games
