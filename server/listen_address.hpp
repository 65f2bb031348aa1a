#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pitboss::server {

/// Where to listen, and the game in which sessions start there.
struct ListenAddress {
  std::string host = "127.0.0.1";  ///< a name or a literal address, without brackets
  std::uint16_t port = 4580;       ///< 0: one that is free
  std::string game = "connect4";

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

/// Reads `HOST:PORT[=GAME]`; an IPv6 literal stands in brackets. Whether the game exists is not
/// looked at. Throws std::invalid_argument with a sentence.
[[nodiscard]] ListenAddress parse_listen_address(std::string_view text);

/// `HOST:PORT`, with brackets where parse_listen_address wants them.
[[nodiscard]] std::string host_and_port(const ListenAddress& address);

}  // namespace pitboss::server
