#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "clients/experiments/settings.hpp"

/// Settings that are declared once, a row each, from which derive: how a file is read and which
/// keys it may have, flags and their help (clients/pitboss/setting_flags.hpp), and the text of a
/// file and of JSON. The default is what the field has before.
namespace pitboss::clients {

/// What a setting may be.
struct SettingRange {
  /// Of a number; of a duration in seconds.
  double least = 0;
  double most = 0;
  std::string_view choices = {};  ///< of a text: "paper, tower"; empty: any
};

/// The bound of a number that has none.
inline constexpr double unbounded = 1e19;

/// A setting that is a field of S.
template <class S>
struct SettingRow {
  using Field = std::variant<int S::*, std::int64_t S::*, double S::*,
                             std::chrono::milliseconds S::*, std::string S::*>;
  std::string_view key;
  Field field;
  SettingRange range;
  std::string_view help;
  std::string_view flag;  ///< its name; empty: the key with - for _
};

template <class S, class T>
constexpr SettingRow<S> setting(std::string_view key, T S::*field, double least, double most,
                                std::string_view help = {}, std::string_view flag = {}) {
  return {key, field, {least, most}, help, flag};
}
template <class S>
constexpr SettingRow<S> setting(std::string_view key, std::string S::*field, std::string_view help,
                                std::string_view choices = {}) {
  return {key, field, {.choices = choices}, help, {}};
}

// A value as a file or a flag has it. Each throws UserError for one of another kind or out of
// range.
void read_value(const Setting& setting, const SettingRange& range, int& to);
void read_value(const Setting& setting, const SettingRange& range, std::int64_t& to);
void read_value(const Setting& setting, const SettingRange& range, double& to);
void read_value(const Setting& setting, const SettingRange& range, std::chrono::milliseconds& to);
void read_value(const Setting& setting, const SettingRange& range, std::string& to);

/// A value as a user types it, without quotes or needless digits.
[[nodiscard]] inline std::string typed_text(std::int64_t value) { return std::to_string(value); }
[[nodiscard]] inline std::string typed_text(int value) { return std::to_string(value); }
[[nodiscard]] inline std::string typed_text(const std::string& value) { return value; }
[[nodiscard]] std::string typed_text(double value);
[[nodiscard]] inline std::string typed_text(std::chrono::milliseconds value) {
  return typed_text(std::chrono::duration<double>(value).count());
}
/// As a file of TOML has it.
template <class T>
[[nodiscard]] std::string toml_of(const T& value) {
  return typed_text(value);
}
template <>
[[nodiscard]] std::string toml_of(const std::string& value);
template <>
[[nodiscard]] std::string toml_of(const double& value);

/// The number that a text is; else the text.
[[nodiscard]] Setting::Value typed_value(const std::string& text);

template <class S>
void read_row(const Setting& setting, const SettingRow<S>& row, S& to) {
  std::visit([&](auto field) { read_value(setting, row.range, to.*field); }, row.field);
}
/// Reads the settings of `rows` that the table has.
template <class Rows, class S>
void read_rows(const Setting& table, const Rows& rows, S& to) {
  for (const auto& row : rows) {
    if (const Setting* const found = table.find(row.key)) read_row(*found, row, to);
  }
}
/// Adds the rows' keys, for `Setting::expect_keys`.
template <class Rows>
void add_keys(const Rows& rows, std::vector<std::string_view>& to) {
  for (const auto& row : rows) to.push_back(row.key);
}
/// Sets the rows' keys in an object of JSON; none may be a duration.
template <class Json, class Rows, class S>
void add_json(const Rows& rows, const S& from, Json& to) {
  for (const auto& row : rows) {
    const auto set = [&](auto field) {
      if constexpr (!std::is_same_v<decltype(field), std::chrono::milliseconds S::*>) {
        to[std::string(row.key)] = from.*field;
      }
    };
    std::visit(set, row.field);
  }
}

}  // namespace pitboss::clients
