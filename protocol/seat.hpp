#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/dialect.hpp"
#include "protocol/table.hpp"

namespace pitboss::protocol {

/// What one connection has: its place at a table.
struct Seat {
  std::shared_ptr<Table> table;  ///< never null
  Dialect dialect = Dialect::plain;
  bool dialect_is_set = false;  ///< by the command `dialect`

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
