#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// What a server asks for, and whom we take for it.
struct Access {
  std::string token;    ///< empty: none
  std::string ca_file;  ///< certificates that vouch for the server's; empty: the system's
};

/// Where a server listens, and how to enter.
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

/// Reads the token in a file, the one word there; a name that is empty gives none. Warns as
/// `warn_of_others` does. Throws UserError if the file of the token or that of the certificates
/// cannot be read.
[[nodiscard]] Access read_access(const std::filesystem::path& token_file,
                                 const std::filesystem::path& ca_file);

/// Says on standard error, once a run, if others than its owner can read or write the file of a
/// token. The main thread.
void warn_of_others(const std::filesystem::path& token_file);

}  // namespace pitboss::clients
