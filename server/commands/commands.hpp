#pragma once

#include <span>
#include <string>
#include <string_view>

#include "protocol/access.hpp"
#include "protocol/arguments.hpp"
#include "server/session/job.hpp"
#include "server/session/seat.hpp"

namespace pitboss::server {

/// What a command uses of its table, which other sessions may be using.
enum class Needs : std::uint8_t {
  nothing,  ///< of the table
  options,  ///< of the table, which are safe to use at any time
  table     ///< for itself; waits until no other command has it
};

/// Who handles the line of a command that needs the table. Lines of other commands are handled by
/// the thread that handles those of all sessions, and refused if they are long.
enum class Handled : std::uint8_t {
  by_length,  ///< that thread if the line is short, else one that searches
  elsewhere   ///< one that searches, since short lines may take long, too
};

/// One command. A handler checks everything before it changes anything and fails by throwing
/// CommandError, BadGame or BadOption.
struct Command {
  std::string_view name;
  std::string_view arguments;  ///< for people
  std::string_view help;       ///< one line
  bool blocks;                 ///< whether the session waits for a job
  Outcome (*handler)(Seat&, const protocol::Arguments&);
  protocol::Right right;  ///< what the client must have, at its table too if the command needs that
  Needs needs = Needs::table;
  Handled handled = Handled::by_length;
};

/// THE list of commands (command_groups.hpp has its parts): dispatch, `list_commands`, `help` and
/// docs/protocol.md derive from it.
[[nodiscard]] std::span<const Command> commands();
/// The command of that name, or nullptr.
[[nodiscard]] const Command* find_command(std::string_view name);
/// The same; throws CommandError if there is none.
[[nodiscard]] const Command& command_named(std::string_view name);
/// The tables of docs/protocol.md.
[[nodiscard]] std::string command_table();
[[nodiscard]] std::string failure_code_table();

}  // namespace pitboss::server
