#include "games/records/ggf.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "games/letter_case.hpp"
#include "games/move_words.hpp"

namespace pitboss::games {

namespace {

/// More than any board has.
constexpr double most_points = 1e6;

/// The board, "8 -------- -------- ... *": its size, its squares from the top, who is to move. The
/// position is written as for the command `position`.
void read_board(const std::string& board, SgfNode& root) {
  const auto bad = [&] { return BadRecord("'" + board + "' is no board of GGF (BO)"); };
  std::string size;
  std::string squares;
  for (const char c : board) {
    if (c >= '0' && c <= '9') {
      size += c;
    } else if (c != ' ' && c != '\n') {
      squares += c == '-' ? '.' : c == '*' ? 'X' : c;
    }
  }
  constexpr std::size_t most_digits = 2;
  if (size.empty() || size.size() > most_digits) throw bad();
  const std::size_t side = std::stoul(size);
  const bool fits = squares.size() == side * side + 1 &&
                    squares.find_first_not_of(".XO") == std::string::npos && squares.back() != '.';
  if (!fits) throw bad();
  std::string position;
  for (std::size_t row = 0; row < side; ++row) {
    position += (row == 0 ? "" : "/") + squares.substr(row * side, side);
  }
  root.push_back({"SZ", {size}});
  root.push_back({"XP", {position + (squares.back() == 'X' ? " b" : " w")}});
}

/// "d3//1.2", a square with its row from the top and what it was worth and took, as SGF's letters
/// of column and row. A pass has no letters; what is no square stays as it is, to be refused.
std::string point_of(const std::string& value) {
  std::string text = in_lower_case(std::string_view(value).substr(0, value.find('/')));
  if (is_word_for_pass(text)) return {};
  const bool is_square = (text.size() == 2 || text.size() == 3) && text[0] >= 'a' &&
                         text[0] <= 'z' &&
                         text.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!is_square) return text;
  const int row = std::stoi(text.substr(1));
  if (row < 1 || row > 26) return text;
  return {text[0], static_cast<char>('a' + row - 1)};
}

/// Black's points and how the game ended, "-12.000", "+64.000:r", as SGF tells it: "W+12", "B+R".
/// Empty for anything else.
std::string result_of(const std::string& value) {
  const auto colon = std::min(value.find(':'), value.size());
  const char* const end = value.data() + colon;
  const bool has_plus = value.starts_with('+') && !value.starts_with("+-");
  double points = 0;
  const auto [last, error] = std::from_chars(value.data() + (has_plus ? 1 : 0), end, points);
  if (error != std::errc{} || last != end || !std::isfinite(points)) return {};
  if (points == 0) return "0";
  const std::string winner = points > 0 ? "B+" : "W+";
  const std::string how = value.substr(colon);
  if (how == ":r") return winner + "R";
  if (how == ":t") return winner + "T";
  return winner + std::to_string(std::lround(std::min(std::abs(points), most_points)));
}

}  // namespace

bool is_ggf(const SgfGame& game) {
  return std::ranges::any_of(game.nodes.front(), [](const SgfProperty& property) {
    return property.name == "GM" && same_ignoring_case(property.values.front(), "othello");
  });
}

SgfGame sgf_of_ggf(const SgfGame& game) {
  SgfGame read{{SgfNode{{"GM", {"2"}}}}, game.cut_in_line};
  for (const SgfNode& node : game.nodes) {
    for (const SgfProperty& property : node) {
      const std::string& value = property.values.front();
      if (is_move(property)) {
        read.nodes.push_back({{property.name, {point_of(value)}}});
      } else if (property.name == "BO") {
        read_board(value, read.nodes.front());
      } else if (property.name == "PB" || property.name == "PW") {
        read.nodes.front().push_back(property);
      } else if (property.name == "RE" && !result_of(value).empty()) {
        read.nodes.front().push_back({"RE", {result_of(value)}});
      }
    }
  }
  return read;
}

}  // namespace pitboss::games
