#include "clients/referee/ledger/sqlite_store.hpp"

#include <sqlite3.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <type_traits>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/row_checksums.hpp"
#include "clients/referee/ledger/uri_path.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using SQLite::Statement;

namespace {

constexpr int patience_ms = 20'000;  // with others that write

UserError failure_of(const std::string& what, const fs::path& path, const std::string& why) {
  return UserError(what + " " + path.string() + ": " + why);
}

/// Runs `work`; turns SQLite's failures into UserErrors.
template <class Work>
auto guarded(const char* what, const fs::path& path, const Work& work) {
  try {
    return work();
  } catch (const SQLite::Exception& e) {
    throw failure_of(what, path, e.what());
  }
}

/// The name by which SQLite opens a ledger: its path, or, for a read-only file without a log, a URI
/// that says so.
std::string name_for(const fs::path& path) {
  const bool has_log = fs::exists(path.string() + "-wal");
  if (has_log || !fs::exists(path) || ::access(path.c_str(), W_OK) == 0) return path.string();
  return "file:" + uri_path(fs::absolute(path)) + "?immutable=1";
}

class SqliteRow final : public StoredRow {
 public:
  explicit SqliteRow(Statement& statement) : statement_(statement) {}

  [[nodiscard]] StoredValue value(int column) const override {
    const SQLite::Column found = statement_.getColumn(column);
    if (found.isInteger()) return found.getInt64();
    if (found.isFloat()) return found.getDouble();
    return found.getString();
  }

 private:
  Statement& statement_;
};

}  // namespace

std::string_view network_file_system(std::int64_t type) {
  struct FileSystem {
    std::int64_t type;
    std::string_view name;
  };
  constexpr std::array known{// linux/magic.h, and the file systems' own sources
                             FileSystem{0x6969, "NFS"},        FileSystem{0x517b, "SMB"},
                             FileSystem{0xff534d42, "CIFS"},   FileSystem{0xfe534d42, "SMB"},
                             FileSystem{0x00c36400, "Ceph"},   FileSystem{0x0bd00bd0, "Lustre"},
                             FileSystem{0x47504653, "GPFS"},   FileSystem{0x5346414f, "AFS"},
                             FileSystem{0x19830326, "BeeGFS"}, FileSystem{0x7461636f, "OCFS2"},
                             FileSystem{0x01161970, "GFS2"}};
  for (const FileSystem& one : known) {
    if (one.type == (type & 0xffffffff)) return one.name;
  }
  return {};
}

bool SqliteStore::exists() { return fs::exists(path_); }

void SqliteStore::connect(const std::string& name, int flags) {
  database_.emplace(name, flags, patience_ms);
  set_log_to_stay(!lock_);
  define_row_checksum(*database_);
  database_->exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
}

void SqliteStore::disconnect() {
  statements_.clear();
  database_.reset();
}

void SqliteStore::open(Tables tables) {
  std::error_code error;
  if (fs::file_size(path_, error) == 0 && !error) {
    throw failure_of("cannot use", path_,
                     "it has 0 bytes, and what it held is lost; restore a backup, or remove "
                     "the file to begin anew");
  }
  guarded("cannot read", path_, [&] {
    // For writing: only a writer can clean up the log that a killed referee has left.
    connect(name_for(path_), SQLite::OPEN_READWRITE | SQLite::OPEN_URI);
    if (!database_->tableExists(tables.front())) {
      throw failure_of("cannot use", path_, "it is not a ledger");
    }
  });
}

void SqliteStore::check(Tables tables) {
  guarded("cannot read", path_, [&] {
    const std::string fault = checksum_fault(*database_, tables);
    require(fault.empty(), "cannot use " + name() + ": it is damaged: " + fault);
    Statement pages(*database_, "PRAGMA integrity_check(1)");
    pages.executeStep();
    if (const std::string answer = pages.getColumn(0).getString(); answer != "ok") {
      throw failure_of("cannot use", path_, "it is damaged: " + answer);
    }
  });
}

