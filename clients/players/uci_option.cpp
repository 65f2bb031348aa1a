#include "clients/players/uci_option.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/player.hpp"
#include "clients/players/engine_failure.hpp"
#include "clients/players/transcript.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace {

/// In the order of their values.
constexpr std::array<std::string_view, 5> type_names{"check", "spin", "combo", "button", "string"};

UciOption::Type type_named(std::string_view name) {
  const auto* const found = std::ranges::find(type_names, name);
  if (found == type_names.end()) return UciOption::Type::string;
  return static_cast<UciOption::Type>(found - type_names.begin());
}

/// Whether a word begins the next part of a declaration.
bool is_key(const UciOption& option, std::string_view word) {
  using enum UciOption::Type;
  if (word == "default") return true;
  if (option.type == spin) return word == "min" || word == "max";
  return option.type == combo && word == "var";
}

void set_part(UciOption& option, std::string_view key, const std::string& value) {
  if (key == "default") option.default_value = value;
  if (key == "min") option.min = number_in<std::int64_t>(value);
  if (key == "max") option.max = number_in<std::int64_t>(value);
  if (key == "var") option.choices.push_back(value);
}

std::string list_of(const std::vector<std::string>& choices) {
  std::string out;
  for (const std::string& choice : choices) out += (out.empty() ? "" : ", ") + choice;
  constexpr std::size_t most = 300;
  return printable(out, most);
}

/// "a whole number from 1 to 1024"
std::string range_text(const UciOption& option) {
  std::string out = "a whole number";
  if (option.min) out += (option.max ? " from " : " of at least ") + std::to_string(*option.min);
  if (option.max) out += (option.min ? " to " : " of at most ") + std::to_string(*option.max);
  return out;
}

}  // namespace

std::optional<UciOption> read_uci_option(std::string_view line) {
  constexpr std::string_view before_name = "option name ";
  constexpr std::string_view before_type = " type ";
  const std::size_t at = line.find(before_type);
  if (!line.starts_with(before_name) || at == std::string_view::npos) return std::nullopt;
  UciOption option;
  option.name = line.substr(before_name.size(), at - before_name.size());

  std::istringstream words{std::string(line.substr(at + before_type.size()))};
  std::string word;
  words >> word;
  option.type = type_named(word);
  std::string key;
  std::string value;
  while (words >> word) {
    // The default of a string may have any words.
    const bool is_text = option.type == UciOption::Type::string && key == "default";
    if (is_text || !is_key(option, word)) {
      value += (value.empty() ? "" : " ") + word;
      continue;
    }
    set_part(option, key, value);
    key = word;
    value.clear();
  }
  set_part(option, key, value);
  return option;
}

std::string UciOption::accepted(const std::string& value) const {
  const auto expect = [&](const std::string& what) {
    throw EngineFailure(
        EngineFailure::Kind::refused,
        printable(name) + " takes " + what + ", not " + printable("\"" + value + "\""));
  };
  const auto in = [&](const auto& known) -> std::string {
    const auto found = std::ranges::find_if(
        known, [&](std::string_view one) { return games::same_ignoring_case(one, value); });
    return found == known.end() ? std::string() : std::string(*found);
  };
  std::string out = value;
  switch (type) {
    case Type::check:
      out = in(std::array<std::string_view, 2>{"true", "false"});
      if (out.empty()) expect("true or false");
      break;
    case Type::spin: {
      const auto number = number_in<std::int64_t>(value);
      if (!number || (min && *number < *min) || (max && *number > *max)) expect(range_text(*this));
      break;
    }
    case Type::combo:
      out = in(choices);
      if (out.empty()) expect("one of " + list_of(choices));
      break;
    case Type::button:
      if (!value.empty() && !games::same_ignoring_case(value, "true"))
        expect("no value but true, to be pressed");
      out.clear();
      break;
    case Type::string:
      break;
  }
  return out;
}

std::string UciOption::command(const std::string& value) const {
  const std::string told = accepted(value);
  return "setoption name " + name + (type == Type::button ? "" : " value " + told);
}

}  // namespace pitboss::clients
