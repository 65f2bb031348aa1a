#pragma once

#include <memory>

#include "protocol/table.hpp"

namespace pitboss::protocol {

/// What one connection has: its place at a table.
struct Seat {
  std::shared_ptr<Table> table;  ///< never null
  SessionConfig config;          ///< what the connection began with
};

}  // namespace pitboss::protocol
