#include "server/session/rules_of_play.hpp"

#include "games/records/position_editor.hpp"
#include "games/swap.hpp"
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

namespace {

/// Hex's rule of the swap and the moves, as HexGui sees them before `mover` moves.
struct HexGuisGame {
  std::string swap;
  std::vector<std::string> moves;
  bool has_changed_sides = false;
};

HexGuisGame hexguis_game(const Table& table, games::Colour mover, bool swaps) {
  const std::string_view parameter = games::SwapRule::parameter.name;
  HexGuisGame seen{table.game().parameters().text(parameter), table.history().moves()};
  constexpr std::size_t with_swap = 2;
  if (seen.moves.size() > with_swap) return seen;
  if (seen.moves.size() == with_swap && seen.moves.front() == games::SwapRule::text) return seen;
  if (!seen.moves.empty() && seen.moves.back() == games::SwapRule::text) {
    if (seen.swap != "pieces" || mover != games::Colour::white) return seen;
    seen.moves.pop_back();
    seen.has_changed_sides = true;
  }
  const bool may_swap = swaps || (table.history().begun_with().text(parameter) != "off" &&
                                  !seen.has_changed_sides && !table.history().sides_changed_at());
  seen.swap = may_swap ? "pieces" : "off";
  return seen;
}

}  // namespace

void follow_hexgui(Seat& seat, games::Colour mover, std::string_view move) {
  Table& table = *seat.table;
  if (seat.dialect != protocol::Dialect::hexgui || table.game().name() != "hex") return;
  if (table.colour_seats().are_held()) return;
  const std::string_view parameter = games::SwapRule::parameter.name;
  HexGuisGame seen = hexguis_game(table, mover, move == games::SwapRule::text);
  if (seen.swap == table.game().parameters().text(parameter)) return;
  games::Record record{games::with_parameter(table.history().start(), parameter, seen.swap),
                       std::move(seen.moves)};
  const auto position = games::last_position(record);
  if (position->to_move() != mover) return;
  if (!move.empty()) static_cast<void>(position->find(move));
  table.go_on_as(std::move(record));
  if (seen.has_changed_sides) table.history().change_sides();
}

void play_in_turn(Seat& seat, games::Colour colour, const std::string& text) {
  const std::string move = seat.heard(text);
  const bool may_pass_after_end = !seat.table->colour_seats().are_held();
  if (may_pass_after_end && seat.table->history().pass_after_end(move)) return;
  if (move == "resign")
    throw protocol::CommandError(protocol::FailureCode::illegal_move,
                                 "illegal move: resign is not a move to play");
  try {
    follow_hexgui(seat, colour, move);
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
