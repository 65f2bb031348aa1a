#pragma once

#include <filesystem>
#include <string>

namespace pitboss::clients {

/// What a server asks for, and whom we take for it.
struct Access {
  std::string token;    ///< empty: none
  std::string ca_file;  ///< certificates that vouch for the server's; empty: the system's
};

/// Reads the token in a file, the one word there; a name that is empty gives none. Throws UserError
/// if the file of the token or that of the certificates cannot be read.
[[nodiscard]] Access read_access(const std::filesystem::path& token_file,
                                 const std::filesystem::path& ca_file);

}  // namespace pitboss::clients
