#include "clients/experiments/player.hpp"

#include <algorithm>
#include <array>

#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/time_control.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

/// In the order of their values.
constexpr std::array<std::string_view, 5> language_names{"pitboss", "gtp", "uci", "gomocup",
                                                         "nboard"};

}  // namespace

std::string_view name_of(Language language) {
  return language_names[static_cast<std::size_t>(language)];
}

std::optional<Language> language_named(std::string_view name) {
  for (std::size_t i = 0; i < language_names.size(); ++i) {
    if (language_names[i] == name) return static_cast<Language>(i);
  }
  return std::nullopt;
}

std::string all_languages() {
  std::string out;
  for (const std::string_view name : language_names) {
    if (!out.empty()) out += name == language_names.back() ? " or " : ", ";
    out += "\"" + std::string(name) + "\"";
  }
  return out;
}

std::string text_of(const Location& location) {
  if (const auto* const address = std::get_if<Address>(&location)) return address->text();
  return shell_text(std::get<Program>(location).command);
}

std::string setup_key(const Player& player) {
  std::string out = text_of(player.location) + '\n';
  out += std::to_string(static_cast<int>(player.language)) + '\n';
  for (const auto& [name, value] : player.options) out += name + '=' + value + '\n';
  for (const std::string& command : player.setup) out += command + '\n';
  if (player.dialect) out += protocol::dialect_name(*player.dialect);
  if (player.clock) out += "\ntc=" + text_of(*player.clock);
  return out;
}

void check_name(std::string_view name) {
  if (!is_name(name) || name == "draw") {
    throw UserError("a name must have 1 to 64 of A-Z a-z 0-9 _ . - and must not be \"draw\"");
  }
}

}  // namespace pitboss::clients
