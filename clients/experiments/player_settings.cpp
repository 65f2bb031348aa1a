#include "clients/experiments/player_settings.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <span>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/preset_file.hpp"
#include "clients/experiments/setting_rows.hpp"
#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/time_control.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/experiments/user_path.hpp"
#include "engine/search/search.hpp"
#include "games/letter_case.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

using Options = std::vector<engine::Assignment>;

constexpr std::array<std::string_view, 16> keys{
    "name", "server",  "program", "concurrency", "speaks",  "dialect", "setup", "start_timeout",
    "tc",   "options", "game",    "published",   "against", "control", "point", "tuned"};
/// Those that a player of the command line does not have.
constexpr std::array<std::string_view, 8> keys_of_files{
    "concurrency", "options", "game", "published", "against", "control", "point", "tuned"};

bool is_among(std::span<const std::string_view> known, std::string_view key) {
  return std::ranges::find(known, key) != known.end();
}

/// A match at the game of that name; nothing if there is no such game.
std::optional<Match> match_at(const std::string& name) {
  Match match;
  try {
    set_game(match, name);
  } catch (const UserError&) {
    return std::nullopt;
  }
  return match;
}

/// Sets an option; a later value replaces an earlier one.
void put(Options& options, const engine::Assignment& option) {
  const auto found = std::ranges::find_if(options, [&](const auto& other) {
    return games::same_ignoring_case(other.name, option.name);
  });
  if (found == options.end()) {
    options.push_back(option);
  } else {
    found->value = option.value;
  }
}

/// Checks one option of an engine of ours.
engine::Assignment option_of_ours(const Setting& setting) {
  try {
    const std::string name(engine::option_row(setting.key()).name);
    if (name == "preset" && is_preset_file(setting.word())) {
      const auto folder = std::filesystem::path(setting.file()).parent_path();
      return {name, (folder / setting.path()).string()};  // which `expand_presets` reads
    }
    if (name == "seed")
      setting.refuse(
          "a player has no seed of its own: the seed of the experiment gives those of all engines");
    engine::Options scratch;
    engine::set_option(scratch, name, setting.word());
    return {name, setting.word()};
  } catch (const engine::BadOption& e) {
    setting.refuse(e.what());
  }
}

/// Whether it bounds a search of a program of others.
bool is_bound(const engine::Assignment& option) {
  constexpr std::array<std::string_view, 4> bounds{"nodes", "movetime", "depth", "timeout_turn"};
  return is_among(bounds, option.name);
}

engine::Assignment option_of_others(const Setting& setting) {
  for (const std::string& text : {setting.key(), setting.word()}) {
    if (text.find_first_of("\r\n") != std::string::npos) setting.refuse("one line is expected");
  }
  return {setting.key(), setting.word()};
}

/// Adds the options of a table but those of its tables.
template <class Read>
void put_table(Options& options, const Setting& table, Read read) {
  Options own;
  for (const Setting& entry : table.table()) {
    if (entry.is_table()) continue;
    const engine::Assignment option = read(entry);
    const std::size_t before = own.size();
    put(own, option);
    if (own.size() == before) entry.refuse(option.name + " is given twice");
  }
  for (const engine::Assignment& option : own) put(options, option);
}

/// Adds the options of a table from the general to the particular: for every game, for all games of
/// the match's name, for the match's parameters.
template <class Read>
void put_all(Options& options, const Setting& table, const Match& match, Read read) {
  put_table(options, table, read);
  for (const Setting* const own : tables_for(table, match)) put_table(options, *own, read);
}

Language language_of(const Setting& setting) {
  const auto language = language_named(setting.text());
  if (!language) setting.refuse("expected " + all_languages());
  return *language;
}

std::optional<protocol::Dialect> dialect_of(const Setting& setting) {
  if (setting.text() == "auto") return std::nullopt;
  const auto dialect = protocol::dialect_named(setting.text());
  // Moves are made whole, not point by point.
  if (!dialect || dialect == protocol::Dialect::gogui) {
    setting.refuse(R"("auto", "plain" or "hexgui" is expected)");
  }
  return dialect;
}

/// A list of words, or a text that is split as a shell does.
Program program_of(const Setting& setting) {
  Program program;
  if (setting.is_list()) {
    program.command = setting.texts();
  } else {
    const std::string& text = setting.text();
    try {
      program.command = shell_words(text);
    } catch (const UserError& e) {
      setting.refuse(e.what());
    }
  }
  if (program.command.empty() || program.command.front().empty()) {
    setting.refuse("expected the name of a program");
  }
  return program;
}

/// What is known of the player's program; null if it is not, or the player speaks otherwise.
const KnownEngine* known_engine_of(const Setting& player) {
  const Setting* const program = player.find("program");
  if (program == nullptr) return nullptr;
  const KnownEngine* const known = find_known_engine(program_of(*program).command.front());
  const Setting* const speaks = player.find("speaks");
  if (known == nullptr || speaks == nullptr || speaks->text() == known->language()) return known;
  return nullptr;
}

