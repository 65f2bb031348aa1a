#include "server/session/rules_of_play.hpp"

#include "protocol/error.hpp"

namespace pitboss::server {

void check_turn(const Table& table, games::Colour colour) {
  if (table.game().to_move() == colour) return;
  throw protocol::CommandError(protocol::FailureCode::illegal_move,
                               "illegal move: it is " +
                                   std::string(table.game().name_of(table.game().to_move())) +
                                   "'s turn");
}

void refuse_move(const games::BadGame& bad) {
  if (dynamic_cast<const games::BadSyntax*>(&bad) != nullptr) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 std::string("syntax error: ") + bad.what());
  }
  throw protocol::CommandError(protocol::FailureCode::illegal_move,
                               std::string("illegal move: ") + bad.what());
}

void play_in_turn(Seat& seat, games::Colour colour, const std::string& text) {
  const std::string move = seat.heard(text);
  if (seat.table->history().pass_after_end(move)) return;
  if (move == "resign")
    throw protocol::CommandError(protocol::FailureCode::illegal_move,
                                 "illegal move: resign is not a move to play");
  try {
    if (seat.table->game().to_move() != colour) {
      // Text that cannot be a move is a syntax error, even out of turn.
      static_cast<void>(seat.table->game().canonical(move));
      check_turn(*seat.table, colour);
    }
    seat.dialect == protocol::Dialect::gogui ? seat.table->history().play_step(move)
                                             : seat.table->history().play(move);
  } catch (const games::BadSyntax& bad) {
    refuse_move(bad);
  } catch (const games::BadGame& bad) {
    check_turn(*seat.table, colour);
    refuse_move(bad);
  }
}

void take_back(Seat& seat, std::size_t count) {
  const bool by_points = seat.dialect == protocol::Dialect::gogui;
  const bool done =
      by_points ? seat.table->history().undo_steps(count) : seat.table->history().undo(count);
  if (!done) throw protocol::CommandError(protocol::FailureCode::wrong_state, "cannot undo");
}

}  // namespace pitboss::server
