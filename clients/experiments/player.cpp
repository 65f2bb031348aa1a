#include "clients/experiments/player.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "clients/experiments/time_control.hpp"
#include "clients/experiments/user_error.hpp"
#include "engine/search.hpp"

namespace pitboss::clients {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

Address parse_server(std::string_view text, const std::vector<Address>& servers) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return parse_address(text);
  if (number >= servers.size()) {
    throw UserError("there is no server " + std::string(text) + "; " +
                    std::to_string(servers.size()) + " are given, counted from 0");
  }
  return servers[number];
}

/// In the order of their values.
constexpr std::array<std::string_view, 3> language_names{"pitboss", "gtp", "uci"};

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

std::string text_of(const Location& location) {
  if (const auto* const address = std::get_if<Address>(&location)) return address->text();
  std::string out;
  for (const std::string& word : std::get<Program>(location).command) {
    out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

std::string setup_key(const Player& player) {
  std::string out = text_of(player.location) + '\n';
  out += std::to_string(static_cast<int>(player.language)) + '\n';
  for (const auto& [name, value] : player.options) out += name + '=' + value + '\n';
  for (const std::string& command : player.setup) out += command + '\n';
  if (player.clock) out += "tc=" + text_of(*player.clock) + '\n';
  return out;
}

void check_name(std::string_view name) {
  if (!is_name(name) || name == "draw") {
    throw UserError("a name is up to 64 of A-Z a-z 0-9 _ . - (and not \"draw\")");
  }
}

void set_options(Player& player, std::vector<engine::Assignment> options) {
  try {
    for (auto& [name, value] : options) name = engine::option_row(name).name;
    std::ranges::stable_partition(options,
                                  [](const auto& option) { return option.name == "preset"; });
    engine::Options scratch;
    for (const auto& [name, value] : options) {
      if (name == "seed") throw UserError("the seed is the match's; it is derived from --seed");
      const auto is_same = [&](const auto& option) { return option.name == name; };
      if (std::ranges::count_if(options, is_same) > 1) throw UserError(name + " is given twice");
      engine::set_option(scratch, name, value);
    }
    if (!player.clock) static_cast<void>(engine::limits_of(scratch));
  } catch (const engine::BadOption& e) {
    throw UserError(e.what());
  }
  player.options = std::move(options);
}

Player parse_player(std::string_view text, const std::vector<Address>& servers,
                    std::size_t default_server) {
  Player player;
  std::optional<Address> server;
  std::vector<engine::Assignment> options;
  try {
    for (auto& [key, value] : engine::parse_assignments(text)) {
      if (key == "name") {
        if (!player.name.empty()) throw UserError("the name is given twice");
        check_name(value);
        player.name = value;
      } else if (key == "server") {
        if (server) throw UserError("the server is given twice");
        server = parse_server(value, servers);
      } else if (key == "tc") {
        if (player.clock) throw UserError("tc is given twice");
        player.clock = parse_time_control(value);
      } else {
        options.push_back({key, value});
      }
    }
    if (player.name.empty()) throw UserError("name=... is missing");
    if (!server && servers.empty()) throw UserError("no server is given");
    player.location = server ? *server : servers[default_server % servers.size()];
    set_options(player, std::move(options));
  } catch (const engine::BadOption& e) {
    throw UserError("player \"" + std::string(text) + "\": " + e.what());
  } catch (const UserError& e) {
    throw UserError("player \"" + std::string(text) + "\": " + e.what());
  }
  return player;
}

bool uses_network(const Player& player) {
  if (player.language != Language::pitboss) return false;
  engine::Options options;
  for (const auto& [name, value] : player.options) engine::set_option(options, name, value);
  return options.evaluation == engine::EvaluatorKind::network;
}

}  // namespace pitboss::clients
