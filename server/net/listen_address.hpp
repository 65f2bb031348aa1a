#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pitboss::server {

/// Where to listen, the game in which sessions start there, and whether TLS is spoken.
struct ListenAddress {
  std::string host = "127.0.0.1";  ///< a name or a literal address, without brackets
  std::uint16_t port = 4580;       ///< 0: one that is free
  std::string game = "connect4";
  bool tls = false;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

/// Reads `HOST:PORT[=GAME][,tls]`; an IPv6 literal stands in brackets. Whether the game exists is
/// not looked at. Throws std::invalid_argument with a sentence.
[[nodiscard]] ListenAddress parse_listen_address(std::string_view text);

/// `HOST:PORT`, with brackets where parse_listen_address wants them, and with `tls://` before it if
/// TLS is spoken: as clients take it.
[[nodiscard]] std::string host_and_port(const ListenAddress& address);

}  // namespace pitboss::server
