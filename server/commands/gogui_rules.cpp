#include <cctype>

#include "games/in_words.hpp"
#include "games/notation.hpp"
#include "server/commands/command_groups.hpp"
#include "server/session/board_words.hpp"
#include "server/session/gogui_pieces.hpp"
#include "server/session/graphics.hpp"

namespace pitboss::server {

namespace {

std::string as_gogui_writes(const Seat& seat, const std::string& step) {
  const bool is_word = games::points_of(step).empty();  // "pass"
  return is_word ? step : gogui_point(seat.spoken(step));
}

/// The game's name and the parameters that differ from their defaults, letters and digits only, the
/// first one a capital. Without the size, which GoGui asks for by another command.
std::string game_id(const games::AnyGame& game) {
  std::string id(game.name());
  const auto declared = games::game_parameters(game.name());
  for (const games::Parameter& p : declared) {
    const std::string& value = game.parameters().text(p.name);
    if (p.name != "size" && value != p.default_value) id += std::string(p.name) + value;
  }
  std::erase_if(id, [](unsigned char c) { return std::isalnum(c) == 0; });
  id[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(id[0])));
  return id;
}

/// GoGui sends this at the beginning of every connection, which identifies it.
Outcome rules_game_id(Seat& seat, const protocol::Arguments&) {
  if (!seat.dialect_is_set) seat.dialect = protocol::Dialect::gogui;
  return game_id(seat.table->game());
}

Outcome rules_board_size(Seat& seat, const protocol::Arguments&) {
  const games::BoardShape shape = seat.table->game().shape();
  const bool square = shape.lattice == games::Lattice::square;
  return std::to_string(shape.side()) + (square ? "" : " hex");
}

Outcome rules_board(Seat& seat, const protocol::Arguments&) {
  const games::AnyGame& game = seat.table->game();
  BoardWords words(game.shape(), seat.dialect, "?");
  for (const auto& [point, content] : contents(game)) {
    words.set(point, std::string(1, gogui_stone(content)));
  }
  return words.text();
}

Outcome rules_board_gfx(Seat& seat, const protocol::Arguments&) {
  const games::AnyGame& game = seat.table->game();
  const games::MoveSteps& steps = seat.table->history().steps();
  const bool has_begun = !steps.chosen().empty();
  return board_graphics(game, steps.chosen(),
                        has_begun ? steps.next(game) : std::vector<std::string>{}, seat.dialect);
}

Outcome rules_legal_moves(Seat& seat, const protocol::Arguments&) {
  std::vector<std::string> next = seat.table->history().steps().next(seat.table->game());
  for (std::string& step : next) step = as_gogui_writes(seat, step);
  return words(next);
}

Outcome rules_side_to_move(Seat& seat, const protocol::Arguments&) {
  return gogui_side_to_move(seat.table->game());
}

Outcome rules_final_result(Seat& seat, const protocol::Arguments&) {
  const games::AnyGame& game = seat.table->game();
  if (!game.result().finished()) return {"The game is not over."};
  std::string sentence = games::result_in_words(game) + ".";
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

/// Its presence allows GoGui to set up positions.
Outcome rules_setup(Seat&, const protocol::Arguments&) { return {}; }

constexpr std::array<Command, 8> gogui_rules_rows{{
    {"gogui-rules_game_id", "",
     "the game as one word; a connection that has not said `dialect` now speaks GoGui's", false,
     rules_game_id, protocol::Right::watch},
    {"gogui-rules_board_size", "", "side of the square round the board; `hex` for hexagonal points",
     false, rules_board_size, protocol::Right::watch},
    {"gogui-rules_board", "",
     "that square, top row first: X, O, . and ? where no point is; other pieces are drawn by "
     "gogui-rules_board_gfx",
     false, rules_board, protocol::Right::watch},
    {"gogui-rules_board_gfx", "",
     "what GoGui draws beside stones: points chosen, those that may come next, other pieces", false,
     rules_board_gfx, protocol::Right::watch},
    {"gogui-rules_legal_moves", "", "points that may be chosen next; none when the game is over",
     false, rules_legal_moves, protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"gogui-rules_side_to_move", "", "black or white", false, rules_side_to_move,
     protocol::Right::watch},
    {"gogui-rules_final_result", "", "who has won and by how much, as a sentence", false,
     rules_final_result, protocol::Right::watch},
    {"gogui-rules_setup", "", "says that positions can be set up", false, rules_setup,
     protocol::Right::watch},
}};

}  // namespace

std::span<const Command> gogui_rules_commands() { return gogui_rules_rows; }

}  // namespace pitboss::server
