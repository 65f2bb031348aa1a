#include <functional>

#include "games/records/position_editor.hpp"
#include "games/rules_text.hpp"
#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"

namespace pitboss::server {

namespace {

Outcome title(Seat& seat, const protocol::Arguments&) {
  return "Pitboss: " + games::rules_text(seat.table->game());
}

Outcome play_sequence(Seat& seat, const protocol::Arguments& arguments) {
  if (arguments.size() % 2 != 0)
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected COLOUR MOVE pairs");
  seat.table->all_or_nothing([&] {
    for (std::size_t i = 0; i < arguments.size(); i += 2) {
      play_in_turn(seat, seat.colour(arguments, i), arguments.word(i + 1));
    }
  });
  return {};
}

Outcome gg_undo(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 1, "[NUMBER]");
  const auto count = arguments.size() == 0 ? 1 : arguments.whole(0, 0, 1000000);
  take_back(seat, static_cast<std::size_t>(count));
  return {};
}

void check_untouched(const Table& table) {
  const auto fresh = games::make_game(table.game().name(), table.game().parameters());
  if (!table.history().moves().empty() || !table.history().steps().chosen().empty() ||
      table.game().position() != fresh->position()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "board not empty: give clear_board first");
  }
}

/// Calls `set`, which sets up a position. Throws CommandError if the game refuses the position.
void set_up(const std::function<void()>& set) {
  try {
    set();
  } catch (const games::BadGame& bad) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 std::string("cannot set up: ") + bad.what());
  }
}

/// Puts just these stones on the board. GoGui names the side to move afterwards, so either will do.
Outcome setup(Seat& seat, const protocol::Arguments& arguments) {
  check_untouched(*seat.table);
  set_up([&] { set_stones(seat, arguments); });
  return {};
}

Outcome setup_player(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "COLOUR");
  const games::Colour colour = seat.colour(arguments, 0);
  if (!seat.table->history().moves().empty() || !seat.table->history().steps().chosen().empty()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "moves have been played: give clear_board first");
  }
  const games::AnyGame& game = seat.table->game();
  if (game.to_move() == colour) return {};
  games::PositionEditor position(game);
  position.to_move = colour;
  position.extra.clear();
  set_up([&] { seat.table->history().start_from(position.apply(game)); });
  return {};
}

constexpr std::array<Command, 5> gogui_rows{{
    {"gogui-title", "", "program and game, for a window's title", false, title,
     protocol::Right::watch},
    {"gogui-play_sequence", "COLOUR MOVE ...", "plays all these moves or none", false,
     play_sequence, protocol::Right::play},
    {"gg-undo", "[NUMBER]", "takes that many moves back (points in GoGui's dialect), or none",
     false, gg_undo, protocol::Right::play, Needs::table, Handled::elsewhere},
    {"gogui-setup", "COLOUR POINT ...", "a position of these stones, right after clear_board",
     false, setup, protocol::Right::play},
    {"gogui-setup_player", "COLOUR", "the side to move in it", false, setup_player,
     protocol::Right::play},
}};

}  // namespace

std::span<const Command> gogui_commands() { return gogui_rows; }

}  // namespace pitboss::server
