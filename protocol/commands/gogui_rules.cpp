#include <cctype>

#include "games/notation.hpp"
#include "protocol/board_words.hpp"
#include "protocol/command_groups.hpp"
#include "protocol/gogui_pieces.hpp"
#include "protocol/graphics.hpp"

namespace pitboss::protocol {

namespace {

/// GoGui compares the legal moves with its own points, which it writes in capitals.
std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string as_gogui_writes(const Seat& seat, const std::string& step) {
  const bool is_word = games::points_of(step).empty();  // "pass"
  return is_word ? step : capitals(seat.spoken(step));
}

/// The game's name and those of its rules that differ from the usual ones, letters and digits
/// only, the first one a capital. The size is none of them: GoGui asks for it otherwise.
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

/// GoGui asks this at the beginning of every connection, and it is by this that it is known.
Outcome rules_game_id(Seat& seat, const Arguments&) {
  if (!seat.dialect_is_set) seat.dialect = Dialect::gogui;
  return game_id(seat.table->game());
}

Outcome rules_board_size(Seat& seat, const Arguments&) {
  const games::BoardShape shape = seat.table->game().shape();
  const bool square = shape.lattice == games::Lattice::square;
  return std::to_string(shape.side()) + (square ? "" : " hex");
}

Outcome rules_board(Seat& seat, const Arguments&) {
  const games::AnyGame& game = seat.table->game();
  BoardWords words(game.shape(), seat.dialect, "?");
  for (const auto& [point, content] : contents(game)) {
    words.set(point, std::string(1, gogui_stone(content)));
  }
  return words.text();
}

Outcome rules_board_gfx(Seat& seat, const Arguments&) {
  return board_graphics(seat.table->game(), seat.table->history().steps().chosen(), seat.dialect);
}

Outcome rules_legal_moves(Seat& seat, const Arguments&) {
  std::vector<std::string> next = seat.table->history().steps().next(seat.table->game());
  for (std::string& step : next) step = as_gogui_writes(seat, step);
  return words(next);
}

Outcome rules_side_to_move(Seat& seat, const Arguments&) {
  return gogui_side_to_move(seat.table->game());
}

Outcome rules_final_result(Seat& seat, const Arguments&) {
  const games::AnyGame& game = seat.table->game();
  if (!game.result().finished()) return {"The game is not over."};
  std::string winners;
  int count = 0;
  for (int c = 0; c < game.players(); ++c) {
    if (game.result().share(static_cast<games::Colour>(c)) == 0) continue;
    winners += (count++ > 0 ? " and " : "") + std::string(game.colours()[c]);
  }
  if (count == game.players()) return {"The game is a draw."};
  winners[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(winners[0])));
  if (count > 1) return winners + " share the win.";
  return winners + " wins" + (game.margin() > 1 ? " by " + std::to_string(game.margin()) : "") +
         ".";
}

/// Its presence allows GoGui to set up positions.
Outcome rules_setup(Seat&, const Arguments&) { return {}; }

constexpr std::array<Command, 8> list{{
    {"gogui-rules_game_id", "",
     "the game as one word; a connection that has not said `dialect` now speaks GoGui's", false,
     rules_game_id},
    {"gogui-rules_board_size", "", "side of the square round the board; `hex` for hexagonal points",
     false, rules_board_size},
    {"gogui-rules_board", "",
     "that square, top row first: X, O, . and ? where no point is; other pieces are drawn by "
     "gogui-rules_board_gfx",
     false, rules_board},
    {"gogui-rules_board_gfx", "", "marks of the points chosen, and of those that are none", false,
     rules_board_gfx},
    {"gogui-rules_legal_moves", "", "points that may be chosen next; none when the game is over",
     false, rules_legal_moves},
    {"gogui-rules_side_to_move", "", "black or white", false, rules_side_to_move},
    {"gogui-rules_final_result", "", "who has won, as a sentence", false, rules_final_result},
    {"gogui-rules_setup", "", "says that positions can be set up", false, rules_setup},
}};

}  // namespace

std::span<const Command> gogui_rules_commands() { return list; }

}  // namespace pitboss::protocol
