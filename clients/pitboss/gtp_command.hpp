#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss gtp ...`: connects a server with a GUI, which starts this command as its engine and
/// speaks GTP on the standard streams. Blocks until one side ends. Returns the exit code: 0 if the
/// server has closed the connection after answering everything, else 1, or 128 + signal. Throws
/// UserError for invalid arguments, and for a server that cannot be reached or refuses the set-up.
int gtp(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
