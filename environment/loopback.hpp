#pragma once

#include <string>

namespace pitboss::environment {

/// Whether a host, a name or an address without brackets and port, is this machine by its loopback
/// interface: localhost, 127.0.0.0/8, ::1. No name is looked up, so nobody can point one there.
[[nodiscard]] bool is_loopback(std::string host);

}  // namespace pitboss::environment
