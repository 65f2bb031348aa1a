#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/options/options.hpp"

/// Files of options, such as a tuning's tuned.toml, that our programs take as presets: a table in
/// TOML of options and their values, perhaps with a preset of the daemon's. They are expanded here;
/// no path reaches a server.
namespace pitboss::clients {

/// Whether a value of `preset` names a file: it ends with ".toml".
[[nodiscard]] bool is_preset_file(std::string_view preset);

/// The options of a file. Throws UserError, with line and key, for one that is not in the option
/// table or not in its range, `seed`, and a preset that is a file itself.
[[nodiscard]] std::vector<engine::Assignment> read_preset(const std::filesystem::path& path);

/// Puts the options of a preset that is a file before all others, which replace them. Throws as
/// `read_preset` does.
void expand_presets(std::vector<engine::Assignment>& options);

}  // namespace pitboss::clients
