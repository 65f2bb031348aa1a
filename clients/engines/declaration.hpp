#pragma once

#include <map>
#include <string>

namespace pitboss::clients {

/// What an engine says of itself, set up as its player is.
struct Declaration {
  std::string program;  ///< name and version; empty if it does not tell
  /// The values of its options, of those that the player leaves to it at least; without its seed.
  /// Empty if it does not tell.
  std::map<std::string, std::string> options;
  friend bool operator==(const Declaration&, const Declaration&) = default;
};

}  // namespace pitboss::clients
