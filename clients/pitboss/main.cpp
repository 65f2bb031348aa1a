#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/commands.hpp"
#include "engine/leaf/remote/evaluator_client.hpp"
#include "games/suggestion.hpp"
#include "protocol/version.hpp"

namespace {

using Words = std::vector<std::string>;

struct Subcommand {
  std::string_view name;
  std::string_view help;
  int (*run)(const Words& arguments);
};

constexpr int exit_user_error = 2;
constexpr int exit_our_error = 3;

/// THE list of commands.
constexpr std::array commands{
    Subcommand{"bench", "measures the speed of the search", pitboss::clients::bench},
    Subcommand{"features", "shows features of moves", pitboss::clients::features_command},
    Subcommand{"grow", "grows features by self-play", pitboss::clients::grow_command},
    Subcommand{"gtp", "connects a GUI that starts programs with a server", pitboss::clients::gtp},
    Subcommand{"ledger", "looks into the records of experiments", pitboss::clients::ledger},
    Subcommand{"load", "measures how fast a server answers", pitboss::clients::load},
    Subcommand{"network", "makes, shows, checks and times networks", pitboss::clients::network},
    Subcommand{"referee", "plays matches between engines", pitboss::clients::referee},
    Subcommand{"selfplay", "plays games for a training run", pitboss::clients::selfplay},
    Subcommand{"token", "makes a token for clients of a daemon", pitboss::clients::token},
    Subcommand{"train", "trains a network by self-play", pitboss::clients::train_command},
};

const Subcommand* find(std::string_view name) {
  for (const Subcommand& command : commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

void list_commands(std::ostream& out) {
  out << "usage: pitboss COMMAND ...\n\n";
  for (const Subcommand& command : commands) {
    out << "  " << command.name << std::string(10 - command.name.size(), ' ') << command.help
        << "\n";
  }
  out << "\npitboss COMMAND --help tells more; pitboss --version tells the version.\n";
}

int run(const Words& words) {
  if (words.empty()) {
    list_commands(std::cerr);
    return exit_user_error;
  }
  if (words[0] == "--version" || words[0] == "version") {
    std::cout << pitboss::protocol::version_of("pitboss")
              << (pitboss::engine::has_evaluator_client() ? ", with" : ", without")
              << " remote evaluators\n";
    return 0;
  }
  const bool is_help = words[0] == "help" || words[0] == "--help" || words[0] == "-h";
  if (is_help && words.size() == 1) {
    list_commands(std::cout);
    return 0;
  }
  const std::string& name = is_help ? words[1] : words[0];
  const Subcommand* const command = find(name);
  if (!command) {
    std::vector<std::string_view> known;
    for (const Subcommand& one : commands) known.push_back(one.name);
    const std::string similar = pitboss::games::did_you_mean(name, known);
    throw pitboss::clients::UserError("there is no command '" + name + "'" +
                                      (similar.empty() ? "; see pitboss --help" : similar));
  }
  return command->run(is_help ? Words{"--help"} : Words(words.begin() + 1, words.end()));
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow fails as on a full disk
  try {
    const int code = run(Words(argv + 1, argv + argc));
    if (code == 0 && (!std::cout.flush() || std::fflush(stdout) != 0)) {
      throw pitboss::clients::UserError("not all of the output could be written");
    }
    return code;
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
