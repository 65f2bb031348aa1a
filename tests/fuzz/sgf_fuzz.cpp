#include <string>

#include "games/records/game_record.hpp"
#include "games/records/record_file.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// A text of records: SGF, GGF or PSQ. What is read as a record is written, and read again as the
/// same.
namespace pitboss::fuzzing {

namespace {

void check(const games::SgfGame& game, const games::AnyGame& now,
           const games::RecordReading& reading = {}) {
  games::Record record;
  try {
    record = games::record_from_sgf(game, now, reading).game;
  } catch (const games::BadRecord&) {
    return;
  }
  std::string text;
  try {
    text = games::record_to_sgf(*record.start, record.moves);
  } catch (const games::BadRecord&) {
    require(record.start->players() > 2, "SGF has all games of two");
    return;
  }
  require(text.find("\n\n") == std::string::npos, "a record has no empty line");
  const auto again = games::record_from_sgf(games::read_records(text).front(), now).game;
  require(again.start->position() == record.start->position(), "a record keeps its beginning");
  require(again.moves == record.moves, "a record keeps its moves");
}

}  // namespace

void read_bytes(std::string_view bytes) {
  static const auto connect4 = games::make_game("connect4");
  static const auto gomoku = games::make_game("gomoku");
  static const auto hex = games::make_game("hex");
  try {
    for (const auto& game : games::read_records(bytes)) {
      check(game, *connect4);
      check(game, *gomoku);
      check(game, *hex, {.dialect = games::Dialect::hexgui});
    }
  } catch (const games::BadRecord& error) {
    require(error.what()[0] != '\0', "what is wrong is said");
  }
}

}  // namespace pitboss::fuzzing
