#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/file_lock.hpp"
#include "clients/referee/ledger/store.hpp"

namespace pitboss::clients {

/// A ledger in a file of SQLite's: with a write-ahead log and synchronous=FULL, one writer at a
/// time (referee.lock in its folder), and readers beside it. Who has not locked it leaves file and
/// log as they are, so that their times tell when somebody wrote.
class SqliteStore final : public Store {
 public:
  explicit SqliteStore(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] std::string name() const override { return path_.string(); }
  [[nodiscard]] bool exists() override;
  /// Throws UserError for a file of 0 bytes, too, which SQLite would take for a new database.
  void open(Tables tables) override;
  void check(Tables tables) override;
  [[nodiscard]] bool is_shared() const override { return false; }
  /// Makes the folder if necessary. Throws UserError on a network file system, too, where the log's
  /// shared memory does not work.
  void lock() override;
  /// The file has another name until all is on the disk.
  [[nodiscard]] bool create(const std::string& schema, Tables tables, const Work& fill) override;
  void keep_checksums(Tables tables) override;
  void transact(const Work& writes) override;
  void take_turn() override {}  // a transaction that writes is alone
  void freeze(const Work& reads) override;
  [[nodiscard]] std::string now() const override {
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";
  }
  std::int64_t run(const std::string& statement, const StoredValues& values) override;
  void run_script(const std::string& statements) override;
  void read(const std::string& query, const StoredValues& values,
            const std::function<void(const StoredRow&)>& take) override;
  [[nodiscard]] std::vector<std::string> columns(const std::string& table) override;

 private:
  void connect(const std::string& name, int flags);
  void disconnect();
  void set_log_to_stay(bool stays);
  SQLite::Statement& prepared(const std::string& statement, const StoredValues& values);

  std::filesystem::path path_;
  std::optional<FileLock> lock_;
  std::optional<SQLite::Database> database_;
  std::map<std::string, SQLite::Statement> statements_;  // by their text
};

/// What a type of file systems (`f_type` of statfs) is called if other machines share its files;
/// empty if not.
[[nodiscard]] std::string_view network_file_system(std::int64_t type);

}  // namespace pitboss::clients
