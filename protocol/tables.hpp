#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/table.hpp"

namespace pitboss::protocol {

/// The tables that have a name, at which any session may sit down. One that nobody sits at is kept
/// for a while. Belongs to the thread that handles lines.
class Tables {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    std::size_t most = 64;                                      ///< tables with a name
    std::chrono::milliseconds keep = std::chrono::minutes(10);  ///< without anybody
  };

  /// `on_gone` gets the tables that nobody will use again: to release a large tree takes longer
  /// than others should wait.
  explicit Tables(const Limits& limits, std::function<void(std::shared_ptr<Table>)> on_gone = {});

  /// The table of that name, or null.
  [[nodiscard]] std::shared_ptr<Table> find(std::string_view name) const;
  /// Gives a table, at which nobody but the caller sits, a name that is free. Throws CommandError
  /// for a name that is none, or when there are too many.
  void add(std::string_view name, std::shared_ptr<Table> table);
  /// The table's name; empty if it has none.
  [[nodiscard]] std::string_view name_of(const Table& table) const;

  /// A session sits down at a table, or leaves it, which ends pondering when it is the last.
  void sit(const Table& table);
  void leave(std::shared_ptr<Table> table);

  /// What there is of one table.
  struct Row {
    std::string_view name;
    const Table& table;
    int sessions;
  };
  /// Sorted by name.
  [[nodiscard]] std::vector<Row> rows() const;

  /// Gives up the tables that have been without anybody for too long.
  void expire(Clock::time_point now);

 private:
  struct Place {
    std::shared_ptr<Table> table;
    int sessions = 0;
    Clock::time_point left;  ///< by the last one
  };

  [[nodiscard]] Place* place_of(const Table& table);
  void give_up(std::shared_ptr<Table> table);

  Limits limits_;
  std::function<void(std::shared_ptr<Table>)> on_gone_;
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace pitboss::protocol
