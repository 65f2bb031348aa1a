#include "clients/experiments/setting_rows.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/user_error.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

/// A bound that is beyond the type's is none.
template <class Number>
Number bound(double most) {
  constexpr Number largest = std::numeric_limits<Number>::max();
  return most >= static_cast<double>(largest) ? largest : static_cast<Number>(most);
}

/// The choices of "a, b, c".
std::vector<std::string_view> choices_in(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return out;
}

}  // namespace

void read_value(const Setting& setting, const SettingRange& range, int& to) {
  to = setting.count(static_cast<int>(range.least), bound<int>(range.most));
}

void read_value(const Setting& setting, const SettingRange& range, std::int64_t& to) {
  to =
      setting.whole_number(static_cast<std::int64_t>(range.least), bound<std::int64_t>(range.most));
}

void read_value(const Setting& setting, const SettingRange& range, double& to) {
  to = setting.number(range.least, range.most);
}

void read_value(const Setting& setting, const SettingRange& range, std::chrono::milliseconds& to) {
  to = setting.duration(range.least, range.most);
}

void read_value(const Setting& setting, const SettingRange& range, std::string& to) {
  const std::string& text = setting.text();
  if (!range.choices.empty()) {
    const auto choices = choices_in(range.choices);
    if (std::ranges::find(choices, text) == choices.end()) {
      std::string list;
      for (std::size_t i = 0; i < choices.size(); ++i) {
        list += (i == 0 ? "" : i + 1 < choices.size() ? ", " : " or ");
        list.append("\"").append(choices[i]).append("\"");
      }
      setting.refuse("expected " + list + games::suggestion(text, choices));
    }
  }
  to = text;
}

/// The shortest text that reads back as the same number.
std::string typed_text(double value) {
  std::array<char, 32> buffer;
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

template <>
std::string toml_of(const double& value) {
  const std::string text = typed_text(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

template <>
std::string toml_of(const std::string& value) {
  try {
    return nlohmann::json(value).dump();
  } catch (const nlohmann::json::exception&) {
    throw UserError("a file of TOML has texts in UTF-8, and one here is in none");
  }
}

Setting::Value typed_value(const std::string& text) {
  if (const auto whole = number_in<std::int64_t>(text)) return *whole;
  const auto number = number_in<double>(text);
  return number ? Setting::Value(*number) : Setting::Value(text);
}

}  // namespace pitboss::clients
