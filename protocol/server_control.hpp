#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/memory_budget.hpp"

namespace pitboss::protocol {

/// What the searches of all tables of a server have done. Any thread.
struct SearchCounts {
  std::atomic<std::int64_t> searches{0};
  std::atomic<std::int64_t> simulations{0};
};

/// What the tables of a server share. Null: the sessions' tables are alone, and nothing is counted.
struct SharedByTables {
  std::shared_ptr<SearchCounts> counts{};
  std::shared_ptr<engine::MemoryBudget> memory{};  ///< of which idle tables give up theirs
};

/// What a session may ask of its server. The thread that handles lines calls it.
class ServerControl {
 public:
  virtual ~ServerControl() = default;
  /// One line of JSON: what the server counts.
  [[nodiscard]] virtual std::string stats() const = 0;
  [[nodiscard]] virtual std::string log_level() const = 0;
  /// Throws CommandError for a word that is none.
  virtual void set_log_level(const std::string& word) = 0;
};

}  // namespace pitboss::protocol
