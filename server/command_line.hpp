#pragma once

#include <string>

#include "server/config.hpp"

namespace pitboss::server {

/// What the command line of the daemon asks for.
struct CommandLine {
  Config config;
  std::int64_t network_cache_mb = 64;
  std::string log_level = "info";
  std::string log_file;  ///< empty: standard error
  std::string answer;    ///< not empty: print this and end (--help)
  bool version = false;  ///< print the version and end
};

/// Reads the arguments and the file that `--config` names, which holds `name = value` lines with
/// the same names without dashes. The command line overrides the file. Throws std::runtime_error
/// with a sentence for unknown names, values out of range and a file that cannot be read.
[[nodiscard]] CommandLine parse_command_line(int count, const char* const* arguments);

}  // namespace pitboss::server
