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

std::string genmove_when_finished(Table& table, games::Colour colour, bool plays) {
  if (table.game().result().share(colour) == 0) return "resign";
  if (plays) table.history().pass_after_end("pass");
  return "pass";
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
