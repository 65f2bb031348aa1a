#pragma once

#include <filesystem>
#include <string>

namespace pitboss::clients {

/// What a client needs to enter a server.
struct Access {
  std::string token;    ///< empty: none
  std::string ca_file;  ///< trusted to sign the server's certificate; empty: the system's
};

/// Reads the token, the only word in its file; an empty file name gives no token. Throws UserError
/// if the token's or the certificates' file cannot be read.
[[nodiscard]] Access read_access(const std::filesystem::path& token_file,
                                 const std::filesystem::path& ca_file);

}  // namespace pitboss::clients
