#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"
#include "protocol/jobs.hpp"
#include "protocol/search_json.hpp"

namespace pitboss::protocol {

namespace {

/// A finished game has no move left. Referees that know only Go end a game on `resign` or two
/// passes, so the loser resigns and a winner or a draw passes.
Outcome genmove_when_finished(const games::AnyGame& game, games::Colour colour) {
  return {game.result().share(colour) == 0 ? "resign" : "pass"};
}

Outcome genmove_of(Seat& seat, const Arguments& arguments, bool plays) {
  arguments.expect(1, 1, "COLOUR");
  const games::Colour colour = arguments.colour(0);
  if (seat.table->game().result().finished())
    return genmove_when_finished(seat.table->game(), colour);
  check_turn(*seat.table, colour);
  if (plays && seat.dialect == Dialect::gogui) {
    if (const auto point = seat.table->play_planned_step()) return seat.spoken(*point);
  }
  return std::unique_ptr<Job>(std::make_unique<SearchJob>(*seat.table, plays, seat.dialect));
}
Outcome genmove(Seat& seat, const Arguments& arguments) {
  return genmove_of(seat, arguments, true);
}
Outcome reg_genmove(Seat& seat, const Arguments& arguments) {
  return genmove_of(seat, arguments, false);
}

Outcome last_search(Seat& seat, const Arguments&) {
  const auto report = seat.table->last_search();
  if (!report) throw CommandError("no search yet in this game");
  return search_json(*report);
}

constexpr std::array<Command, 3> list{{
    {"genmove", "COLOUR", "searches and plays a move", true, genmove},
    {"reg_genmove", "COLOUR", "searches a move without playing it", true, reg_genmove},
    {"last_search", "", "what the last search found, as JSON", false, last_search},
}};

}  // namespace

std::span<const Command> search_commands() { return list; }

}  // namespace pitboss::protocol
