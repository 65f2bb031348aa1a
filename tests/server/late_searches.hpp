#pragma once

#include <chrono>

#include "server/session/table_search.hpp"

namespace pitboss::tests {

/// Makes the engine's own searches, of connect4 only, whose leaves are evaluated `delay` late; each
/// keeps `in_flight` leaves in flight at most.
[[nodiscard]] server::MakeSearch late_searches(std::chrono::microseconds delay, int in_flight);

}  // namespace pitboss::tests
