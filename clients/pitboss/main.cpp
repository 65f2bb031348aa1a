#include <algorithm>
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
#include "engine/exact/teeko_solution.hpp"
#include "engine/leaf/remote/evaluator_client.hpp"
#include "environment/folders.hpp"
#include "games/suggestion.hpp"
#include "protocol/version.hpp"

namespace {

using Words = std::vector<std::string>;

struct Subcommand {
  std::string_view group;  ///< a heading of the list
  std::string_view name;
  std::string_view help;
  int (*run)(const Words& arguments);
};

constexpr int exit_user_error = 2;
constexpr int exit_our_error = 3;

constexpr std::string_view examples =
    "usage: pitboss COMMAND ...\n\n"
    "  pitboss play othello                       a game against the engine, here in the terminal\n"
    "  pitboss referee --server 127.0.0.1:4580 --game othello --games 100 --out run/othello \\\n"
    "    --player \"name=new preset=network\" --player \"name=old preset=uct\"\n"
    "                                             a match of two searches, with a report\n"
    "  pitboss gtp --connect 127.0.0.1:4580       a server as the engine of a GUI\n"
    "  pitboss train --game connect4 --quick --out run/connect4\n"
    "                                             a network that learns by playing itself\n";

constexpr std::string_view playing = "Play and compare";
constexpr std::string_view learning = "Learn";
constexpr std::string_view looking = "Look and measure";

/// THE list of commands, what people do most first.
constexpr std::array commands{
    Subcommand{playing, "play", "plays a game against you in the terminal",
               pitboss::clients::play_command},
    Subcommand{playing, "referee", "plays matches between engines", pitboss::clients::referee},
    Subcommand{playing, "test", "tells if a commit of an engine is stronger than another",
               pitboss::clients::test_command},
    Subcommand{playing, "league", "rates players who come and go by the games that tell most",
               pitboss::clients::league_command},
    Subcommand{playing, "ladder", "tells what twice the simulations, time or threads are worth",
               pitboss::clients::ladder_command},
    Subcommand{playing, "launch", "starts workers for an experiment on many machines",
               pitboss::clients::launch_command},
    Subcommand{playing, "engines", "lists engines of others that play without further ado",
               pitboss::clients::engines_command},
    Subcommand{playing, "gtp", "connects a GUI that starts programs with a server",
               pitboss::clients::gtp},
    Subcommand{learning, "train", "trains a network by self-play", pitboss::clients::train_command},
    Subcommand{learning, "tune", "looks for the options with which a player plays best",
               pitboss::clients::tune_command},
    Subcommand{learning, "sweep", "plays a player with each of several values of its options",
               pitboss::clients::sweep_command},
    Subcommand{learning, "grow", "grows features by self-play", pitboss::clients::grow_command},
    Subcommand{learning, "selfplay", "plays games for a training run", pitboss::clients::selfplay},
    Subcommand{looking, "ledger", "looks into the records of experiments",
               pitboss::clients::ledger},
    Subcommand{looking, "report", "follows experiments in a browser, and writes reports",
               pitboss::clients::report_command},
    Subcommand{looking, "review", "finds mistakes and better moves in recorded games",
               pitboss::clients::review_command},
    Subcommand{looking, "explore", "tells what recorded games have played from a position",
               pitboss::clients::explore_command},
    Subcommand{looking, "books", "makes openings that are worth about the same to all sides",
               pitboss::clients::books_command},
    Subcommand{looking, "network", "makes, shows, checks and times networks",
               pitboss::clients::network},
    Subcommand{looking, "features", "shows features of moves", pitboss::clients::features_command},
    Subcommand{looking, "truth", "proves what positions and the moves of a record are worth",
               pitboss::clients::truth_command},
    Subcommand{looking, "bench", "measures the speed of the search", pitboss::clients::bench},
    Subcommand{looking, "load", "measures how fast a server answers", pitboss::clients::load},
    Subcommand{looking, "games", "tells how many games a question takes",
               pitboss::clients::games_command},
    Subcommand{looking, "sprt", "tells what a match's counts say", pitboss::clients::sprt_command},
    Subcommand{looking, "token", "makes a token for clients of a daemon", pitboss::clients::token},
};

const Subcommand* find(std::string_view name) {
  for (const Subcommand& command : commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

void list_commands(std::ostream& out) {
  out << examples;
  std::size_t longest = 0;
  for (const Subcommand& command : commands) longest = std::max(longest, command.name.size());
  std::string_view group;
  for (const Subcommand& command : commands) {
    if (command.group != group) out << "\n" << command.group << "\n";
    group = command.group;
    out << "  " << command.name << std::string(longest + 2 - command.name.size(), ' ')
        << command.help << "\n";
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
    throw pitboss::clients::UserError("there is no command '" + name + "'" +
                                      pitboss::games::suggestion(name, known));
  }
  pitboss::engine::TeekoSolution::find_table_in(pitboss::environment::cache_folder_if_any());
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
  } catch (const pitboss::environment::NoFolder& e) {
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
