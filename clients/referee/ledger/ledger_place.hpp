#pragma once

#include <filesystem>
#include <string>
#include <variant>

namespace pitboss::clients {

/// A place in a PostgreSQL server: a database, and the name of an experiment in it. Passwords come
/// from the environment or ~/.pgpass, as libpq looks for them.
class DatabasePlace {
 public:
  /// Throws UserError if the URL is none that libpq understands, if it holds a password, which
  /// others could see, or if no experiment can have this name. It may be empty: see `is_named`.
  explicit DatabasePlace(std::string url, std::string name = {});

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// URL and name without the URL's parameters, which may tell where a password is: for records.
  [[nodiscard]] std::string address() const;
  [[nodiscard]] bool is_named() const { return !name_.empty(); }

 private:
  std::string url_;
  std::string name_;
};

/// Where an experiment's ledger is: in a folder, or in a database.
using LedgerPlace = std::variant<std::filesystem::path, DatabasePlace>;

/// What a database calls an experiment unless the user does: its name, or if it has none that of
/// its place or folder.
[[nodiscard]] std::string name_of(const std::string& experiment, const LedgerPlace& place);

/// Reads "postgresql://USER@HOST:PORT/DATABASE#NAME"; what does not begin so is a folder.
[[nodiscard]] LedgerPlace parse_place(const std::string& text);
/// As `parse_place` reads it.
[[nodiscard]] std::string text_of(const LedgerPlace& place);

}  // namespace pitboss::clients
