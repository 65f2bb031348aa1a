#pragma once

#include <filesystem>
#include <string>

namespace pitboss::clients {

/// The text of a regular file as games::read_text_file reads it; throws UserError.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

}  // namespace pitboss::clients
