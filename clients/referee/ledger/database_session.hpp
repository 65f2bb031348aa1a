#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;  // libpq's
struct pg_result;

/// What we need of PostgreSQL's library for clients. Private to this folder.
namespace pitboss::clients {

/// A statement or a connection has failed.
struct DatabaseFailure : std::runtime_error {
  DatabaseFailure(const std::string& message, std::string code)
      : std::runtime_error(message), state(std::move(code)) {}
  std::string state;  ///< SQLSTATE; empty if no server has answered
};

/// What a server answers to a statement: rows of texts, numbered from 0.
class DatabaseAnswer {
 public:
  explicit DatabaseAnswer(std::shared_ptr<pg_result> result) : result_(std::move(result)) {}

  [[nodiscard]] int rows() const;
  /// The type of a column, a number of PostgreSQL's catalog.
  [[nodiscard]] unsigned int type(int column) const;
  [[nodiscard]] std::string_view text(int row, int column) const;
  /// How many rows the statement has changed.
  [[nodiscard]] std::int64_t changed_rows() const;

 private:
  std::shared_ptr<pg_result> result_;
};

/// A connection with a PostgreSQL server. Blocks, and throws DatabaseFailure.
class DatabaseSession {
 public:
  /// Connects.
  explicit DatabaseSession(const std::string& url);

  [[nodiscard]] int socket() const;
  /// Whether the connection is whole, as far as is known.
  [[nodiscard]] bool is_open() const;
  /// Runs a statement with its parameters $1, $2, ..., or without any several, separated by
  /// semicolons; then returns the last one's answer.
  DatabaseAnswer run(const std::string& statement, const std::vector<std::string>& parameters = {});
  /// A name as statements take it.
  [[nodiscard]] std::string quoted(const std::string& name) const;

 private:
  std::shared_ptr<pg_conn> connection_;
};

}  // namespace pitboss::clients
