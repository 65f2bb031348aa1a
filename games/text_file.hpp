#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace pitboss::games {

/// A file that cannot be read. The message is a sentence that names it and says why.
class UnreadableFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The system's reason for an error number.
[[nodiscard]] std::string system_reason(int error);

/// No text file that a person writes is longer.
inline constexpr std::size_t longest_text_file = std::size_t{16} << 20;

/// The text of a file, without a byte order mark at its beginning, which some editors write. Waits
/// as long as the other end of a pipe does. Throws UnreadableFile with the system's reason, or if
/// the file is longer than `most_bytes`.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         std::size_t most_bytes = longest_text_file);

}  // namespace pitboss::games
