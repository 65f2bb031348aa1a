#include <array>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "clients/bench.hpp"
#include "clients/gtp.hpp"
#include "clients/ledger_command.hpp"
#include "clients/load.hpp"
#include "clients/referee_command.hpp"
#include "clients/user_error.hpp"

namespace {

using Arguments = std::vector<std::string>;

struct Command {
  std::string_view name;
  std::string_view help;
  int (*run)(const Arguments& arguments);
};

constexpr int exit_user_error = 2;
constexpr int exit_our_error = 3;

/// THE list of commands.
constexpr std::array commands{
    Command{"bench", "measures the speed of the search", pitboss::clients::bench},
    Command{"gtp", "connects a GUI that starts programs with a server", pitboss::clients::gtp},
    Command{"ledger", "looks into the records of experiments", pitboss::clients::ledger},
    Command{"load", "measures how fast a server answers", pitboss::clients::load},
    Command{"referee", "plays matches between engines", pitboss::clients::referee},
};

const Command* find(std::string_view name) {
  for (const Command& command : commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

void list_commands(std::ostream& out) {
  out << "usage: pitboss COMMAND ...\n\n";
  for (const Command& command : commands) {
    out << "  " << command.name << std::string(10 - command.name.size(), ' ') << command.help
        << "\n";
  }
  out << "\npitboss COMMAND --help tells more.\n";
}

int run(const Arguments& words) {
  if (words.empty()) {
    list_commands(std::cerr);
    return exit_user_error;
  }
  const bool is_help = words[0] == "help" || words[0] == "--help" || words[0] == "-h";
  if (is_help && words.size() == 1) {
    list_commands(std::cout);
    return 0;
  }
  const std::string& name = is_help ? words[1] : words[0];
  const Command* const command = find(name);
  if (!command) {
    throw pitboss::clients::UserError("there is no command \"" + name + "\"; see pitboss help");
  }
  return command->run(is_help ? Arguments{"--help"} : Arguments(words.begin() + 1, words.end()));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(Arguments(argv + 1, argv + argc));
  } catch (const pitboss::clients::UserError& e) {
    std::cerr << "pitboss: " << e.what() << "\n";
    return exit_user_error;
  } catch (const std::filesystem::filesystem_error& e) {
    std::cerr << "pitboss: " << e.what() << "\n";
    return exit_user_error;
  } catch (const std::exception& e) {
    std::cerr << "pitboss: internal error: " << e.what() << "; please report it\n";
    return exit_our_error;
  }
}
