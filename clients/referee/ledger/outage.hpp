#pragma once

#include <chrono>
#include <cstdint>

#include "clients/experiments/user_error.hpp"

/// What becomes of ledgers whose database goes away.
namespace pitboss::clients {

/// How long a database that has gone away is waited for.
inline constexpr std::chrono::minutes longest_outage{10};

/// What it means that a database goes away while a ledger is read.
enum class Outage : std::uint8_t { is_waited_for, is_failure };

/// Thrown for a database that cannot be reached: at once when a ledger is opened, and when one that
/// was open has been waited for in vain, or is not to be waited for. The same may succeed later.
class DatabaseAway : public UserError {
 public:
  using UserError::UserError;
};

}  // namespace pitboss::clients
