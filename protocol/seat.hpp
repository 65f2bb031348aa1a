#pragma once

#include <memory>

#include "protocol/table.hpp"
#include "protocol/tables.hpp"

namespace pitboss::protocol {

/// What one connection has: its place at a table.
struct Seat {
  std::shared_ptr<Table> table;    ///< never null
  std::shared_ptr<Tables> tables;  ///< those with a name; never null
  SessionConfig config;            ///< what the connection began with
  bool live_graphics = false;      ///< a search draws itself while it runs

  /// Leaves the table and sits down at another one.
  void change_to(std::shared_ptr<Table> other) {
    tables->sit(*other);
    tables->leave(std::exchange(table, std::move(other)));
  }
};

}  // namespace pitboss::protocol
