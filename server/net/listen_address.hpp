#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pitboss::server {

/// Where to listen, the game in which sessions start there, and what the port speaks.
struct ListenAddress {
  std::string host = "127.0.0.1";  ///< a name or a literal address, without brackets
  std::uint16_t port = 4580;       ///< 0: one that is free
  std::string game = "connect4";
  bool tls = false;
  bool http = false;  ///< for browsers

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

/// Reads `HOST:PORT[=GAME][,tls]`; an IPv6 literal stands in brackets. Does not check that the game
/// exists. Throws std::invalid_argument with a sentence.
[[nodiscard]] ListenAddress parse_listen_address(std::string_view text);

/// The address as clients take it: `HOST:PORT`, an IPv6 literal in brackets, with TLS after
/// `tls://`; of a port for browsers the page's URL.
[[nodiscard]] std::string host_and_port(const ListenAddress& address);

}  // namespace pitboss::server
