#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/memory_budget.hpp"
#include "protocol/access.hpp"

namespace pitboss::server {

class Findings;

/// What the searches of all tables of a server have done. Any thread.
struct SearchCounts {
  std::atomic<std::int64_t> searches{0};
  std::atomic<std::int64_t> simulations{0};
  std::atomic<std::int64_t> gave_way{0};  ///< searches that ended for want of memory elsewhere
};

/// What the tables of a server share. Null for sessions without a server: nothing is counted.
struct SharedByTables {
  std::shared_ptr<SearchCounts> counts{};
  std::shared_ptr<engine::MemoryBudget> memory{};  ///< may release the trees of idle tables
  std::shared_ptr<Findings> findings{};            ///< what searches have told of positions
};

/// What a session may ask of its server. The thread that handles lines calls it.
class ServerControl {
 public:
  virtual ~ServerControl() = default;
  /// One line of JSON: what the server counts.
  [[nodiscard]] virtual std::string stats() const = 0;
  /// How many threads search at once for all sessions together.
  [[nodiscard]] virtual int workers() const = 0;
  [[nodiscard]] virtual std::string log_level() const = 0;
  /// Throws CommandError for a word that is no level.
  virtual void set_log_level(const std::string& word) = 0;
  /// Throws LimitError if the client already runs as many commands that take time as it may.
  virtual void check_room_for_search(const protocol::Identity& client) = 0;
  /// The client that has the token, without an address; nothing if there is none. Takes the same
  /// time for all tokens of one length. Throws LimitError if the client has all the sessions that
  /// it may have.
  [[nodiscard]] virtual std::optional<protocol::Identity> client_with(std::string_view token) = 0;
  /// One line for each session: its number, the client's address, name (or -) and right, `busy` or
  /// `idle`, and the seconds since its last line.
  [[nodiscard]] virtual std::string sessions() const = 0;
  /// Ends a session soon; false if there is none of that number.
  virtual bool disconnect(std::int64_t number) = 0;
};

}  // namespace pitboss::server
