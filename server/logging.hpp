#pragma once

#include <string>

namespace pitboss::server {

/// Sends the log to `file`, or to standard error if that is empty, from `level` up. A log that
/// cannot be written later, the disk being full, never stops the service. Throws
/// std::runtime_error with a sentence for an unknown level or a file that cannot be opened.
void start_log(const std::string& level, const std::string& file);

}  // namespace pitboss::server
