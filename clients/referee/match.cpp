#include "clients/referee/match.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "clients/referee/derived_seed.hpp"
#include "clients/user_error.hpp"
#include "engine/options.hpp"

namespace pitboss::clients {

namespace {

using games::Colour;

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
  return draw_opening(*match.initial_position(), match.openings, match.seed, round);
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
