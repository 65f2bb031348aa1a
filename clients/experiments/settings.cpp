#include "clients/experiments/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "clients/experiments/user_error.hpp"
#include "environment/folders.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// A number as a user would type it: without an exponent unless there would be many zeros.
std::string number_text(double n) {
  std::array<char, 64> buffer;
  const bool plain = n == 0 || (std::abs(n) >= 1e-9 && std::abs(n) < 1e15);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), n, format).ptr;
  return {buffer.data(), end};
}

}  // namespace

std::string flag_name(std::string_view key) {
  std::string out(key);
  std::ranges::replace(out, '_', '-');
  return out;
}

Setting Setting::of_command_line(std::string key, Value value) {
  static const auto no_file = std::make_shared<const std::string>();
  return {no_file, no_line, std::move(key), std::move(value)};
}

void Setting::refuse(const std::string& sentence) const {
  std::string where = *file_;
  if (line_ != no_line) where += ", line " + std::to_string(line_);
  if (!key_.empty()) where += where.empty() ? "--" + flag_name(key_) : ", " + key_;
  throw UserError(where.empty() ? sentence : where + ": " + sentence);
}

bool Setting::flag() const {
  const auto* const value = std::get_if<bool>(&value_);
  if (value == nullptr) refuse("expected true or false");
  return *value;
}

const std::string& Setting::text() const {
  const auto* const value = std::get_if<std::string>(&value_);
  if (value == nullptr) refuse("expected a text in quotes");
  return *value;
}

std::int64_t Setting::whole_number(std::int64_t min, std::int64_t max) const {
  const auto* const value = std::get_if<std::int64_t>(&value_);
  if (value == nullptr || *value < min || *value > max) {
    const bool open =
        max == std::numeric_limits<std::int64_t>::max() || max == std::numeric_limits<int>::max();
    refuse("expected a whole number " + std::string(open ? "of at least " : "from ") +
           std::to_string(min) + (open ? "" : " to " + std::to_string(max)));
  }
  return *value;
}

int Setting::count(int min, int max) const { return static_cast<int>(whole_number(min, max)); }

double Setting::number(double min, double max) const {
  const auto* const whole = std::get_if<std::int64_t>(&value_);
  const auto* const real = std::get_if<double>(&value_);
  const double value = whole != nullptr  ? static_cast<double>(*whole)
                       : real != nullptr ? *real
                                         : std::nan("");
  if (!(value >= min && value <= max)) {
    refuse("expected a number from " + number_text(min) + " to " + number_text(max));
  }
  return value;
}

std::chrono::milliseconds Setting::duration(double min, double max) const {
  return std::chrono::milliseconds(std::llround(1000 * number(min, max)));
}

const Setting::List& Setting::list() const {
  const auto* const value = std::get_if<List>(&value_);
  if (value == nullptr) refuse("expected a list");
  return *value;
}

const Setting::Table& Setting::table() const {
  const auto* const value = std::get_if<Table>(&value_);
  if (value == nullptr) refuse("expected a table");
  return *value;
}

std::filesystem::path Setting::path() const {
  if (text().empty()) refuse("expected the name of a file or folder");
  try {
    return environment::expanded(text());
  } catch (const environment::NoFolder& missing) {
    refuse(missing.what());
  }
}

std::vector<std::string> Setting::texts() const {
  if (is_text()) return {text()};
  if (!is_list()) refuse("expected a text in quotes, or a list of texts");
  std::vector<std::string> all;
  for (const Setting& element : list()) all.push_back(element.text());
  return all;
}

std::string Setting::word() const {
  if (const auto* const value = std::get_if<bool>(&value_)) return *value ? "true" : "false";
  if (const auto* const value = std::get_if<std::int64_t>(&value_)) return std::to_string(*value);
  if (const auto* const value = std::get_if<double>(&value_)) return number_text(*value);
  if (!is_text()) refuse("expected a text, a number, true or false");
  return text();
}

void Setting::expect_keys(const std::vector<std::string_view>& known) const {
  for (const Setting& entry : table()) {
    if (std::ranges::find(known, entry.key()) == known.end()) {
      entry.refuse("this key is unknown" + games::suggestion(entry.key(), known));
    }
  }
}

const Setting* Setting::find(std::string_view key) const {
  const Table& entries = table();
  const auto found = std::ranges::find(entries, key, &Setting::key);
  return found == entries.end() ? nullptr : &*found;
}

const Setting& Setting::at(std::string_view key) const {
  const Setting* const found = find(key);
  if (found == nullptr) refuse(quoted(key) + " is missing");
  return *found;
}

const Setting::List& Setting::list_at(std::string_view key) const {
  static const List none;
  const Setting* const found = find(key);
  return found == nullptr ? none : found->list();
}

}  // namespace pitboss::clients
