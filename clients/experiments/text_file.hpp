#pragma once

#include <filesystem>
#include <string>

namespace pitboss::clients {

/// The text of a regular file as games::read_text_file reads it; throws UserError.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// Writes a new file, which must not exist, that only the user may read, and waits until it is on
/// its disk. Throws UserError with the system's reason; then there is no such file.
void write_secret(const std::filesystem::path& file, const std::string& text);

}  // namespace pitboss::clients
