#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pitboss::clients {

/// An option as a UCI engine declares it: "option name Hash type spin default 16 min 1 max
/// 33554432".
struct UciOption {
  enum class Type : std::uint8_t { check, spin, combo, button, string };

  std::string name;
  Type type = Type::string;
  std::string default_value;
  std::optional<std::int64_t> min;  ///< of a spin
  std::optional<std::int64_t> max;
  std::vector<std::string> choices;  ///< of a combo

  /// The value as the engine declares it: choices and truth values may be given in any case. Throws
  /// EngineFailure (refused), which names what the engine takes.
  [[nodiscard]] std::string accepted(const std::string& value) const;
  /// The command that sets the option. Throws like `accepted`.
  [[nodiscard]] std::string command(const std::string& value) const;
};

/// Nothing if the line declares no option.
[[nodiscard]] std::optional<UciOption> read_uci_option(std::string_view line);

}  // namespace pitboss::clients
