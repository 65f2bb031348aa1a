#include <algorithm>
#include <sstream>

#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"
#include "server/session/jobs.hpp"
#include "server/session/search_json.hpp"

namespace pitboss::server {

namespace {

Outcome genmove_of(Seat& seat, const protocol::Arguments& arguments, bool plays) {
  arguments.expect(0, 1, "[COLOUR]");
  const games::Colour colour =
      arguments.size() == 1 ? seat.colour(arguments, 0) : seat.table->game().to_move();
  if (seat.table->game().result().finished())
    return genmove_when_finished(*seat.table, colour, plays);
  if (plays) follow_hexgui(seat, colour);
  check_turn(*seat.table, colour);
  if (plays && seat.dialect == protocol::Dialect::gogui) {
    if (const auto point = seat.table->history().play_planned_step()) {
      Outcome outcome(seat.spoken(*point));
      outcome.plays = seat.table->history().steps().chosen().empty();
      return outcome;
    }
  }
  return std::unique_ptr<Job>(std::make_unique<SearchJob>(*seat.table, seat.caller(), plays,
                                                          seat.dialect, seat.live_graphics));
}
Outcome genmove(Seat& seat, const protocol::Arguments& arguments) {
  return genmove_of(seat, arguments, true);
}
Outcome reg_genmove(Seat& seat, const protocol::Arguments& arguments) {
  return genmove_of(seat, arguments, false);
}

/// The moves of a line from a position on, given as arguments. Throws CommandError for a move that
/// is not legal.
std::vector<games::Move> line_from(const games::AnyGame& position,
                                   const protocol::Arguments& arguments) {
  const auto now = position.clone();
  std::vector<games::Move> moves;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    try {
      now->play(moves.emplace_back(now->find(arguments.word(i))));
    } catch (const games::BadGame& bad) {
      refuse_move(bad);
    }
  }
  return moves;
}

[[noreturn]] void tree_has_gone() {
  throw protocol::CommandError(
      protocol::FailureCode::wrong_state,
      "the tree of the last search has gone: pondering or a search that needed its memory has "
      "taken it");
}

Outcome last_search(Seat& seat, const protocol::Arguments& arguments) {
  const TableSearch& search = seat.table->search();
  const engine::Report root = of_last_search(search.last());
  const games::AnyGame& position = *search.last_position();
  if (arguments.size() == 0) return search_json(root, position);
  const auto line = line_from(position, arguments);
  if (const auto report = search.last_below(line)) return search_json(*report, position);
  if (!search.has_last_tree()) tree_has_gone();
  throw protocol::CommandError(
      protocol::FailureCode::wrong_state,
      "the tree of the last search has no position after " + arguments.text());
}

Outcome last_tree(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::int64_t usual = 200;
  constexpr std::int64_t most = 1000;
  arguments.expect(0, 1, "[COUNT]");
  const std::int64_t count = arguments.size() == 1 ? arguments.whole(0, 1, most) : usual;
  const TableSearch& search = seat.table->search();
  static_cast<void>(of_last_search(search.last_value()));
  if (!search.has_last_tree()) tree_has_gone();
  return tree_json(most_visited(search, static_cast<std::size_t>(count)));
}

/// What was told of the position, by whichever table's search.
Outcome earlier_search(Seat& seat, const protocol::Arguments&) {
  const auto view = seat.looks_at();
  std::string found = seat.findings().find(*view->game, seat.table->options());
  return found.empty() ? std::string("null") : std::move(found);
}

Outcome simulate(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::int64_t most = 1000;
  arguments.expect(0, 1, "[COUNT]");
  const std::int64_t count = arguments.size() == 1 ? arguments.whole(0, 1, most) : 1;
  if (seat.table->game().result().finished()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "the game is over: there is nothing to search");
  }
  return std::unique_ptr<Job>(
      std::make_unique<SimulationsJob>(*seat.table, seat.caller(), count, seat.findings()));
}

Outcome evaluate(Seat& seat, const protocol::Arguments&) {
  if (seat.table->game().result().finished()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "the game is over: there is nothing to evaluate");
  }
  return std::unique_ptr<Job>(std::make_unique<EvaluationJob>(*seat.table, seat.caller()));
}

/// A position of `evaluate_many`. Throws BadGame and CommandError.
std::unique_ptr<games::AnyGame> position_of(const games::AnyGame& game, const std::string& text) {
  auto position = game.clone();
  position->set_position(text);
  if (position->result().finished()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "the game is over: there is nothing to evaluate");
  }
  return position;
}

Outcome evaluate_many(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::size_t most = 256;
  EvaluationJob::Positions positions;
  std::istringstream texts(arguments.text());
  for (std::string text; std::getline(texts, text, ';');) {
    const std::string which = "position " + std::to_string(positions.size() + 1) + ": ";
    if (positions.size() == most) {
      throw protocol::CommandError(
          protocol::FailureCode::bad_argument,
          "syntax error: expected no more than " + std::to_string(most) + " positions");
    }
    try {
      positions.push_back(position_of(seat.table->game(), text));
    } catch (const games::BadGame& bad) {
      throw games::BadGame(which + bad.what());
    } catch (const protocol::CommandError& error) {
      throw protocol::CommandError(error.code(), which + error.what());
    }
  }
  if (positions.empty()) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected POSITION; POSITION ...");
  }
  return std::unique_ptr<Job>(
      std::make_unique<EvaluationJob>(*seat.table, seat.caller(), std::move(positions)));
}