/// The program with the arguments that it is known to need, unless they are among the player's.
Setting with_arguments(const Setting& program, const std::vector<std::string>& needed) {
  std::vector<std::string> words = program_of(program).command;
  if (std::ranges::search(words, needed).empty()) {
    words.insert(words.begin() + 1, needed.begin(), needed.end());
  }
  Setting::List list;
  for (const std::string& word : words) list.push_back(program.with(word));
  return program.with(std::move(list));
}

/// The player's settings, and what is known of its program where they say nothing; options apart,
/// which may differ from game to game.
Setting with_known(const Setting& player, const KnownEngine* known) {
  if (known == nullptr) return player;
  Setting::Table all;
  for (const Setting& own : player.table()) {
    all.push_back(own.key() == "program" ? with_arguments(own, known->arguments) : own);
  }
  for (const Setting& other : known->player.table()) {
    if (other.key() != "options" && player.find(other.key()) == nullptr) all.push_back(other);
  }
  return player.with(std::move(all));
}

/// "1" is the second of the servers; all else is taken for an address.
std::string address_text(const Setting& setting, const std::vector<Address>& servers) {
  const std::string& text = setting.text();
  const auto number = number_in<std::size_t>(text);
  if (!number) return text;
  if (*number < servers.size()) return servers[*number].text();
  setting.refuse("there is no server " + text + "; " + std::to_string(servers.size()) +
                 " are given, counted from 0");
}

}  // namespace

bool is_about(const std::string& name, const Match& match) {
  if (name == match.game) return true;
  const std::optional<Match> named = match_at(name);
  return named && same_rules(*named, match);
}

std::vector<const Setting*> tables_for(const Setting& table, const Match& match) {
  std::vector<const Setting*> tables;
  for (const bool is_general : {true, false}) {
    for (const Setting& entry : table.table()) {
      if (!entry.is_table() || (entry.key() == match.game) != is_general) continue;
      if (is_about(entry.key(), match)) tables.push_back(&entry);
    }
  }
  return tables;
}

bool is_of_game(const Setting& entry) {
  return entry.is_table() && match_at(entry.key()).has_value();
}

void expect_game(const Setting& named, const std::string& name, const std::vector<Match>& games) {
  const auto is_meant = [&](const Match& match) { return is_about(name, match); };
  if (std::ranges::any_of(games, is_meant)) return;
  std::vector<std::string_view> known;
  for (const Match& match : games) known.push_back(match.game);
  named.refuse("\"" + name + "\" is not a game of this experiment" +
               games::suggestion(name, known));
}

void check_tables(const Setting& options, const std::vector<Match>& games) {
  for (const Setting& entry : options.table()) {
    if (entry.is_table()) expect_game(entry, entry.key(), games);
  }
}

PlayerSettings::PlayerSettings(const Setting& settings, const Setting* common,
                               const std::vector<Match>& games)
    : known_(known_engine_of(settings)), settings_(with_known(settings, known_)), common_(common) {
  settings_.expect_keys({keys.begin(), keys.end()});
  const Setting& name = settings_.at("name");
  const std::string& text = name.text();
  try {
    check_name(text);
  } catch (const UserError& e) {
    name.refuse(e.what());
  }
  player_.name = name.text();
  read_location();
  read_protocol();
  read_clock();
  read_games(games);
  if (const Setting* const options = settings_.find("options")) {
    std::vector<Match> own;
    std::ranges::copy_if(games, std::back_inserter(own),
                         [&](const Match& match) { return plays(match); });
    check_tables(*options, own);
  }
}

void PlayerSettings::read_games(const std::vector<Match>& games) {
  if (const Setting* const only = settings_.find("game")) {
    games_ = only->texts();
    if (games_.empty()) only->refuse("no game is listed");
    for (const std::string& game : games_) expect_game(*only, game, games);
  } else if (known_ != nullptr) {
    games_ = known_->games;
    const bool has_own =
        std::ranges::any_of(games, [&](const Match& match) { return plays(match); });
    if (games.empty() || has_own) return;
    std::string list;
    for (const std::string& game : games_) list += (list.empty() ? "" : ", ") + game;
    settings_.refuse(known_->program + " is known to play " + list +
                     " (pitboss engines); name a game of this experiment in game if it plays that");
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
      at_once->refuse(
          "only a player with a program has a concurrency; that of a server belongs into "
          "[[server]]");
    }
    concurrency_ = at_once->count(1, 1000);
  }
}

