#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pitboss::protocol {

/// What a client may do. Each right includes those before it.
enum class Right : std::uint8_t {
  nothing,  ///< show a token, or leave
  watch,    ///< look on
  play,     ///< change games and options, search
  admin     ///< change the server, and every table
};

/// The names of the rights, in the order of their values.
inline constexpr std::array<std::string_view, 4> right_names{"nobody", "watch", "play", "admin"};

[[nodiscard]] constexpr std::string_view name_of(Right right) {
  return right_names[static_cast<std::size_t>(right)];
}
[[nodiscard]] constexpr std::optional<Right> right_named(std::string_view name) {
  const auto* const found = std::ranges::find(right_names, name);
  if (found == right_names.end()) return std::nullopt;
  return static_cast<Right>(found - right_names.begin());
}

/// The client that a session speaks for. By default, as in tests, it may do everything.
struct Identity {
  std::string name{};  ///< of its token; empty: it has none
  Right right = Right::admin;
  std::string address{};  ///< of its host, by which clients without a token are counted

  /// A key that all connections of one client share: those with its token, or without a token those
  /// of its host.
  [[nodiscard]] std::string key() const {
    return name.empty() ? "address " + address : "token " + name;
  }
  friend bool operator==(const Identity&, const Identity&) = default;
};

/// The owner of a table, and what it lets others do.
struct Ownership {
  std::string owner{};            ///< the name of a token; empty: everybody's
  Right others = Right::nothing;  ///< what the owner lets others do there, at most play

  /// What the client may do at the table, if its token lets it.
  [[nodiscard]] Right right_of(const Identity& client) const {
    const bool is_own = owner.empty() || owner == client.name || client.right == Right::admin;
    return is_own ? Right::admin : others;
  }
  /// Whether the client may play there.
  [[nodiscard]] bool lets_play(const Identity& client) const {
    return std::min(client.right, right_of(client)) >= Right::play;
  }
};

}  // namespace pitboss::protocol
