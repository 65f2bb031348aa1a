#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace pitboss::clients {

/// What an engine says of itself, set up as its player is.
struct Declaration {
  std::string program;  ///< name and version; empty if it does not tell
  /// The values of its options, of those that the player leaves to it at least, but for those that
  /// are the referee's (the seed). Empty if it does not tell.
  std::map<std::string, std::string> options;
  friend bool operator==(const Declaration&, const Declaration&) = default;
};

/// So much is kept of a name or a value, and so many options.
inline constexpr std::size_t longest_declared = 200;
inline constexpr std::size_t most_declared = 1000;

}  // namespace pitboss::clients
