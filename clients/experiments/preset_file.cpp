#include "clients/experiments/preset_file.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "clients/experiments/settings.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

bool is_preset_file(std::string_view preset) { return preset.ends_with(".toml"); }

std::vector<engine::Assignment> read_preset(const std::filesystem::path& path) {
  const Setting file = read_settings(path);
  std::vector<engine::Assignment> options;
  for (const Setting& entry : file.table()) {
    try {
      const std::string name(engine::option_row(entry.key()).name);
      if (name == "seed") entry.refuse("a preset has no seed");
      if (name == "preset" && is_preset_file(entry.word())) {
        entry.refuse("a preset in a file is one of the daemon's, not another file");
      }
      engine::Options scratch;
      engine::set_option(scratch, name, entry.word());
      options.push_back({name, entry.word()});
    } catch (const engine::BadOption& e) {
      entry.refuse(e.what());
    }
  }
  return options;
}

void expand_presets(std::vector<engine::Assignment>& options) {
  const auto is_name = [](std::string_view name) {
    return [name](const engine::Assignment& option) {
      return games::same_ignoring_case(option.name, name);
    };
  };
  const auto found = std::ranges::find_if(options, [&](const engine::Assignment& option) {
    return is_name("preset")(option) && is_preset_file(option.value);
  });
  if (found == options.end()) return;
  std::vector<engine::Assignment> all = read_preset(found->value);
  options.erase(found);
  for (const engine::Assignment& option : options) {
    std::erase_if(all, is_name(option.name));
  }
  std::ranges::move(options, std::back_inserter(all));
  options = std::move(all);
}

}  // namespace pitboss::clients
