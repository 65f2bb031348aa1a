#pragma once

#include <filesystem>
#include <string>

namespace pitboss::clients {

/// The most bytes of a text file that is read.
inline constexpr std::size_t max_text_file = std::size_t{16} << 20;

/// The text of a file. Throws UserError if the file cannot be read, is no regular file, or is
/// longer than `max_text_file`.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

}  // namespace pitboss::clients
