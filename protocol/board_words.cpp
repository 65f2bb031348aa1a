#include "protocol/board_words.hpp"

#include "games/board_text.hpp"
#include "games/grid.hpp"

namespace pitboss::protocol {

void BoardWords::set(std::string_view point, std::string word) {
  words_.insert_or_assign(std::string(point), std::move(word));
}

std::string BoardWords::text() const {
  const bool flipped = draws_upside_down(dialect_, shape_);
  std::string text;
  for (int row = shape_.side() - 1; row >= 0; --row) {
    const int y = flipped ? shape_.height - 1 - row : row;
    for (int x = 0; x < shape_.side(); ++x) {
      const auto word = y < 0 ? words_.end() : words_.find(games::point_text(x, y));
      text += x == 0 ? '\n' : ' ';
      text += word == words_.end() ? empty_ : word->second;
    }
  }
  return text;
}

std::map<std::string, char, std::less<>> contents(const games::AnyGame& game) {
  const std::string position = game.position();
  const auto rows = games::split_position(position).rows;
  std::map<std::string, char, std::less<>> points;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    for (int x = 0; x < static_cast<int>(rows[i].size()); ++x) {
      const int y = static_cast<int>(rows.size()) - 1 - i;
      if (rows[i][x] != '?') points.emplace(games::point_text(x, y), rows[i][x]);
    }
  }
  return points;
}

}  // namespace pitboss::protocol
