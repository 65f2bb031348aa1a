#include "server/commands/commands.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "games/suggestion.hpp"
#include "protocol/error.hpp"
#include "protocol/line.hpp"
#include "server/commands/command_groups.hpp"

namespace pitboss::server {

std::span<const Command> commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> list;
    for (const auto group :
         {administration_commands(), game_commands(), setup_commands(), sgf_commands(),
          search_commands(), duel_commands(), analysis_commands(), time_commands(),
          option_commands(), table_commands(), dialect_commands(), gogui_rules_commands(),
          gogui_commands(), display_commands()}) {
      list.insert(list.end(), group.begin(), group.end());
    }
    return list;
  }();
  return all;
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

const Command& command_named(std::string_view name) {
  if (const Command* const command = find_command(name)) return *command;
  std::vector<std::string_view> known;
  for (const Command& command : commands()) known.push_back(command.name);
  throw protocol::CommandError(
      protocol::FailureCode::unknown_command,
      "unknown command '" + std::string(name) + "'" + games::did_you_mean(name, known));
}

std::string genmove_when_finished(Table& table, games::Colour colour, bool plays) {
  if (table.game().result().share(colour) == 0) return "resign";
  if (plays) table.history().pass_after_end("pass");
  return "pass";
}

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

std::string command_table() {
  std::ostringstream text;
  text << "| command | arguments | answer | right | takes time |\n|---|---|---|---|---|\n";
  for (const Command& c : commands()) {
    text << "| `" << c.name << "` | " << c.arguments << " | " << c.help << " | "
         << (c.right == protocol::Right::nothing ? std::string_view() : name_of(c.right)) << " | "
         << (c.blocks ? "yes" : "") << " |\n";
  }
  return text.str();
}

std::string failure_code_table() {
  std::ostringstream text;
  text << "| code | says that | try again | what helps |\n|---|---|---|---|\n";
  for (const protocol::FailureCodeRow& row : protocol::failure_codes) {
    text << "| `" << row.word << "` | " << row.meaning << " | " << (row.may_try_again ? "yes" : "")
         << " | " << row.remedy << " |\n";
  }
  return text.str();
}

}  // namespace pitboss::server
