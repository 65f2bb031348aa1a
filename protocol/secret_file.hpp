#pragma once

#include <sys/types.h>

#include <string>

namespace pitboss::protocol {

/// A warning for who keeps a secret in a file, if the file's mode gives any of `bits` to others
/// than its owner: "others than its owner can USE FILE", and what helps. Empty if it does not, or
/// if there is no such file. With an access control list, as systemd makes for a service's user,
/// the group's bits describe the list, not a group. Only the owner, who can follow it, gets the
/// advice.
[[nodiscard]] std::string warning_of_others(const std::string& file, mode_t bits, const char* use);

}  // namespace pitboss::protocol
