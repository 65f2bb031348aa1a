#include <string>

#include "games/records/game_record.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// A collection of SGF. What is read as a record is written, and read again as the same.
namespace pitboss::fuzzing {

namespace {

void check(const games::SgfGame& nodes, const games::AnyGame& now,
           const games::RecordReading& reading = {}) {
  games::Record record;
  try {
    record = games::record_from_sgf(nodes, now, reading);
  } catch (const games::BadSgf&) {
    return;
  }
  std::string text;
  try {
    text = games::record_to_sgf(*record.start, record.moves);
  } catch (const games::BadSgf&) {
    require(record.start->players() > 2, "SGF has all games of two");
    return;
  }
  require(text.find("\n\n") == std::string::npos, "a record has no empty line");
  const auto again = games::record_from_sgf(games::read_sgf(text).front(), now);
  require(again.start->position() == record.start->position(), "a record keeps its beginning");
  require(again.moves == record.moves, "a record keeps its moves");
}

}  // namespace

void read_bytes(std::string_view bytes) {
  static const auto connect4 = games::make_game("connect4");
  static const auto gomoku = games::make_game("gomoku");
  static const auto hex = games::make_game("hex");
  try {
    for (const auto& game : games::read_sgf(bytes)) {
      check(game, *connect4);
      check(game, *gomoku);
      check(game, *hex, {.dialect = games::Dialect::hexgui});
    }
  } catch (const games::BadSgf& error) {
    require(error.what()[0] != '\0', "what is wrong is said");
  }
}

}  // namespace pitboss::fuzzing
