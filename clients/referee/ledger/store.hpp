#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// What ledgers need of a database, so that all else is written once: SQLite (sqlite_store.hpp) and
/// PostgreSQL (postgresql_store.hpp) take the same statements. Private to this folder.
namespace pitboss::clients {

/// What is bound to $1, $2, ... of a statement, and what a row holds.
using StoredValue = std::variant<std::int64_t, double, std::string>;
using StoredValues = std::vector<StoredValue>;

/// A row of an answer, for as long as it is looked at. Columns are numbered from 0.
class StoredRow {
 public:
  [[nodiscard]] virtual StoredValue value(int column) const = 0;

  // Other types are converted: a text is no number and counts as 0.
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;

 protected:
  ~StoredRow() = default;
};

/// The tables of a ledger, the one that tells its format first.
using Tables = std::span<const char* const>;

/// The database of one ledger, which need not exist yet. Depends on no session: between two
/// transactions another connection may take the place of the one before. Not thread-safe;
/// everything blocks and throws UserError, which names the place.
class Store {
 public:
  using Work = std::function<void()>;

  Store() = default;
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// The place, for sentences.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool exists() = 0;
  /// Opens what exists. Throws UserError unless it has the first of the tables.
  virtual void open(Tables tables) = 0;
  /// Throws UserError unless all can be read to its end, the tables exist, and their rows fit their
  /// checksums.
  virtual void check(Tables tables) = 0;
  /// Whether several may write.
  [[nodiscard]] virtual bool is_shared() const = 0;
  /// Keeps other writers out until this object is destroyed, unless the store is shared.
  virtual void lock() = 0;
  /// Makes and opens what does not exist: the tables of the schema, and the rows that `fill`
  /// writes. Whatever is killed when, all of it is there or nothing. Returns false, and changes
  /// nothing, if somebody else has made it meanwhile. Must come after `lock`.
  [[nodiscard]] virtual bool create(const std::string& schema, Tables tables, const Work& fill) = 0;
  /// Has every row written from now on get its checksum. May be called again.
  virtual void keep_checksums(Tables tables) = 0;

  /// Runs `writes` as one transaction until it is on the disk; all or nothing. A database that goes
  /// away is waited for, and `writes` runs again unless the first time has counted: once it has
  /// returned, it has counted once.
  virtual void transact(const Work& writes) = 0;
  /// Within `transact`: waits until no other transaction that has called this is left, so that what
  /// is read now stays true to the end.
  virtual void take_turn() = 0;
  /// Runs `reads` on the database as it is now, whatever is written meanwhile.
  virtual void freeze(const Work& reads) = 0;

  /// The store's clock: an expression for statements, milliseconds since 1970.
  [[nodiscard]] virtual std::string now() const = 0;
  /// Runs a statement; returns how many rows it has changed.
  virtual std::int64_t run(const std::string& statement, const StoredValues& values = {}) = 0;
  /// Runs statements, separated by semicolons.
  virtual void run_script(const std::string& statements) = 0;
  /// Calls `take` with each row of the answer; `take` must not use the store.
  virtual void read(const std::string& query, const StoredValues& values,
                    const std::function<void(const StoredRow&)>& take) = 0;
  /// The columns of a table in their order; none if there is no such table.
  [[nodiscard]] virtual std::vector<std::string> columns(const std::string& table) = 0;

  /// Is called with a sentence when a database has gone away or is locked, and is waited for.
  std::function<void(const std::string&)> on_outage = [](const std::string&) {};
  /// Waits no more, now and later: an outage is a failure, and so is a question that is not
  /// answered for `silence`. May be called from another thread.
  virtual void stop_waiting(std::chrono::milliseconds /*silence*/) {}
};

/// The value of a key in a table of keys and values; empty if there is none.
[[nodiscard]] std::string value_of(Store& store, const std::string& table, const std::string& key);
/// Sets it.
void set_value(Store& store, const std::string& table, const std::string& key,
               const std::string& value);

}  // namespace pitboss::clients
