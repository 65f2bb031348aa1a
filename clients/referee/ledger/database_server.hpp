#pragma once

#include <filesystem>
#include <string>

#include "clients/referee/ledger/ledger_place.hpp"

/// A PostgreSQL server of one's own in a folder, for those who have none. It takes a password,
/// which is in the folder's file `pgpass`. PostgreSQL refuses to run as root: then it runs as the
/// user postgres.
namespace pitboss::clients {

/// Makes the server if the folder has none, starts it if it does not run, and returns the URL of
/// its database for ledgers; port and password stay the same. It listens at `address` and, if that
/// is another machine's way here, takes every user who has the password. Blocks until it answers.
/// Throws UserError.
DatabasePlace start_server(const std::filesystem::path& folder,
                           const std::string& address = "127.0.0.1");
/// Ends connections and the server; what was committed stays. Throws UserError, also if none runs.
void stop_server(const std::filesystem::path& folder);

/// Whether PostgreSQL's programs are installed.
[[nodiscard]] bool has_server_programs();

}  // namespace pitboss::clients