Outcome truth(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::chrono::duration<double> usual{10};
  arguments.expect(0, 1, "[MOVETIME]");
  const auto time = arguments.size() == 1 ? arguments.seconds(0) : usual;
  constexpr std::int64_t most_mb = 256;
  const std::int64_t table_mb = std::min(seat.table->options().tree_mb, most_mb);
  const auto table_bytes = static_cast<std::size_t>(table_mb) << 20U;
  return std::unique_ptr<Job>(std::make_unique<TruthJob>(seat.table->game(), seat.config.shared,
                                                         seat.client.key(), table_bytes, time));
}

Outcome evaluators(Seat& seat, const protocol::Arguments&) {
  if (!seat.config.evaluators) {
    throw protocol::CommandError(
        protocol::FailureCode::unsupported,
        "there is no remote evaluator: start pitbossd with --evaluator URL");
  }
  return seat.config.evaluators->report();
}

Outcome evaluations(Seat& seat, const protocol::Arguments&) {
  return evaluations_json(seat.table->search().models_used());
}

Outcome last_value(Seat& seat, const protocol::Arguments&) {
  return value_text(of_last_search(seat.table->search().last_value()));
}

Outcome last_effort(Seat& seat, const protocol::Arguments&) {
  const TableSearch& search = seat.table->search();
  const auto effort = of_last_search(search.last_effort());
  return std::to_string(effort.simulations) + ' ' + std::to_string(effort.depth) + ' ' +
         seconds_text(effort.processor_time) + ' ' + seconds_text(effort.time) +
         (search.last_is_exact() ? " exact" : "");
}

/// Does nothing: to get the table for `stop`, the session has ended pondering or analysis.
Outcome stop(Seat&, const protocol::Arguments&) { return {}; }

Outcome live_graphics(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 1, "on / off");
  if (arguments.size() == 0) return {seat.live_graphics ? "on" : "off"};
  seat.live_graphics = arguments.on_or_off(0);
  return {};
}

/// The tree and its results are all that is kept between searches.
Outcome clear_cache(Seat& seat, const protocol::Arguments&) {
  seat.table->search().forget();
  return {};
}

constexpr std::array<Command, 16> search_rows{{
    {"genmove", "[COLOUR]", "searches and plays a move, of the side to move if no colour is given",
     true, genmove, protocol::Right::play},
    {"reg_genmove", "[COLOUR]", "searches a move without playing it", true, reg_genmove,
     protocol::Right::play},
    {"stop", "", "ends pondering, and analysis at the same table", false, stop,
     protocol::Right::play},
    {"pitboss-live_graphics", "on / off",
     "whether genmove sends blocks 'gogui-gfx:' before its answer, while it searches", false,
     live_graphics, protocol::Right::watch, Needs::nothing},
    {"last_search", "[MOVE ...]",
     "what the last search found, as JSON; what it found below these moves", false, last_search,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"last_tree", "[COUNT]",
     "the most visited moves of the last search's tree, 1 to 1000 (200), as JSON", false, last_tree,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"earlier_search", "",
     "what a search has told of this position, at any table, before: as JSON, null if none has",
     false, earlier_search, protocol::Right::watch, Needs::table, Handled::elsewhere, true},
    {"simulate", "[COUNT]",
     "continues the search of the position by so many simulations, 1 to 1000; tells what it has "
     "found and where they went, as JSON",
     true, simulate, protocol::Right::play},
    {"evaluate", "", "what the evaluator says of the position, as JSON", true, evaluate,
     protocol::Right::play},
    {"evaluate_many", "POSITION; POSITION ...",
     "the same of up to 256 positions of the table's game, as `position` takes them, as JSON: "
     "`positions`",
     true, evaluate_many, protocol::Right::play, Needs::table, Handled::elsewhere},
    {"truth", "[MOVETIME]",
     "the exact result of the position and of each legal move, as far as it is found within "
     "MOVETIME seconds (10), as JSON: of connect4, hex, teeko, small boards of atarigo, "
     "breakthrough and knightthrough, and the ends of every other game for two but cannon, "
     "Chinese checkers and fanorona",
     true, truth, protocol::Right::play},
    {"evaluators", "", "the remote evaluators and what they were asked, as JSON", false, evaluators,
     protocol::Right::admin, Needs::nothing},
    {"evaluations", "",
     "who has computed the network's values in this game's searches, and the SHA-256 of the "
     "networks and features that they used, as JSON",
     false, evaluations, protocol::Right::watch},
    {"last_value", "", "what the move that the last search chose is worth to its mover, 0 to 1",
     false, last_value, protocol::Right::watch},
    {"last_effort", "",
     "what the last search has taken: simulations, depth in plies, seconds of processor time, "
     "seconds; 'exact' if an exact solver has found its move",
     false, last_effort, protocol::Right::watch},
    {"clear_cache", "", "forgets what the last search found", false, clear_cache,
     protocol::Right::play},
}};

}  // namespace

std::span<const Command> search_commands() { return search_rows; }

}  // namespace pitboss::server
