#include "server/session/board_words.hpp"

#include "games/grid.hpp"
#include "games/records/position_editor.hpp"

namespace pitboss::server {

void BoardWords::set(std::string_view point, std::string word) {
  words_.insert_or_assign(std::string(point), std::move(word));
}

std::string BoardWords::text() const {
  const bool flipped = protocol::draws_upside_down(dialect_, shape_);
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
  const games::PositionEditor board(game);
  std::map<std::string, char, std::less<>> points;
  for (const games::Place p : board.places()) {
    points.emplace(games::point_text(p.x, p.y), board.at(p));
  }
  return points;
}

}  // namespace pitboss::server
