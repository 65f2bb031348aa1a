#include "clients/experiments/known_engines.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/setting_rows.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;

constexpr std::array word_rows{
    setting("program", &KnownEngine::program, ""), setting("about", &KnownEngine::about, ""),
    setting("package", &KnownEngine::package, ""), setting("notes", &KnownEngine::notes, ""),
    setting("wrong", &KnownEngine::wrong, ""),     setting("command", &KnownEngine::command, ""),
    setting("tried", &KnownEngine::tried, "")};
constexpr std::array<std::string_view, 5> player_keys{"speaks", "dialect", "setup", "start_timeout",
                                                      "options"};

KnownEngine engine_in(const Setting& table) {
  std::vector<std::string_view> keys{"arguments", "game"};
  add_keys(word_rows, keys);
  keys.insert(keys.end(), player_keys.begin(), player_keys.end());
  table.expect_keys(keys);
  for (const char* const needed : {"program", "speaks", "game"}) {
    static_cast<void>(table.at(needed));
  }
  Setting::Table player;
  std::ranges::copy_if(table.table(), std::back_inserter(player), [](const Setting& entry) {
    return std::ranges::find(player_keys, entry.key()) != player_keys.end();
  });
  KnownEngine engine{.player = table.with(std::move(player))};
  read_rows(table, word_rows, engine);
  if (const Setting* const words = table.find("arguments")) engine.arguments = words->texts();
  engine.games = table.at("game").texts();
  return engine;
}

std::vector<KnownEngine> engines_of_this_program() {
  fs::path folder;
  try {
    folder = data_folder();
  } catch (const UserError&) {
    return {};
  }
  return read_known_engines(folder / "engines.toml");
}

}  // namespace

std::vector<KnownEngine> read_known_engines(const fs::path& file) {
  const Setting settings = read_settings(file);
  settings.expect_keys({"engine"});
  std::vector<KnownEngine> engines;
  for (const Setting& table : settings.list_at("engine")) engines.push_back(engine_in(table));
  return engines;
}

const std::vector<KnownEngine>& known_engines() {
  static const std::vector<KnownEngine> engines = engines_of_this_program();
  return engines;
}

const KnownEngine* find_known_engine(const fs::path& path) {
  const auto& all = known_engines();
  const auto found = std::ranges::find(all, path.filename().string(), &KnownEngine::program);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace pitboss::clients