void PlayerSettings::read_protocol() {
  const Setting* const speaks = settings_.find("speaks");
  if (speaks != nullptr) {
    player_.language = language_of(*speaks);
  } else if (std::holds_alternative<Program>(player_.location)) {
    settings_.refuse("\"speaks\" is missing: which of " + all_languages() + " does " +
                     text_of(player_.location) +
                     R"( speak? ("pitboss" is GTP with our commands; of the programs that )"
                     "`pitboss engines` lists it is known.)");
  }
  const bool is_gtp = player_.language == Language::gtp;
  if (const Setting* const setup = settings_.find("setup")) {
    if (!is_gtp) setup->refuse("only a player that speaks \"gtp\" has a setup");
    player_.setup = setup->texts();
    for (const std::string& command : player_.setup) {
      if (!command.empty() && command.find_first_of("\r\n") == std::string::npos) continue;
      setup->refuse("each command must be one line, and not an empty one");
    }
  }
  if (const Setting* const dialect = settings_.find("dialect")) {
    if (!is_gtp) dialect->refuse("only a player that speaks \"gtp\" has a dialect");
    player_.dialect = dialect_of(*dialect);
  }
  if (const Setting* const timeout = settings_.find("start_timeout")) {
    player_.start_timeout = timeout->duration();
  }
  if (const Setting* const options = settings_.find("options"); options != nullptr && is_gtp) {
    const Setting::Table& entries = options->table();
    const Setting& first = entries.empty() ? *options : entries.front();
    first.refuse("a player that speaks \"gtp\" has no options; give GTP commands in setup" +
                 games::did_you_mean(first.key(), keys));
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
  if (!is_ours()) {
    player.options = options_of_others(match);
  } else {
    if (common_ != nullptr) put_all(player.options, *common_, match, option_of_ours);
    if (own != nullptr) put_all(player.options, *own, match, option_of_ours);
    expand_presets(player.options);
    engine::presets_first(player.options);
    try {
      engine::Options all;
      for (const auto& [name, value] : player.options) engine::set_option(all, name, value);
      if (!player.clock) static_cast<void>(engine::limits_of(all));
    } catch (const engine::BadOption& e) {
      settings_.refuse(player.name + ": " + e.what());
    }
  }
  return player;
}

/// What is known to suit the program, but for what the player sets: a bound of its own, or a clock,
/// stands for all bounds that are known.
std::vector<engine::Assignment> PlayerSettings::options_of_others(const Match& match) const {
  Options own;
  if (const Setting* const table = settings_.find("options")) {
    put_all(own, *table, match, option_of_others);
  }
  Options all;
  const Setting* const known = known_ == nullptr ? nullptr : known_->player.find("options");
  if (known != nullptr) put_all(all, *known, match, option_of_others);
  if (player_.clock || std::ranges::any_of(own, is_bound)) std::erase_if(all, is_bound);
  for (const engine::Assignment& option : own) put(all, option);
  return all;
}

Setting parse_player_words(std::string_view text, const std::vector<Address>& servers) {
  const auto source = std::make_shared<const std::string>("player \"" + std::string(text) + "\"");
  const auto setting = [&](const std::string& key, Setting::Value value) {
    return Setting(source, Setting::no_line, key, std::move(value));
  };
  const auto refuse = [&](const std::string& what) { setting("", Setting::Table()).refuse(what); };
  Setting::Table own;
  Setting::Table options;
  Setting::List setup;
  std::vector<std::string> words;
  try {
    words = shell_words(text);
  } catch (const UserError& e) {
    refuse(e.what());
  }
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) {
      refuse("key=value is expected, not \"" + word + "\"");
    }
    const std::string key = word.substr(0, equals);
    const bool is_path = key == "preset" && is_preset_file(word);
    const std::string value = word.substr(equals + 1);
    const Setting entry = setting(key, is_path ? absolute(user_path(value)).string() : value);
    if (is_among(keys_of_files, key)) {
      entry.refuse("only in an experiment file");
    } else if (key == "setup") {
      setup.push_back(entry);
    } else if (!is_among(keys, key)) {
      options.push_back(entry);
    } else if (std::ranges::find(own, key, &Setting::key) != own.end()) {
      entry.refuse("is given twice");
    } else if (key == "server") {
      own.push_back(setting(key, address_text(entry, servers)));
    } else {
      own.push_back(key == "start_timeout" ? setting(key, typed_value(entry.text())) : entry);
    }
  }
  if (!setup.empty()) own.push_back(setting("setup", std::move(setup)));
  if (!options.empty()) own.push_back(setting("options", std::move(options)));
  return setting("", std::move(own));
}

Player parse_player(std::string_view text, const std::vector<Address>& servers) {
  const Setting settings = parse_player_words(text, servers);
  PlayerSettings player(settings, nullptr, {});
  if (!player.has_location()) {
    if (servers.empty()) settings.refuse("has no server and no program, and no server is given");
    player.set_location(servers.front());
  }
  return player.player_at({});
}

}  // namespace pitboss::clients
