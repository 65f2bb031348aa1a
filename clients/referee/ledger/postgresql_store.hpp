#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger_place.hpp"
#include "clients/referee/ledger/outage.hpp"
#include "clients/referee/ledger/store.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// A ledger in a PostgreSQL database: each experiment has a schema of its own, under its name.
/// Triggers set the checksums, which are SQLite's (row_checksums.hpp). Nothing depends on the
/// session, so that a connection pooler may stand between, also one that lends connections for a
/// transaction.
///
/// A transaction writes a name of its own into the first table, under a key `commit ...` of the
/// store's, so that it is known whether it has counted when the connection breaks before the
/// server's answer. (PostgreSQL's own numbers of transactions do not tell: one that a crash has
/// undone may be given out again.) A transaction has a lock of the store's, so that the question
/// waits for one that the server has not given up yet, or is about to commit.
class PostgresqlStore final : public Store {
 public:
  /// How long a server that keeps the connection may be silent until it counts as gone.
  static constexpr std::chrono::minutes longest_silence{5};

  /// Connects. Throws DatabaseAway if that fails.
  explicit PostgresqlStore(DatabasePlace place);
  ~PostgresqlStore() override;
  PostgresqlStore(const PostgresqlStore&) = delete;
  PostgresqlStore& operator=(const PostgresqlStore&) = delete;

  [[nodiscard]] std::string name() const override { return text_of(place_); }
  /// Throws UserError for a database that has tables, none of which are a ledger's.
  [[nodiscard]] bool exists() override;
  void open(Tables tables) override;
  void check(Tables tables) override;
  [[nodiscard]] bool is_shared() const override { return true; }
  void lock() override {}
  [[nodiscard]] bool create(const std::string& schema, Tables tables, const Work& fill) override;
  void keep_checksums(Tables tables) override;
  void transact(const Work& writes) override;
  void take_turn() override;
  void freeze(const Work& reads) override;
  [[nodiscard]] std::string now() const override {
    return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";
  }
  std::int64_t run(const std::string& statement, const StoredValues& values) override;
  void run_script(const std::string& statements) override;
  void read(const std::string& query, const StoredValues& values,
            const std::function<void(const StoredRow&)>& take) override;
  [[nodiscard]] std::vector<std::string> columns(const std::string& table) override;
  void stop_waiting(std::chrono::milliseconds silence) override {
    waits_ = false;
    silence_ = silence;
  }

  /// The names of the ledgers in the database, sorted.
  [[nodiscard]] std::vector<std::string> ledgers();
  /// The names of the last transactions of the stores that write to a ledger, and of the one that
  /// closed last; `marks` is its first table.
  [[nodiscard]] std::string last_commits(const std::string& ledger, const std::string& marks);

 private:
  struct Connection;
  struct Lost;
  struct Conflict;
  enum class Access : std::uint8_t { reads, writes };

  void connect();
  void connect_again(environment::AwakeClock::time_point since);
  void wait_after(const Lost& lost, environment::AwakeClock::time_point since);
  void begin(Access access);
  void roll_back();
  void commit();
  void in_transaction(Access access, const Work& work, const std::function<bool()>& is_done);
  template <class Sends>
  auto guarded(const std::string& what, const Sends& sends);
  [[nodiscard]] bool is_there();
  void write_mark(const std::string& name);
  [[nodiscard]] bool has_mark(const std::string& name);
  [[nodiscard]] std::string checksum_of(const std::string& table, const std::string& row);
  void set_checksums_by_trigger(const std::string& table);

  DatabasePlace place_;
  std::string marks_;  ///< the table with the keys `commit ...`, and `commit` of a closed store
  std::string mark_;   ///< the key of this store
  std::atomic<bool> waits_ = true;
  std::atomic<std::chrono::milliseconds> silence_{longest_silence};  // the connection looks at it
  std::unique_ptr<Connection> connection_;
  bool has_written_ = false;
};

}  // namespace pitboss::clients