/// Whether closing leaves the log.
void SqliteStore::set_log_to_stay(bool stays) {
  // NOLINTNEXTLINE(*-vararg): the only form there is
  sqlite3_db_config(database_->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, stays ? 1 : 0,
                    nullptr);
}

void SqliteStore::lock() {
  const fs::path folder = path_.parent_path();
  FileLock lock = lock_folder(folder);
  struct statfs about {};
  if (::statfs(folder.c_str(), &about) == 0) {
    const std::string_view shared = network_file_system(about.f_type);
    require(shared.empty(), folder.string() + " is on a network file system (" +
                                std::string(shared) +
                                "), where a ledger of SQLite's would be damaged: choose a folder "
                                "on a disk of this machine, or --ledger postgresql://...");
  }
  lock_ = std::move(lock);
  if (!database_) return;
  set_log_to_stay(false);
  guarded("cannot write", path_, [&] { database_->exec("PRAGMA journal_mode = WAL"); });
}

bool SqliteStore::create(const std::string& schema, Tables tables, const Work& fill) {
  const std::string unfinished = path_.string() + ".new";
  std::error_code error;
  const auto remove = [&] {  // or SQLite would read what a killed process has left
    for (const char* part : {"", "-journal", "-wal", "-shm"}) fs::remove(unfinished + part, error);
  };
  remove();
  try {
    guarded("cannot write", path_, [&] {
      connect(unfinished, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      transact([&] {
        run_script(schema);
        keep_checksums(tables);
        fill();
      });
      // The first writer could not change the mode beside a reader.
      database_->exec("PRAGMA journal_mode = WAL");
      disconnect();
    });
    fs::rename(unfinished, path_, error);
    if (error) throw failure_of("cannot create", path_, error.message());
  } catch (...) {
    disconnect();
    remove();
    throw;
  }
  open(tables);
  return true;
}

void SqliteStore::keep_checksums(Tables tables) {
  guarded("cannot write", path_, [&] { pitboss::clients::keep_checksums(*database_, tables); });
}

void SqliteStore::transact(const Work& writes) {
  guarded("cannot write", path_, [&] {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    writes();
    transaction.commit();
  });
}

void SqliteStore::freeze(const Work& reads) {
  guarded("cannot read", path_, [&] {
    const SQLite::Transaction transaction(*database_);
    reads();
  });
}

Statement& SqliteStore::prepared(const std::string& statement, const StoredValues& values) {
  Statement& out = statements_.try_emplace(statement, *database_, statement).first->second;
  out.tryReset();  // the last time may have failed
  int index = 0;
  for (const StoredValue& value : values) {
    ++index;
    std::visit(
        [&](const auto& bound) {
          if constexpr (std::is_same_v<decltype(bound), const std::string&>) {
            out.bindNoCopy(index, bound);  // `values` lives until the statement has been executed
          } else {
            out.bind(index, bound);
          }
        },
        value);
  }
  return out;
}

std::int64_t SqliteStore::run(const std::string& statement, const StoredValues& values) {
  return guarded("cannot write", path_, [&] { return prepared(statement, values).exec(); });
}

void SqliteStore::run_script(const std::string& statements) {
  guarded("cannot write", path_, [&] { database_->exec(statements); });
}

void SqliteStore::read(const std::string& query, const StoredValues& values,
                       const std::function<void(const StoredRow&)>& take) {
  guarded("cannot read", path_, [&] {
    Statement& statement = prepared(query, values);
    // An open statement would keep its transaction open.
    const auto reset = [](Statement* open) { open->tryReset(); };
    const std::unique_ptr<Statement, decltype(reset)> open(&statement, reset);
    while (statement.executeStep()) take(SqliteRow(statement));
  });
}

std::vector<std::string> SqliteStore::columns(const std::string& table) {
  return guarded("cannot read", path_, [&] { return columns_of(*database_, table); });
}

}  // namespace pitboss::clients
