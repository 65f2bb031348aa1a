#include "server/session/analysis.hpp"

#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"
#include "server/session/jobs.hpp"

namespace pitboss::server {

namespace {

template <AnalysisForm Form>
Outcome analyze(Seat& seat, const protocol::Arguments& arguments) {
  if (seat.table->game().result().finished()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "the game is over: there is no move to analyse");
  }
  return std::unique_ptr<Job>(std::make_unique<AnalysisJob>(
      *seat.table, seat.caller(), read_analysis(Form, arguments, *seat.table), seat.findings()));
}

template <AnalysisForm Form>
Outcome genmove_analyze(Seat& seat, const protocol::Arguments& arguments) {
  const games::AnyGame& game = seat.table->game();
  if (game.result().finished()) {
    const auto colour = arguments.size() > 0 ? seat.colour_if_any(arguments, 0) : std::nullopt;
    return "\nplay " + genmove_when_finished(*seat.table, colour.value_or(game.to_move()), true);
  }
  AnalysisRequest request = read_analysis(Form, arguments, *seat.table);
  if (request.goes_on || request.most_simulations || request.most_time) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: options bound the search of a move, not "
                                 "'simulations', 'movetime' or 'goesOn'");
  }
  return std::unique_ptr<Job>(std::make_unique<TellingSearchJob>(
      *seat.table, seat.caller(), std::move(request), seat.findings()));
}

constexpr std::string_view keys = "[COLOUR] [INTERVAL] [KEY VALUE ...]";
constexpr std::string_view keys_or_json = "[json] [COLOUR] [INTERVAL] [KEY VALUE ...]";
constexpr std::string_view analyzes = "tells what the search thinks until the next line";
constexpr std::string_view and_plays = "the same while it searches a move, which it plays";

constexpr std::array<Command, 6> analysis_rows{{
    {"analyze", keys_or_json, analyzes, true, analyze<AnalysisForm::sabaki>, protocol::Right::play},
    {"lz-analyze", keys, analyzes, true, analyze<AnalysisForm::leela>, protocol::Right::play},
    {"kata-analyze", keys, analyzes, true, analyze<AnalysisForm::kata>, protocol::Right::play},
    {"genmove_analyze", keys_or_json, and_plays, true, genmove_analyze<AnalysisForm::sabaki>,
     protocol::Right::play},
    {"lz-genmove_analyze", keys, and_plays, true, genmove_analyze<AnalysisForm::leela>,
     protocol::Right::play},
    {"kata-genmove_analyze", keys, and_plays, true, genmove_analyze<AnalysisForm::kata>,
     protocol::Right::play},
}};

}  // namespace

std::span<const Command> analysis_commands() { return analysis_rows; }

}  // namespace pitboss::server
