#include "games/records/position_editor.hpp"

#include <algorithm>

#include "games/board_text.hpp"

namespace pitboss::games {

namespace {

constexpr char no_point = '?';

}  // namespace

PositionEditor::PositionEditor(const AnyGame& game) {
  const std::string line = game.position();
  PositionWords words = split_position(line, game.colours());
  rows_.assign(words.rows.begin(), words.rows.end());
  to_move = words.to_move;
  extra = std::move(words.extra);
}

std::vector<Place> PositionEditor::places() const {
  std::vector<Place> places;
  for (int y = 0; y < static_cast<int>(rows_.size()); ++y) {
    for (int x = 0; x < static_cast<int>(rows_.front().size()); ++x) {
      if (has({x, y})) places.push_back({x, y});
    }
  }
  return places;
}

bool PositionEditor::has(Place place) const {
  return place.y >= 0 && place.y < static_cast<int>(rows_.size()) && place.x >= 0 &&
         place.x < static_cast<int>(rows_.front().size()) && at(place) != no_point;
}

Place PositionEditor::place(std::string_view text) const {
  const auto place = place_of(text);
  if (!place) throw BadSyntax("not a point: '" + std::string(text) + "'");
  if (!has(*place)) throw BadGame("'" + std::string(text) + "' is not on the board");
  return *place;
}

void PositionEditor::clear() {
  for (std::string& row : rows_) {
    std::ranges::replace_if(
        row, [](char c) { return c != no_point; }, empty);
  }
}

std::unique_ptr<AnyGame> PositionEditor::apply(const AnyGame& game) const {
  std::string line;
  for (const std::string& row : rows_) line += (line.empty() ? "" : "/") + row;
  line.append(" ").append(game.letter_of(to_move));
  if (!extra.empty()) line += " " + extra;
  auto changed = game.clone();
  changed->set_position(line);
  return changed;
}

std::unique_ptr<AnyGame> with_parameter(const AnyGame& position, std::string_view parameter,
                                        const std::string& value) {
  Parameters parameters = position.parameters();
  parameters.set(std::string(parameter), value);
  return PositionEditor(position).apply(*make_game(position.name(), parameters));
}

}  // namespace pitboss::games
