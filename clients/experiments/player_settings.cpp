#include "clients/experiments/player_settings.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "clients/experiments/time_control.hpp"
#include "clients/experiments/user_error.hpp"
#include "engine/options/options.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

using Options = std::vector<engine::Assignment>;

/// Sets an option; a later value replaces an earlier one.
void put(Options& options, const std::string& name, const std::string& value) {
  const auto found = std::ranges::find(options, name, &engine::Assignment::name);
  if (found == options.end()) {
    options.push_back({name, value});
  } else {
    found->value = value;
  }
}

/// Checks one option of an engine of ours and adds it.
void put_ours(Options& options, const Setting& setting) {
  try {
    const std::string name(engine::option_row(setting.key()).name);
    if (name == "seed") setting.refuse("the engines' seeds come from the seed of the experiment");
    engine::Options scratch;
    engine::set_option(scratch, name, setting.word());
    put(options, name, setting.word());
  } catch (const engine::BadOption& e) {
    setting.refuse(e.what());
  }
}

/// Adds the options of a table from the general to the particular: for every game, for all games of
/// the match's name, for the match's parameters.
template <class Put>
void put_all(Options& options, const Setting& table, const Match& match, Put put_one) {
  for (const Setting& entry : table.table()) {
    if (!entry.is_table()) put_one(options, entry);
  }
  for (const bool is_general : {true, false}) {
    for (const Setting& entry : table.table()) {
      if (!entry.is_table() || (entry.key() == match.game) != is_general) continue;
      if (!is_about(entry.key(), match)) continue;
      for (const Setting& option : entry.table()) put_one(options, option);
    }
  }
}

Language language_of(const Setting& setting) {
  const auto language = language_named(setting.text());
  if (!language) setting.refuse(R"("pitboss", "gtp" or "uci" is expected)");
  return *language;
}

/// A list of words, or a text in which blanks separate them.
Program program_of(const Setting& setting) {
  Program program;
  if (setting.is_list()) {
    program.command = setting.texts();
  } else {
    std::istringstream words(setting.text());
    for (std::string word; words >> word;) program.command.push_back(word);
  }
  if (program.command.empty() || program.command.front().empty()) {
    setting.refuse("the name of a program is expected");
  }
  return program;
}

}  // namespace

bool is_about(const std::string& name, const Match& match) {
  if (name == match.game) return true;
  Match other;
  try {
    set_game(other, name);
  } catch (const UserError&) {
    return false;
  }
  return same_rules(other, match);
}

void expect_game(const Setting& named, const std::string& name, const std::vector<Match>& games) {
  const auto is_meant = [&](const Match& match) { return is_about(name, match); };
  if (std::ranges::any_of(games, is_meant)) return;
  std::vector<std::string_view> known;
  for (const Match& match : games) known.push_back(match.game);
  named.refuse("\"" + name + "\" is none of the games played here" +
               games::suggestion(name, known));
}

void check_tables(const Setting& options, const std::vector<Match>& games) {
  for (const Setting& entry : options.table()) {
    if (entry.is_table()) expect_game(entry, entry.key(), games);
  }
}

PlayerSettings::PlayerSettings(const Setting& settings, const Setting* common,
                               const std::vector<Match>& games)
    : settings_(settings), common_(common) {
  settings.expect_keys(
      {"name", "server", "program", "concurrency", "speaks", "options", "setup", "tc", "game"});
  const Setting& name = settings.at("name");
  const std::string& text = name.text();
  try {
    check_name(text);
  } catch (const UserError& e) {
    name.refuse(e.what());
  }
  player_.name = name.text();
  read_location();
  if (const Setting* const speaks = settings.find("speaks"))
    player_.language = language_of(*speaks);
  if (const Setting* const setup = settings.find("setup")) player_.setup = setup->texts();
  check_kind();
  read_clock();
  if (const Setting* const only = settings.find("game")) {
    games_ = only->texts();
    if (games_.empty()) only->refuse("no game is listed");
    for (const std::string& game : games_) expect_game(*only, game, games);
  }
  if (const Setting* const options = settings.find("options")) {
    std::vector<Match> own;
    std::ranges::copy_if(games, std::back_inserter(own),
                         [&](const Match& match) { return plays(match); });
    check_tables(*options, own);
  }
}

void PlayerSettings::read_location() {
  const Setting* const server = settings_.find("server");
  const Setting* const program = settings_.find("program");
  if (server != nullptr && program != nullptr) {
    program->refuse("a player has either a server or a program");
  }
  has_location_ = server != nullptr || program != nullptr;
  try {
    if (server != nullptr) player_.location = parse_address(server->text());
  } catch (const UserError& e) {
    server->refuse(e.what());
  }
  if (program != nullptr) player_.location = program_of(*program);
  if (const Setting* const at_once = settings_.find("concurrency")) {
    if (program == nullptr) {
      at_once->refuse("only for a player with a program; for a server it stands in [[server]]");
    }
    concurrency_ = at_once->count(1, 1000);
  }
}

void PlayerSettings::check_kind() const {
  const Setting* const setup = settings_.find("setup");
  if (setup != nullptr && player_.language != Language::gtp) {
    setup->refuse("only for a player that speaks \"gtp\"");
  }
  for (const std::string& command : player_.setup) {
    if (command.empty() || command.find_first_of("\r\n") != std::string::npos) {
      setup->refuse("each command is one line");
    }
  }
  const Setting* const options = settings_.find("options");
  if (options != nullptr && player_.language == Language::gtp) {
    options->refuse("a player that speaks \"gtp\" has no options; give GTP commands in setup");
  }
}

void PlayerSettings::read_clock() {
  const Setting* const setting = settings_.find("tc");
  if (setting == nullptr) return;
  try {
    player_.clock = parse_time_control(setting->text());
  } catch (const UserError& e) {
    setting->refuse(e.what());
  }
}

bool PlayerSettings::plays(const Match& match) const {
  const auto is_meant = [&](const std::string& game) { return is_about(game, match); };
  return games_.empty() || std::ranges::any_of(games_, is_meant);
}

Player PlayerSettings::player_at(const Match& match) const {
  Player player = player_;
  const Setting* const own = settings_.find("options");
  Options options;
  if (player.language == Language::uci && own != nullptr) {
    put_all(options, *own, match,
            [](Options& all, const Setting& setting) { put(all, setting.key(), setting.word()); });
    player.options = options;
  } else if (player.language == Language::pitboss) {
    if (common_ != nullptr) put_all(options, *common_, match, put_ours);
    if (own != nullptr) put_all(options, *own, match, put_ours);
    try {
      set_options(player, options);
    } catch (const UserError& e) {
      settings_.refuse(player.name + ": " + e.what());
    }
  }
  return player;
}

}  // namespace pitboss::clients
