#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// Where a server listens.
struct Address {
  std::string host;
  std::uint16_t port = 0;

  /// "host:port", an IPv6 address in brackets.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Address&, const Address&) = default;
};

/// Reads "HOST:PORT" ("[::1]:4580" for IPv6). Throws UserError for anything else.
[[nodiscard]] Address parse_address(std::string_view text);

}  // namespace pitboss::clients
