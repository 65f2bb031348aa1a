#pragma once

#include <string>

namespace pitboss::server {

/// Sends the log to `file`, or to standard error if that is empty, from `level` up. A failed write,
/// as on a full disk, never stops the service. Throws std::runtime_error with a sentence for an
/// unknown level or a file that cannot be opened; makes no folder for it.
void start_log(const std::string& level, const std::string& file);

/// Opens the log's file again by its name, so that nothing more goes to a renamed file; keeps the
/// old file if that fails. Does nothing for standard error. Any thread; blocks.
void reopen_log();

/// Gets and sets the lowest level that is logged; `set_log_level` returns false if the word is no
/// level. Any thread.
[[nodiscard]] std::string log_level();
[[nodiscard]] bool set_log_level(const std::string& word);

/// The words for levels, for people.
inline constexpr const char* log_levels =
    "the log level must be trace, debug, info, warning, error, critical or off";

}  // namespace pitboss::server
