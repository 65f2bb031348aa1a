#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss gtp ...`: connects a GUI, which starts its engine as a program and speaks GTP on
/// standard streams, with a server. Blocks until one side ends. Returns the exit code: 0 when the
/// server has closed the connection and everything was answered, 1 when not, 128 + signal. Throws
/// UserError for arguments that mean nothing, a server that cannot be reached, or one that refuses
/// the set-up.
int gtp(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
