#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Settings, of a file in TOML or a command line. Every mistake in them is a UserError that names
/// file, line and key.
namespace pitboss::clients {

/// The flag of a key: "move-timeout" for move_timeout.
[[nodiscard]] std::string flag_name(std::string_view key);

/// A value, with its file, line and key.
class Setting {
 public:
  /// The line of settings that come from no file; `file` then says where they come from. It is
  /// empty for those of the command line, whose flag is called as the key is (`flag_name`).
  static constexpr int no_line = 0;

  using List = std::vector<Setting>;
  struct Table : std::vector<Setting> {};  ///< in the order of the file; the keys are distinct
  using Value = std::variant<bool, std::int64_t, double, std::string, List, Table>;

  Setting(std::shared_ptr<const std::string> file, int line, std::string key, Value value)
      : file_(std::move(file)), line_(line), key_(std::move(key)), value_(std::move(value)) {}
  /// A setting of the command line, whose mistakes name the flag; of all of them if `key` is empty.
  [[nodiscard]] static Setting of_command_line(std::string key, Value value);

  /// The value's name in its table; for an element of a list, the list's name.
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& file() const { return *file_; }
  /// The same setting with another value.
  [[nodiscard]] Setting with(Value value) const { return {file_, line_, key_, std::move(value)}; }

  [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(value_); }
  [[nodiscard]] bool is_list() const { return std::holds_alternative<List>(value_); }
  [[nodiscard]] bool is_table() const { return std::holds_alternative<Table>(value_); }

  // The value. Each throws UserError for a value of another kind or out of range.

  [[nodiscard]] bool flag() const;
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] std::int64_t whole_number(
      std::int64_t min, std::int64_t max = std::numeric_limits<std::int64_t>::max()) const;
  /// The same as an int.
  [[nodiscard]] int count(int min, int max = std::numeric_limits<int>::max()) const;
  [[nodiscard]] double number(double min, double max) const;
  /// A number of seconds from min to max.
  [[nodiscard]] std::chrono::milliseconds duration(double min = 0.001, double max = 1e7) const;
  [[nodiscard]] const List& list() const;
  [[nodiscard]] const Table& table() const;
  /// A text that names a file or folder, with `~` replaced (environment::expanded); not empty.
  [[nodiscard]] std::filesystem::path path() const;
  /// The texts of a list, or the one text that stands there instead of a list.
  [[nodiscard]] std::vector<std::string> texts() const;
  /// A text, a number, true or false, as a user would type it.
  [[nodiscard]] std::string word() const;

  // Of a table:

  /// Throws UserError if the table has a key that is not among `known`, and suggests a known one.
  void expect_keys(const std::vector<std::string_view>& known) const;
  /// The value under a key; null if the key is missing.
  [[nodiscard]] const Setting* find(std::string_view key) const;
  /// Throws UserError if the key is missing.
  [[nodiscard]] const Setting& at(std::string_view key) const;
  /// The elements of a list under a key; none if the key is missing.
  [[nodiscard]] const List& list_at(std::string_view key) const;

  /// Throws a UserError: "FILE, line 3, games: SENTENCE" or "--games: SENTENCE".
  [[noreturn]] void refuse(const std::string& sentence) const;

 private:
  std::shared_ptr<const std::string> file_;
  int line_;
  std::string key_;
  Value value_;
};

/// Reads a file of settings, whose value is a table. Throws UserError if it cannot be read or is
/// not TOML.
[[nodiscard]] Setting read_settings(const std::filesystem::path& path);
/// The same from a text; errors call it `name`.
[[nodiscard]] Setting parse_settings(std::string_view text, const std::string& name);

/// A table as a text that `parse_settings` reads back: its values, then its tables and its lists of
/// tables.
[[nodiscard]] std::string toml_text(const Setting& table);

}  // namespace pitboss::clients
