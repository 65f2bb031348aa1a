#pragma once

#include <span>
#include <string>

#include "server/session/command.hpp"

namespace pitboss::server {

/// THE list of commands (command_groups.hpp has its parts), which sessions are handed
/// (SessionConfig): dispatch, `list_commands`, `help` and docs/protocol.md derive from it.
[[nodiscard]] std::span<const Command> commands();
/// The tables of docs/protocol.md.
[[nodiscard]] std::string command_table();
[[nodiscard]] std::string failure_code_table();

}  // namespace pitboss::server
