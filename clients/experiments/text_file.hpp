#pragma once

#include <filesystem>
#include <string>

namespace pitboss::clients {

/// The most bytes of a text file that is read.
inline constexpr std::size_t max_text_file = std::size_t{16} << 20;

/// The text of a file. Throws UserError if it cannot be read, is no file (but a folder, a device, a
/// pipe), or too long.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

}  // namespace pitboss::clients
