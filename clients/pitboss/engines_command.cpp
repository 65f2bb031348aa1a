#include <boost/program_options.hpp>
#include <iostream>
#include <string>
#include <string_view>

#include "clients/experiments/known_engines.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/summary.hpp"
#include "environment/programs.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace po = boost::program_options;

namespace {

constexpr std::string_view engines_usage =
    "Engines of others that are known: a player needs no more than the name of such a program.\n"
    "See docs/players.md.\n\n"
    "  pitboss engines            all, and where they are installed\n"
    "  pitboss engines PROGRAM    one, with a match against it\n\n";

std::string games_of(const KnownEngine& engine) {
  std::string out;
  for (const std::string& game : engine.games) out += (out.empty() ? "" : ", ") + game;
  return out;
}

std::string file_of(const KnownEngine& engine) {
  return environment::program_file(engine.program).string();
}

DataTable list_of_engines() {
  const auto words = [](const char* head) {
    return Column{.key = "", .head = head, .form = Form::folded};  // begins below its head
  };
  const std::vector<Quantity<KnownEngine>> quantities{
      {words("program"), [](const KnownEngine& engine) { return engine.program; }},
      {words("speaks"), [](const KnownEngine& engine) { return engine.language(); }},
      {words("games"), games_of},
      {words("installed"), file_of}};
  return table_of("", quantities, known_engines());
}

DataTable facts_of(const KnownEngine& engine) {
  const std::string file = file_of(engine);
  const Player player = parse_player("name=A program=" + engine.program, {});
  return facts_table({{"program", engine.program},
                      {"about", engine.about},
                      {"package", engine.package},
                      {"installed", file.empty() ? "not in PATH, nor in /usr/games" : file},
                      {"games", games_of(engine)},
                      {"player", player_text(player)},
                      {"notes", engine.notes},
                      {"wrong", engine.wrong},
                      {"match", engine.command},
                      {"tried", engine.tried}});
}

const KnownEngine& engine_named(const std::string& name) {
  if (const KnownEngine* const found = find_known_engine(name)) return *found;
  std::vector<std::string_view> names;
  for (const KnownEngine& engine : known_engines()) names.push_back(engine.program);
  throw UserError("no known engine is called '" + name + "'" + games::suggestion(name, names));
}

}  // namespace

int engines_command(const std::vector<std::string>& arguments) {
  po::options_description options("Options", 100, 50);
  options.add_options()("help", "this text");
  std::vector<std::string> words;
  if (!read_flags("engines", engines_usage, options, arguments, &words)) return 0;
  require(words.size() <= 1, "expected one program; see pitboss engines --help");
  static_cast<void>(data_folder());  // which it needs, and players do not
  DataTable table = words.empty() ? list_of_engines() : facts_of(engine_named(words.front()));
  std::cout << terminal_text({"", {{"", {std::move(table)}}}});
  return 0;
}

}  // namespace pitboss::clients
