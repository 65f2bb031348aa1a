#include <cctype>

#include "games/grid.hpp"
#include "games/notation.hpp"
#include "protocol/board_words.hpp"
#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"

namespace pitboss::protocol {

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Outcome title(Seat& seat, const Arguments&) {
  const std::string parameters = seat.table->game().parameters().line();
  return "Pitboss: " + std::string(seat.table->game().name()) + (parameters.empty() ? "" : " ") +
         parameters;
}

Outcome play_sequence(Seat& seat, const Arguments& arguments) {
  if (arguments.size() % 2 != 0) throw CommandError("syntax error: expected COLOUR MOVE pairs");
  seat.table->all_or_nothing([&] {
    for (std::size_t i = 0; i < arguments.size(); i += 2) {
      play_in_turn(seat, arguments.colour(i), arguments.word(i + 1));
    }
  });
  return {};
}

Outcome gg_undo(Seat& seat, const Arguments& arguments) {
  arguments.expect(0, 1, "[NUMBER]");
  const auto count = arguments.size() == 0 ? 1 : arguments.whole(0, 0, 1000000);
  seat.table->all_or_nothing([&] {
    for (std::int64_t i = 0; i < count; ++i) {
      if (!take_back(seat)) throw CommandError("cannot undo");
    }
  });
  return {};
}

void check_untouched(const Table& table) {
  const auto fresh = games::make_game(table.game().name(), table.game().parameters());
  if (!table.moves().empty() || !table.steps().chosen().empty() ||
      table.game().position() != fresh->position()) {
    throw CommandError("board not empty: clear_board must come before");
  }
}

/// The first word of a position line for these contents of the board.
std::string rows_of(const games::BoardShape& shape,
                    const std::map<std::string, char, std::less<>>& points) {
  std::string rows;
  for (int y = shape.height - 1; y >= 0; --y) {
    for (int x = 0; x < shape.width; ++x) {
      const auto found = points.find(games::point_text(x, y));
      rows += found == points.end() ? '?' : found->second;
    }
    if (y > 0) rows += '/';
  }
  return rows;
}

void set_up(Seat& seat, const std::string& position) {
  try {
    seat.table->set_position(position);
  } catch (const games::BadGame& bad) {
    throw CommandError(std::string("cannot set up: ") + bad.what());
  }
}

/// The stones given, and nothing else, on the board. GoGui tells the side to move afterwards, so
/// either will do.
Outcome setup(Seat& seat, const Arguments& arguments) {
  if (arguments.size() % 2 != 0) throw CommandError("syntax error: expected COLOUR POINT pairs");
  check_untouched(*seat.table);
  auto points = contents(seat.table->game());
  for (auto& [point, content] : points) content = '.';
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const games::Colour colour = arguments.colour(i);
    const auto names = games::points_of(lower(seat.heard(arguments.word(i + 1))));
    const auto point = names.size() == 1 ? points.find(names.front()) : points.end();
    if (point == points.end()) {
      throw CommandError("syntax error: '" + arguments.word(i + 1) + "' is no point of the board");
    }
    if (point->second != '.') {
      throw CommandError("cannot set up: " + arguments.word(i + 1) + " is given twice");
    }
    point->second = colour == games::Colour::black ? 'X' : 'O';
  }
  const std::string rows = rows_of(seat.table->game().shape(), points);
  try {
    set_up(seat, rows + " b");
  } catch (const CommandError&) {
    set_up(seat, rows + " w");
  }
  return {};
}

Outcome setup_player(Seat& seat, const Arguments& arguments) {
  arguments.expect(1, 1, "COLOUR");
  const games::Colour colour = arguments.colour(0);
  if (!seat.table->moves().empty() || !seat.table->steps().chosen().empty()) {
    throw CommandError("moves have been played: a position is set up before");
  }
  if (seat.table->game().to_move() == colour) return {};
  const games::AnyGame& game = seat.table->game();
  set_up(seat,
         rows_of(game.shape(), contents(game)) + " " + std::string(games::colour_letter(colour)));
  return {};
}

constexpr std::array<Command, 5> list{{
    {"gogui-title", "", "program and game, for a window's title", false, title},
    {"gogui-play_sequence", "COLOUR MOVE ...", "plays all these moves or none", false,
     play_sequence},
    {"gg-undo", "[NUMBER]", "takes that many moves back (points in GoGui's dialect), or none",
     false, gg_undo},
    {"gogui-setup", "COLOUR POINT ...", "a position of these stones, right after clear_board",
     false, setup},
    {"gogui-setup_player", "COLOUR", "the side to move in it", false, setup_player},
}};

}  // namespace

std::span<const Command> gogui_commands() { return list; }

}  // namespace pitboss::protocol
