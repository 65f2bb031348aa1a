#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/dialect.hpp"
#include "protocol/table.hpp"
#include "protocol/tables.hpp"

namespace pitboss::protocol {

/// What one connection has: its place at a table.
struct Seat {
  std::shared_ptr<Table> table;    ///< never null
  std::shared_ptr<Tables> tables;  ///< those with a name; never null
  SessionConfig config;            ///< what the connection began with
  bool live_graphics = false;      ///< a search draws itself while it runs
  Dialect dialect = Dialect::plain;
  bool dialect_is_set = false;  ///< by the command `dialect`

  /// Leaves the table and sits down at another one.
  void change_to(std::shared_ptr<Table> other) {
    tables->sit(*other);
    tables->leave(std::exchange(table, std::move(other)));
  }

  /// A move or a point as this connection writes it.
  [[nodiscard]] std::string spoken(std::string_view move) const {
    return protocol::spoken(dialect, table->game().shape(), move);
  }
  [[nodiscard]] std::vector<std::string> spoken(std::vector<std::string> moves) const {
    for (std::string& move : moves) move = spoken(move);
    return moves;
  }
  /// A move or a point that this connection has written, in the program's own way.
  [[nodiscard]] std::string heard(std::string_view move) const {
    return protocol::heard(dialect, table->game().shape(), move);
  }
};

}  // namespace pitboss::protocol
