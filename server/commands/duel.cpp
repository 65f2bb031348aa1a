#include "server/session/duel.hpp"

#include <algorithm>

#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"

namespace pitboss::server {

namespace {

constexpr std::string_view duel_usage = "ENGINES PLIES SECONDS [NAME=VALUE ...]";

/// "12": black is the table's engine, white the opponent.
std::vector<int> engines_of(const std::string& word, const games::AnyGame& game) {
  const bool is_well_formed =
      std::ssize(word) == game.players() && word.find_first_not_of("12") == std::string::npos;
  if (!is_well_formed) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected " + std::to_string(game.players()) +
                                     " digits, 1 or 2, an engine for each colour");
  }
  std::vector<int> engines;
  for (const char c : word) engines.push_back(c - '1');
  return engines;
}

std::vector<engine::Assignment> assignments_from(const protocol::Arguments& arguments,
                                                 std::size_t first) {
  std::vector<engine::Assignment> all;
  for (std::size_t i = first; i < arguments.size(); ++i) {
    const std::string& word = arguments.word(i);
    const auto equals = word.find('=');
    if (equals == std::string::npos) {
      throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                   "syntax error: expected NAME=VALUE, not '" + word + "'");
    }
    all.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  engine::presets_first(all);
  return all;
}

/// Throws CommandError for options that a duel does not support: the server gives a search its
/// threads only when a command begins, and there is no time to ponder.
void check_duellist(const engine::Options& options) {
  if (options.threads > 1)
    throw protocol::CommandError(protocol::FailureCode::unsupported,
                                 "duel: both engines have one thread each: set threads to 1");
  if (options.ponder)
    throw protocol::CommandError(protocol::FailureCode::unsupported,
                                 "duel: the engines do not ponder: set ponder to false");
}

/// The duel, if the options of its engines allow it.
std::unique_ptr<Job> job_between(Seat& seat, Table& opponent, DuelRequest request) {
  if (std::ranges::count(request.engines, 0) > 0) check_duellist(seat.table->options());
  if (std::ranges::count(request.engines, 1) > 0) check_duellist(opponent.options());
  return std::make_unique<DuelJob>(*seat.table, opponent, seat.caller(), seat.dialect,
                                   std::move(request));
}

Outcome duel(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::int64_t most_plies = 1'000'000;
  arguments.expect(3, std::size_t{3} + engine::option_rows().size(), duel_usage);
  DuelRequest request;
  request.engines = engines_of(arguments.word(0), seat.table->game());
  request.plies = arguments.whole(1, 1, most_plies);
  request.time = std::chrono::duration_cast<std::chrono::nanoseconds>(arguments.seconds(2));
  const auto options = assignments_from(arguments, 3);
  if (!seat.table->history().steps().chosen().empty()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "duel: a move of " +
                                     seat.table->history().steps().chosen().front() +
                                     " has begun (undo takes it back)");
  }
  if (seat.table->game().result().finished()) {
    Table opponent(seat.config);  // only to check the options
    opponent.resume({seat.table->game().clone(), {}}, options);
    static_cast<void>(job_between(seat, opponent, std::move(request)));
    return std::string("0 0 0 0");
  }
  return job_between(seat, opponent_at(seat, options), std::move(request));
}

constexpr std::array<Command, 1> duel_rows{{
    {"duel", duel_usage,
     "plays on by itself: the table's engine (1) against one with these options (2); tells the "
     "seconds of both and of their longest moves, in more lines the moves, their values, "
     "simulations, depths, processor seconds, seconds, and 'exact' for those that an exact solver "
     "has found",
     true, duel, protocol::Right::play},
}};

}  // namespace

std::span<const Command> duel_commands() { return duel_rows; }

}  // namespace pitboss::server
