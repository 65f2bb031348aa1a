#include "protocol/position_editor.hpp"

#include <cctype>
#include <charconv>

#include "games/board_text.hpp"

namespace pitboss::protocol {

PositionEditor::PositionEditor(const games::AnyGame& game) {
  const std::string line = game.position();
  games::PositionWords words = games::split_position(line);
  rows_.assign(words.rows.begin(), words.rows.end());
  to_move = words.to_move;
  extra = std::move(words.extra);
}

bool PositionEditor::has(int x, int y) const {
  return y >= 0 && y < static_cast<int>(rows_.size()) && x >= 0 &&
         x < static_cast<int>(rows_.front().size()) && at(x, y) != '?';
}

void PositionEditor::clear() {
  for (std::string& row : rows_) {
    for (char& c : row) c = c == '?' ? '?' : empty;
  }
}

std::unique_ptr<games::AnyGame> PositionEditor::apply(const games::AnyGame& game) const {
  std::string line;
  for (const std::string& row : rows_) line += (line.empty() ? "" : "/") + row;
  line.append(" ").append(games::colour_letter(to_move));
  if (!extra.empty()) line += " " + extra;
  auto changed = game.clone();
  changed->set_position(line);
  return changed;
}

std::pair<int, int> parse_point(std::string_view text) {
  constexpr std::string_view letters = "abcdefghjklmnopqrstuvwxyz";
  int row = 0;
  const char* const end = text.data() + text.size();
  if (text.size() >= 2) {
    const auto x =
        letters.find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[0]))));
    const auto [stop, error] = std::from_chars(text.data() + 1, end, row);
    if (x != std::string_view::npos && error == std::errc{} && stop == end && row >= 1) {
      return {static_cast<int>(x), row - 1};
    }
  }
  throw games::BadSyntax("not a point: '" + std::string(text) + "'");
}

}  // namespace pitboss::protocol
