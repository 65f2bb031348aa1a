#include "clients/referee/match.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <sstream>

#include "clients/user_error.hpp"
#include "engine/search.hpp"

namespace pitboss::clients {

namespace {

using games::Colour;

/// A number that looks independent for each use and index.
std::uint64_t derived_seed(std::int64_t seed, std::uint64_t use, std::uint64_t index) {
  return games::mix(games::mix(games::mix(static_cast<std::uint64_t>(seed)) + use) + index);
}
constexpr std::uint64_t use_opening = 0;
constexpr std::uint64_t use_engine = 1;  // plus the player's first colour

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

std::pair<std::string, std::string> split_parameter(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw UserError("game parameter \"" + word + "\" is not of the form key=value");
  }
  return {word.substr(0, equals), word.substr(equals + 1)};
}

}  // namespace

std::vector<std::string> seats_in(const Match& match, int game) {
  const Seating seating = seating_of(match, game);
  std::vector<std::string> names;
  for (int c = 0; c < seating.colours(); ++c) {
    names.push_back(match.players[seating.player_of(static_cast<Colour>(c))].name);
  }
  return names;
}

std::vector<std::string> opening_of(const Match& match, int round) {
  return draw_opening(*match.initial_position(), match.openings,
                      derived_seed(match.seed, use_opening, static_cast<std::uint64_t>(round)));
}

std::int64_t engine_seed(const Match& match, int game, int player) {
  const Colour colour = seating_of(match, game).first_seat_of(player);
  const auto& row = engine::option_row("seed");
  const auto low = std::max<std::int64_t>(1, static_cast<std::int64_t>(row.min));
  const auto high = static_cast<std::int64_t>(std::min(row.max, 2147483647.0));
  const std::uint64_t seed =
      derived_seed(match.seed, use_engine + games::index(colour), static_cast<std::uint64_t>(game));
  return low + static_cast<std::int64_t>(seed % static_cast<std::uint64_t>(high - low + 1));
}

Sides sides_of(const Match& match) {
  Sides sides{{match.players[0].name, match.players[1].name}, {}};
  for (const std::string_view colour : match.colours) {
    sides.letters += static_cast<char>(std::toupper(static_cast<unsigned char>(colour.front())));
  }
  return sides;
}

void set_game(Match& match, std::string_view text, const std::vector<std::string>& more) {
  std::istringstream words{std::string(text)};
  std::string word;
  if (!(words >> match.game)) throw UserError("the name of a game is expected");
  match.parameters = {};
  try {
    while (words >> word) {
      const auto [key, value] = split_parameter(word);
      match.parameters.set(key, value);
    }
    for (const std::string& parameter : more) {
      const auto [key, value] = split_parameter(parameter);
      match.parameters.set(key, value);
    }
    const auto position = match.initial_position();
    match.game = position->name();
    match.parameters = position->parameters();
    match.colours = position->colours();
  } catch (const games::BadGame& e) {
    throw UserError(e.what());
  }
}

Player parse_player(std::string_view text, const std::vector<Address>& servers,
                    std::size_t default_server) {
  const std::string where = "player \"" + std::string(text) + "\": ";
  Player player;
  std::optional<Address> server;
  engine::Options scratch;
  try {
    for (const auto& [key, value] : engine::parse_assignments(text)) {
      if (key == "name") {
        if (!player.name.empty()) throw UserError("the name is given twice");
        if (!is_name(value) || value == "draw") {
          throw UserError("a name is up to 64 of A-Z a-z 0-9 _ . - (and not \"draw\")");
        }
        player.name = value;
      } else if (key == "server") {
        if (server) throw UserError("the server is given twice");
        server = parse_server(value, servers);
      } else {
        player.options.push_back({std::string(engine::option_row(key).name), value});
      }
    }
    if (player.name.empty()) throw UserError("name=... is missing");
    if (!server && servers.empty()) throw UserError("no server is given");
    player.server = server ? *server : servers[default_server % servers.size()];

    std::ranges::stable_partition(player.options,
                                  [](const auto& option) { return option.name == "preset"; });
    for (const auto& [name, value] : player.options) {
      if (name == "seed") throw UserError("the seed is the match's; it is derived from --seed");
      const auto is_same = [&](const auto& option) { return option.name == name; };
      if (std::ranges::count_if(player.options, is_same) > 1) {
        throw UserError(name + " is given twice");
      }
      engine::set_option(scratch, name, value);
    }
    static_cast<void>(engine::limits_of(scratch));
  } catch (const engine::BadOption& e) {
    throw UserError(where + e.what());
  } catch (const UserError& e) {
    throw UserError(where + e.what());
  }
  return player;
}

nlohmann::ordered_json configuration(const Match& match) {
  nlohmann::ordered_json out;
  out["format"] = 2;  // of games.csv, too
  out["game"] = match.game;
  out["parameters"] = nlohmann::ordered_json::object();
  for (const auto& [name, text] : match.parameters.values()) out["parameters"][name] = text;
  out["players"] = nlohmann::ordered_json::array();
  for (const Player& player : match.players) {
    nlohmann::ordered_json options = nlohmann::ordered_json::object();
    for (const auto& [name, value] : player.options) options[name] = value;
    out["players"].push_back({{"name", player.name}, {"options", options}});
  }
  out["openings"] = match.openings.text();
  out["seed"] = match.seed;
  out["max_plies"] = match.max_plies;
  out["move_timeout_ms"] = match.move_timeout.count();
  return out;
}

}  // namespace pitboss::clients
