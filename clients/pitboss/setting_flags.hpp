#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "clients/experiments/setting_rows.hpp"

/// Flags that are rows of settings.
namespace pitboss::clients {

template <class S>
[[nodiscard]] std::string flag_of(const SettingRow<S>& row) {
  return flag_name(row.flag.empty() ? row.key : row.flag);
}

/// What --help calls a field's value.
template <class S, class T>
[[nodiscard]] constexpr const char* sign_of(T S::* /*field*/) {
  if constexpr (std::is_same_v<T, std::string>) return "TEXT";
  if constexpr (std::is_same_v<T, std::chrono::milliseconds>) return "SECONDS";
  return std::is_same_v<T, double> ? "X" : "N";
}

/// Adds a flag for each row; `defaults` are what --help shows.
template <class Rows, class S>
void add_flags(boost::program_options::options_description& all, const Rows& rows,
               const S& defaults) {
  namespace po = boost::program_options;
  for (const auto& row : rows) {
    const auto text =
        std::visit([&](auto field) { return typed_text(defaults.*field); }, row.field);
    const auto* const sign = std::visit([](auto field) { return sign_of(field); }, row.field);
    auto* const value = po::value<std::string>()->default_value(text)->value_name(sign);
    std::string help(row.help);
    if (!row.range.choices.empty()) help += ": " + std::string(row.range.choices);
    all.add_options()(flag_of(row).c_str(), value, help.c_str());
  }
}

/// What was given by the row's flag, as a file's setting; nothing if the flag was not given.
template <class S>
[[nodiscard]] std::optional<Setting> given_setting(
    const boost::program_options::variables_map& given, const SettingRow<S>& row) {
  const std::string flag = flag_of(row);
  if (!given.contains(flag) || given[flag].defaulted()) return std::nullopt;
  const auto& text = given[flag].template as<std::string>();
  const bool is_text = std::holds_alternative<std::string S::*>(row.field);
  return Setting::of_command_line(std::string(row.flag.empty() ? row.key : row.flag),
                                  is_text ? Setting::Value(text) : typed_value(text));
}

/// Reads the flags that were given, as a file's settings are read. Throws UserError.
template <class Rows, class S>
void read_given(const boost::program_options::variables_map& given, const Rows& rows, S& to) {
  for (const auto& row : rows) {
    if (const auto setting = given_setting(given, row)) read_row(*setting, row, to);
  }
}

}  // namespace pitboss::clients
