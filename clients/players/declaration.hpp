#pragma once

#include <map>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// An engine's statement about itself, with the player's options set: printable texts of bounded
/// length, whatever the engine has sent.
struct Declaration {
  std::string program;  ///< name and version; empty if the engine does not tell
  /// The options and their values, at least of those that the player does not set; without the
  /// seed, which the referee sets. Empty if the engine does not tell.
  std::map<std::string, std::string> options;

  void set_program(std::string_view text);
  /// Keeps the option if there are not too many yet.
  void add_option(std::string_view name, std::string_view value);
  /// Whether `set_program` and `add_option` can have made these texts.
  [[nodiscard]] bool is_sound() const;

  friend bool operator==(const Declaration&, const Declaration&) = default;
};

}  // namespace pitboss::clients
