#include <memory>
#include <string>

#include "games/any_game.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// The first line names a game as `game` does, "othello size=6"; each line that follows is read as
/// a position and as a move.
namespace pitboss::fuzzing {

namespace {

using games::AnyGame;

/// Of amazons' 2176 moves not all are read.
constexpr std::size_t some = 4;

/// All that a position tells is sound, and its text makes it again.
void check(const AnyGame& game) {
  const auto moves = game.legal_moves();
  require(moves.empty() == game.result().finished(), "a game goes on while there are moves");
  require(!game.board_text().empty(), "a board has a picture");
  if (const auto value = game.static_value()) {
    require(*value >= 0 && *value <= 1, "a static value is in [0, 1]");
  }
  const std::string text = game.position();
  const auto copy = game.clone();
  copy->set_position(text);
  require(copy->position() == text, "a position's text makes the position");
  const std::size_t step = 1 + moves.size() / some;
  for (std::size_t i = 0; i < moves.size(); i += step) {
    require(game.canonical(moves[i]) == moves[i], "a legal move is written as it is read");
  }
  if (!moves.empty()) copy->play(moves[moves.size() / 2]);
}

void try_lines(AnyGame& game, const std::vector<std::string_view>& lines) {
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string before = game.position();
    try {
      game.set_position(lines[i]);
      check(game);
      continue;
    } catch (const games::BadGame&) {
      require(game.position() == before, "a position that is refused changes nothing");
    }
    try {
      game.play(lines[i]);
      check(game);
    } catch (const games::BadGame&) {
      require(game.position() == before, "a move that is refused changes nothing");
    }
  }
}

}  // namespace

void read_bytes(std::string_view bytes) {
  const auto lines = lines_of(bytes);
  if (lines.empty()) return;
  const std::size_t end = std::min(lines[0].find(' '), lines[0].size());
  std::unique_ptr<AnyGame> game;
  try {
    game = games::make_game(lines[0].substr(0, end), games::parse_parameters(lines[0].substr(end)));
  } catch (const games::BadGame&) {
    return;
  }
  try_lines(*game, lines);
}

}  // namespace pitboss::fuzzing
