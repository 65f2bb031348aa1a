#pragma once

#include <cstdint>
#include <filesystem>

#include "clients/report/markup.hpp"

namespace pitboss::clients {

/// Without a sign of life for so many seconds, nobody plays.
inline constexpr std::int64_t longest_silence = 120;

/// When a file or folder, or a SQLite file's log, was changed last, in seconds since 1970; 0: there
/// is none.
[[nodiscard]] std::int64_t last_change(const std::filesystem::path& path);
/// Another one if the file was replaced; 0: there is none.
[[nodiscard]] std::uint64_t number_of_file(const std::filesystem::path& path);
/// Whether seconds since 1970 are not longer ago than `longest_silence`.
[[nodiscard]] bool is_recent(std::int64_t seconds);
/// Seconds since 1970, of which the page tells how long ago they are.
[[nodiscard]] Markup time_markup(std::int64_t seconds);

}  // namespace pitboss::clients
