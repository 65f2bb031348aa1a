#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"
#include "protocol/jobs.hpp"
#include "protocol/search_json.hpp"

namespace pitboss::protocol {

namespace {

Outcome genmove_of(Seat& seat, const Arguments& arguments, bool plays) {
  arguments.expect(1, 1, "COLOUR");
  const games::Colour colour = seat.colour(arguments, 0);
  if (seat.table->game().result().finished())
    return genmove_when_finished(*seat.table, colour, plays);
  check_turn(*seat.table, colour);
  if (plays && seat.dialect == Dialect::gogui) {
    if (const auto point = seat.table->history().play_planned_step()) {
      Outcome outcome(seat.spoken(*point));
      outcome.plays = seat.table->history().steps().chosen().empty();
      return outcome;
    }
  }
  return std::unique_ptr<Job>(
      std::make_unique<SearchJob>(*seat.table, plays, seat.dialect, seat.live_graphics));
}
Outcome genmove(Seat& seat, const Arguments& arguments) {
  return genmove_of(seat, arguments, true);
}
Outcome reg_genmove(Seat& seat, const Arguments& arguments) {
  return genmove_of(seat, arguments, false);
}

Outcome last_search(Seat& seat, const Arguments&) {
  const auto report = seat.table->search().last();
  if (!report) throw CommandError(FailureCode::wrong_state, "no search yet in this game");
  return search_json(*report);
}

Outcome evaluate(Seat& seat, const Arguments&) {
  if (seat.table->game().result().finished()) {
    throw CommandError(FailureCode::wrong_state, "the game is over: there is nothing to evaluate");
  }
  return std::unique_ptr<Job>(std::make_unique<EvaluationJob>(
      seat.config.make_search, seat.table->game(), seat.table->options()));
}

Outcome evaluators(Seat& seat, const Arguments&) {
  if (!seat.config.evaluators) {
    throw CommandError(
        FailureCode::unsupported,
        "there is no remote evaluator here: pitbossd is told of it by --evaluator URL");
  }
  return seat.config.evaluators->report();
}

Outcome evaluations(Seat& seat, const Arguments&) {
  return evaluations_json(seat.table->search().evaluations());
}

Outcome last_value(Seat& seat, const Arguments&) {
  const auto value = seat.table->search().last_value();
  if (!value) throw CommandError(FailureCode::wrong_state, "no search yet in this game");
  return value_text(*value);
}

/// To be handled it has had the table, which has ended what goes on until something is asked.
Outcome stop(Seat&, const Arguments&) { return {}; }

Outcome live_graphics(Seat& seat, const Arguments& arguments) {
  arguments.expect(0, 1, "on / off");
  if (arguments.size() == 0) return {seat.live_graphics ? "on" : "off"};
  seat.live_graphics = arguments.on_or_off(0);
  return {};
}

/// The tree is all that is kept from search to search.
Outcome clear_cache(Seat& seat, const Arguments&) {
  seat.table->search().forget();
  return {};
}

constexpr std::array<Command, 10> search_rows{{
    {"genmove", "COLOUR", "searches and plays a move", true, genmove, Right::play},
    {"reg_genmove", "COLOUR", "searches a move without playing it", true, reg_genmove, Right::play},
    {"stop", "", "ends pondering, and analysis at the same table", false, stop, Right::play},
    {"pitboss-live_graphics", "on / off",
     "whether genmove sends blocks 'gogui-gfx:' before its answer, while it searches", false,
     live_graphics, Right::watch, Needs::nothing},
    {"last_search", "", "what the last search found, as JSON", false, last_search, Right::watch,
     Needs::table, Handled::elsewhere},
    {"evaluate", "", "what the evaluator says of the position, as JSON", true, evaluate,
     Right::play},
    {"evaluators", "", "the remote evaluators and what they were asked, as JSON", false, evaluators,
     Right::admin, Needs::nothing},
    {"evaluations", "", "who has computed the network's values in this game's searches, as JSON",
     false, evaluations, Right::watch},
    {"last_value", "", "what the move that the last search chose is worth to its mover, 0 to 1",
     false, last_value, Right::watch},
    {"clear_cache", "", "forgets what the last search found", false, clear_cache, Right::play},
}};

}  // namespace

std::span<const Command> search_commands() { return search_rows; }

}  // namespace pitboss::protocol
