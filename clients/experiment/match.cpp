#include "clients/experiment/match.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "clients/experiment/derived_seed.hpp"
#include "clients/user_error.hpp"
#include "engine/options/options.hpp"

namespace pitboss::clients {

namespace {

using games::Colour;
using nlohmann::ordered_json;

/// What a player is, wherever its engine runs. A program is its command.
ordered_json player_json(const Player& player) {
  ordered_json out{{"name", player.name}, {"options", ordered_json::object()}};
  for (const auto& [name, value] : player.options) out["options"][name] = value;
  if (player.dialect != Dialect::pitboss) {
    out["speaks"] = name_of(player.dialect);
  }
  if (!player.setup.empty()) out["setup"] = player.setup;
  if (const auto* const program = std::get_if<Program>(&player.place)) {
    out["program"] = program->command;
  }
  return out;
}

Player parse_player_json(const ordered_json& json) {
  Player player;
  player.name = json.at("name");
  for (const auto& [name, value] : json.at("options").items()) {
    player.options.push_back({name, value});
  }
  const auto dialect = dialect_named(json.value("speaks", "pitboss"));
  if (!dialect) throw UserError("a player speaks an unknown dialect");
  player.dialect = *dialect;
  player.setup = json.value("setup", std::vector<std::string>());
  if (json.contains("program")) player.place = Program{json.at("program")};
  return player;
}

ordered_json adjudication_json(const Adjudication& a) {
  ordered_json out = ordered_json::object();
  if (a.resign_moves > 0) out["resign"] = {a.resign_moves, a.resign_value};
  if (a.draw_moves > 0) out["draw"] = {a.draw_moves, a.draw_margin, a.draw_from_ply};
  return out;
}

Adjudication parse_adjudication(const ordered_json& json) {
  Adjudication a;
  if (json.contains("resign")) {
    a.resign_moves = json["resign"].at(0);
    a.resign_value = json["resign"].at(1);
  }
  if (json.contains("draw")) {
    a.draw_moves = json["draw"].at(0);
    a.draw_margin = json["draw"].at(1);
    a.draw_from_ply = json["draw"].at(2);
  }
  return a;
}

}  // namespace

std::string rules_text(const Match& match) {
  const std::string parameters = match.parameters.line();
  return match.game + (parameters.empty() ? "" : " " + parameters);
}

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
  if (!(words >> match.game)) throw UserError("the name of a game is expected");
  std::string rest;
  std::getline(words, rest, '\0');
  try {
    match.parameters = games::parse_parameters(rest);
    for (const std::string& word : more) {
      const games::Parameters parameters = games::parse_parameters(word);
      for (const auto& [key, value] : parameters.values()) match.parameters.set(key, value);
    }
    const auto position = match.initial_position();
    match.game = position->name();
    match.parameters = position->parameters();
    match.colours = position->colours();
  } catch (const games::BadGame& e) {
    throw UserError(e.what());
  }
}

ordered_json configuration(const Match& match) {
  ordered_json out;
  out["game"] = match.game;
  out["parameters"] = ordered_json::object();
  for (const auto& [name, text] : match.parameters.values()) out["parameters"][name] = text;
  out["players"] = ordered_json::array();
  for (const Player& player : match.players) out["players"].push_back(player_json(player));
  out["openings"] = match.openings.text();
  out["seed"] = match.seed;
  out["max_plies"] = match.max_plies;
  out["adjudication"] = adjudication_json(match.adjudication);
  out["move_timeout_ms"] = match.move_timeout.count();
  return out;
}

Match parse_configuration(const ordered_json& json) {
  try {
    Match match;
    std::string rules = json.at("game");
    for (const auto& [name, text] : json.at("parameters").items()) {
      rules += " " + name + "=" + text.get<std::string>();
    }
    set_game(match, rules);
    for (const std::size_t i : {0, 1})
      match.players[i] = parse_player_json(json.at("players").at(i));
    match.openings =
        parse_openings(json.at("openings").get<std::string>(), *match.initial_position());
    match.seed = json.at("seed");
    match.max_plies = json.at("max_plies");
    match.adjudication = parse_adjudication(json.at("adjudication"));
    match.move_timeout = std::chrono::milliseconds(json.at("move_timeout_ms").get<std::int64_t>());
    return match;
  } catch (const ordered_json::exception& e) {
    throw UserError(std::string("a match's configuration is damaged: ") + e.what());
  }
}

}  // namespace pitboss::clients
