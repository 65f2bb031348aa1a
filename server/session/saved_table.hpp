#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/file_lock.hpp"
#include "server/session/session_config.hpp"
#include "server/session/table.hpp"

namespace pitboss::server {

/// Who uses a kept table.
struct TableUse {
  std::string maker;  ///< the key of the client that named it
  /// On which a player was there; nothing: older files do not tell.
  std::optional<std::chrono::sys_days> last_day{};
};

/// A table as it outlives the server: its game, clock, options, owner and who holds its colours,
/// but not its tree. A command that takes time must not have the table.
[[nodiscard]] std::string saved_table(const Table& table, const TableUse& use);

struct RestoredTable {
  std::shared_ptr<Table> table;
  TableUse use;
};
/// The table that `saved_table` wrote. Passes behind the end of the game are left out. Throws
/// std::runtime_error with a sentence for any other text, and for options that this server refuses.
[[nodiscard]] RestoredTable restored_table(const std::string& text, const SessionConfig& config);

/// The folder in which a server keeps tables, a file for each. One process at a time has it. Any
/// thread may call the members; not two at once for the same table.
class TableFolder {
 public:
  /// Makes the folder if need be, for its owner alone, and locks it. Throws std::runtime_error with
  /// a sentence.
  explicit TableFolder(std::filesystem::path path);

  /// The names of the tables that are kept. Throws std::runtime_error.
  [[nodiscard]] std::vector<std::string> tables() const;
  /// The text of a table's file. Throws std::runtime_error.
  [[nodiscard]] std::string read(const std::string& table) const;
  /// Replaces the table's file as a whole, or leaves it as it was and throws std::runtime_error.
  void write(const std::string& table, std::string_view text) const;
  void remove(const std::string& table) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& table) const;

  std::filesystem::path path_;
  std::optional<games::FileLock> lock_;
};

}  // namespace pitboss::server
