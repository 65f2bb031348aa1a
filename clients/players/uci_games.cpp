#include "clients/players/uci_games.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <vector>

#include "games/letter_case.hpp"
#include "games/move_words.hpp"

namespace pitboss::clients {

namespace {

constexpr std::array<UciGame, 4> uci_games{{
    {"breakthrough", "size=8", "breakthrough", UciGame::Notation::steps},
    {"amazons", "size=10", "amazons", UciGame::Notation::arrows},
    {"connect4", "", "cfour", UciGame::Notation::drops},
    {"othello", "size=8", "flipello", UciGame::Notation::drops},
}};

constexpr std::string_view our_columns = "abcdefghjklmnopqrst";

char uci_column(char column) { return static_cast<char>('a' + our_columns.find(column)); }

/// The points in a text, each a letter and one or two digits; nothing if the text has anything
/// else. `convert` turns a column into ours or theirs.
template <class Convert>
std::optional<std::vector<std::string>> points_in(std::string_view text, Convert convert) {
  std::vector<std::string> points;
  while (!text.empty()) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789", 1), text.size()) - 1;
    if (text[0] < 'a' || text[0] >= 'a' + static_cast<int>(our_columns.size())) return {};
    if (digits < 1 || digits > 2) return {};
    points.push_back(convert(text[0]) + std::string(text.substr(1, digits)));
    text.remove_prefix(1 + digits);
  }
  return points;
}

/// The lowest point with a man of the side to move: Fairy-Stockfish writes a pass as a step from
/// that point to itself.
std::string lowest_man(const games::AnyGame& position) {
  const std::string text = position.position();
  std::istringstream words(text);
  std::string rows;
  words >> rows;
  const std::string_view letters = position.piece_letters();
  const char man = letters[games::index(position.to_move())];
  int row = 1;
  for (std::size_t end = rows.size(); end != std::string::npos; ++row) {
    const std::size_t slash = end == 0 ? std::string::npos : rows.rfind('/', end - 1);
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    const std::size_t found = rows.find(man, begin);
    if (found < end) return static_cast<char>('a' + (found - begin)) + std::to_string(row);
    end = slash;
  }
  return "";
}

std::string join(const std::vector<std::string>& points) {
  std::string out;
  for (const std::string& point : points) out += point;
  return out;
}

}  // namespace

const UciGame* find_uci_game(std::string_view game, const games::Parameters& parameters) {
  const std::string line = parameters.line();
  const auto* const found = std::ranges::find_if(
      uci_games, [&](const UciGame& g) { return g.game == game && g.parameters == line; });
  return found == uci_games.end() ? nullptr : found;
}

std::string to_uci(const UciGame& game, const games::AnyGame& position, std::string_view move,
                   UciArrow arrow) {
  if (move == games::pass_text) {
    const std::string man = lowest_man(position);
    return man + man;
  }
  const auto points = points_in(move, uci_column).value();
  switch (game.notation) {
    case UciGame::Notation::drops:
      return "P@" + points[0];
    case UciGame::Notation::arrows: {
      const std::string step = points[0] + points[1];
      if (arrow == UciArrow::with_comma) return step + "," + points[1] + points[2];
      return step + "p" + (points[2] == points[0] ? "" : points[2]);
    }
    case UciGame::Notation::steps:
      break;
  }
  return join(points);
}

std::optional<std::string> from_uci(const UciGame& game, std::string_view text) {
  const std::string small = games::in_lower_case(text);
  const std::string_view move = small;
  const auto our_column = [](char column) { return our_columns[column - 'a']; };
  using Notation = UciGame::Notation;
  if (game.notation == Notation::drops && move == "0000") return std::string(games::pass_text);
  if (game.notation == Notation::drops && move.starts_with("p@")) {
    const auto points = points_in(move.substr(2), our_column);
    if (!points || points->size() != 1) return {};
    return points->front();
  }
  // No column of these boards is called 'p'.
  const std::size_t mark =
      game.notation == Notation::arrows ? move.find_first_of(",p") : move.size();
  if (mark == std::string_view::npos) return {};
  const auto step = points_in(move.substr(0, mark), our_column);
  if (!step || step->size() != 2) return {};
  if (game.notation == Notation::steps) return join(*step);
  if (game.notation == Notation::drops) {
    if (step->front() != step->back()) return {};
    return std::string(games::pass_text);
  }
  auto arrow = points_in(move.substr(mark + 1), our_column);
  if (!arrow) return {};
  if (move[mark] == ',') {
    if (arrow->size() != 2 || arrow->front() != step->back()) return {};
    arrow->erase(arrow->begin());
  } else if (arrow->empty()) {
    arrow->push_back(step->front());
  }
  if (arrow->size() != 1) return {};
  return join(*step) + arrow->front();
}

}  // namespace pitboss::clients
