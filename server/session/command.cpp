#include "server/session/command.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "games/suggestion.hpp"
#include "protocol/error.hpp"

namespace pitboss::server {

const Command* find_command(std::span<const Command> commands, std::string_view name) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  return found == commands.end() ? nullptr : &*found;
}

const Command& command_named(std::span<const Command> commands, std::string_view name) {
  if (const Command* const command = find_command(commands, name)) return *command;
  std::vector<std::string_view> known;
  for (const Command& command : commands) known.push_back(command.name);
  throw protocol::CommandError(
      protocol::FailureCode::unknown_command,
      "unknown command '" + std::string(name) + "'" + games::did_you_mean(name, known));
}

}  // namespace pitboss::server
