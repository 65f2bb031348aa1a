#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/access.hpp"
#include "protocol/arguments.hpp"
#include "server/session/job.hpp"

namespace pitboss::server {

struct Seat;

/// The part of its table that a command uses.
enum class Needs : std::uint8_t {
  nothing,  ///< of the table
  options,  ///< the table's options; waits while a worker handles a line of the table
  table     ///< the whole table; waits until no other command has it
};

/// Who handles the line of a command that needs the table. The I/O thread handles the lines of
/// other commands, and refuses them if they are long.
enum class Handled : std::uint8_t {
  by_length,  ///< the I/O thread if the line is short, else a worker
  elsewhere   ///< a worker, since even short lines may take long
};

/// One command. A handler checks everything before it changes anything and fails by throwing
/// CommandError, BadGame or BadOption.
struct Command {
  std::string_view name;
  std::string_view arguments;  ///< for people
  std::string_view help;       ///< one line
  bool blocks;                 ///< whether the session waits for a job
  Outcome (*handler)(Seat&, const protocol::Arguments&);
  protocol::Right right;  ///< the client must have it, and at its table unless `needs` is nothing
  Needs needs = Needs::table;
  Handled handled = Handled::by_length;
  bool looks = false;  ///< needs the table only as it was when the command that has it began
  bool moves = false;  ///< makes one move: what is left to people who hold colours of the table
};

/// The command of that name, or nullptr.
[[nodiscard]] const Command* find_command(std::span<const Command> commands, std::string_view name);
/// The same; throws CommandError if there is none.
[[nodiscard]] const Command& command_named(std::span<const Command> commands,
                                           std::string_view name);

}  // namespace pitboss::server
