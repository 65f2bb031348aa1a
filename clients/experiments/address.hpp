#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "clients/experiments/access.hpp"

namespace pitboss::clients {

/// Where a server listens, and how a client enters it.
struct Address {
  std::string host;
  std::uint16_t port = 0;
  bool tls = false;
  Access access{};

  /// "host:port", an IPv6 address in brackets; "tls://" before it if the server speaks TLS.
  [[nodiscard]] std::string text() const;
  /// Whether both are the same place; `access` does not count.
  friend bool operator==(const Address& a, const Address& b) {
    return a.host == b.host && a.port == b.port && a.tls == b.tls;
  }
};

/// Reads "HOST:PORT" ("[::1]:4580" for IPv6) or "tls://HOST:PORT". Throws UserError for anything
/// else.
[[nodiscard]] Address parse_address(std::string_view text);

}  // namespace pitboss::clients
