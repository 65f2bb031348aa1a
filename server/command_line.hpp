#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/limit.hpp"
#include "server/config.hpp"

namespace pitboss::server {

/// What the command line of the daemon asks for.
struct CommandLine {
  Config config;
  std::int64_t network_cache_mb = 64;
  std::int64_t memory_mb = 0;  ///< the bound of `Config::memory`
  std::string log_level = "info";
  std::string log_file;  ///< empty: standard error
  std::string answer;    ///< not empty: print this and end (--help)
  bool version = false;  ///< print the version and end
};

/// A flag that sets a limit: its name is the limit's, with dashes.
struct LimitFlag {
  /// Where the value goes. What stands there before is the default; times are given in seconds.
  using Field =
      std::variant<std::size_t ServerLimits::*, std::optional<std::size_t> ServerLimits::*,
                   std::chrono::milliseconds ServerLimits::*, std::chrono::days ServerLimits::*,
                   std::int64_t Config::*, std::int64_t CommandLine::*>;
  protocol::Limit limit;
  Field field;
  std::int64_t min;
  std::int64_t max;
  std::string_view unit;     ///< of the value; empty: it counts
  std::string_view help;     ///< with the unit
  std::string_view without;  ///< what holds without the flag, if that is no number of the table

  [[nodiscard]] std::string name() const;
  /// What holds without the flag, with the unit.
  [[nodiscard]] std::string default_text() const;
};
/// The flags of the limits, in the order of --help.
[[nodiscard]] std::span<const LimitFlag> limit_flags();

/// Reads the arguments, and the file that `--config` names: the same names without the dashes,
/// `name = value` on each line. The command line goes before the file. Throws std::runtime_error
/// with a sentence for unknown names and values out of range, and for a file that cannot be read.
[[nodiscard]] CommandLine parse_command_line(int count, const char* const* arguments);

}  // namespace pitboss::server
