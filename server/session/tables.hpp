#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "environment/awake_clock.hpp"
#include "server/session/saved_table.hpp"
#include "server/session/table.hpp"

namespace pitboss::server {

/// How many tables may have a name, and for how long.
struct TableLimits {
  std::size_t most = 64;                                              ///< tables with a name
  std::chrono::milliseconds keep = std::chrono::minutes(10);          ///< without a player
  std::size_t most_of_one = std::numeric_limits<std::size_t>::max();  ///< that one client has named
  bool may_last = false;  ///< whether tables may outlive the server
  /// For how long one that is kept is so without a player; 0: for ever.
  std::chrono::days kept{};
  /// The day that it is.
  std::chrono::sys_days (*today)() = [] {
    return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  };
};

/// The tables that have a name, at which any session may sit down. A table is kept for a while
/// after its last player, a client that may play there, has left. Belongs to the thread that
/// handles lines.
class Tables {
 public:
  using SteadyClock = environment::AwakeClock;

  /// Hands each table at which nobody will search again to `on_gone`, which may release a large
  /// tree elsewhere, since that takes long. Watchers may still sit at the table.
  explicit Tables(const TableLimits& limits,
                  std::function<void(std::shared_ptr<Table>)> on_gone = {});

  /// The table of that name, or null.
  [[nodiscard]] std::shared_ptr<Table> find(std::string_view name) const;
  /// Gives a table a free name and makes the client's token its owner; those who sit there stay.
  /// Throws CommandError for a malformed name or if there are too many tables.
  void add(std::string_view name, std::shared_ptr<Table> table, const protocol::Identity& client);
  /// The table's name; empty if it has none.
  [[nodiscard]] std::string_view name_of(const Table& table) const;

  /// Takes a table's name away. Those who sit there stay, but only the owner may still use the
  /// table.
  void remove(const Table& table);

  /// Whether the server can keep tables.
  [[nodiscard]] bool can_keep() const { return limits_.may_last; }
  /// Has the table, which has a name, outlive its players and the server, or no longer.
  void keep(const Table& table, bool is_kept);
  [[nodiscard]] bool is_kept(const Table& table) const;
  /// A kept table that differs from what was saved of it, or one that is kept no longer.
  struct Unsaved {
    std::string name;
    std::optional<std::string> text{};  ///< none: it is kept no longer
  };
  /// Looks at one table; nothing if that is saved, or a command has it. What is returned counts as
  /// saved from now on. `at_end`: no worker is left, so that no command has any table.
  [[nodiscard]] std::optional<Unsaved> next_unsaved(bool at_end = false);
  /// In so many calls `next_unsaved` looks at everything.
  [[nodiscard]] std::size_t looks() const { return to_forget_.size() + tables_.size(); }
  /// Has `next_unsaved` return it again.
  void not_saved(const Unsaved& unsaved);
  /// A table of that name was kept that cannot be restored: none is to replace its file.
  void reserve(std::string name) { unrestored_.insert(std::move(name)); }
  [[nodiscard]] bool is_reserved(std::string_view name) const {
    return unrestored_.contains(std::string(name));
  }
  /// Adds a table that was kept. Throws CommandError for a malformed name.
  void restore(const std::string& name, RestoredTable table, std::string text);

  /// A client's session sits down at a table, or leaves it. When the last player leaves, a command
  /// that yields, such as pondering, ends.
  static void sit(Table& table, const protocol::Identity& client) {
    table.seated().push_back(client);
  }
  void leave(std::shared_ptr<Table> table, const protocol::Identity& client);

  /// What the command `tables` tells of one table.
  struct Row {
    std::string_view name;
    const Table& table;
  };
  /// Sorted by name.
  [[nodiscard]] std::vector<Row> rows() const;
  [[nodiscard]] std::size_t size() const { return tables_.size(); }

  struct Expired {
    std::int64_t tables = 0;  ///< that were not kept
    std::int64_t kept = 0;
  };
  /// Gives up the named tables that have been without a player for too long.
  Expired expire(SteadyClock::time_point now);

 private:
  struct Entry {
    std::shared_ptr<Table> table;
    std::string maker;             ///< Identity::key
    SteadyClock::time_point left;  ///< when the last player left
    bool is_kept = false;
    std::chrono::sys_days used{};  ///< the last day on which a player was there
    std::string saved{};           ///< of a kept table
  };

  [[nodiscard]] Entry* entry_of(const Table& table);
  void give_up(std::shared_ptr<Table> table);

  TableLimits limits_;
  std::function<void(std::shared_ptr<Table>)> on_gone_;
  std::map<std::string, Entry, std::less<>> tables_;
  std::string last_looked_at_;         ///< by `next_unsaved`
  std::set<std::string> unrestored_;   ///< names
  std::set<std::string> to_forget_{};  ///< names of tables that were saved and are kept no longer
};

}  // namespace pitboss::server
