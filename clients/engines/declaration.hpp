#pragma once

#include <map>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// What an engine says of itself, set up as its player is: strangers' texts, made fit for a record.
struct Declaration {
  std::string program;  ///< name and version; empty if it does not tell
  /// The values of its options, of those that the player leaves to it at least, but for those that
  /// are the referee's (the seed). Empty if it does not tell.
  std::map<std::string, std::string> options;

  void set_program(std::string_view text);
  /// Keeps the option if there are not too many yet.
  void add_option(std::string_view name, std::string_view value);
  /// Whether the texts are as these two make them.
  [[nodiscard]] bool is_sound() const;

  friend bool operator==(const Declaration&, const Declaration&) = default;
};

}  // namespace pitboss::clients
