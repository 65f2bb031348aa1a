#include "clients/experiments/match_configuration.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "clients/experiments/time_control.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::ordered_json;

/// What a player is, wherever its engine runs. A program is identified by its command.
ordered_json player_json(const Player& player) {
  ordered_json out{{"name", player.name}, {"options", ordered_json::object()}};
  for (const auto& [name, value] : player.options) out["options"][name] = value;
  if (player.language != Language::pitboss) {
    out["speaks"] = name_of(player.language);
  }
  if (!player.setup.empty()) out["setup"] = player.setup;
  if (player.dialect) out["dialect"] = protocol::dialect_name(*player.dialect);
  if (const auto* const program = std::get_if<Program>(&player.location)) {
    out["program"] = program->command;
  }
  if (player.clock) out["tc"] = text_of(*player.clock);
  return out;
}

Player parse_player_json(const ordered_json& json) {
  Player player;
  player.name = json.at("name");
  for (const auto& [name, value] : json.at("options").items()) {
    player.options.push_back({name, value});
  }
  const auto language = language_named(json.value("speaks", "pitboss"));
  if (!language) throw UserError("a player speaks an unknown protocol");
  player.language = *language;
  if (json.contains("dialect")) {
    player.dialect = protocol::dialect_named(json["dialect"].get<std::string>());
    if (!player.dialect) throw UserError("a player writes moves in an unknown dialect");
  }
  player.setup = json.value("setup", std::vector<std::string>());
  if (json.contains("program")) player.location = Program{json.at("program")};
  if (json.contains("tc")) player.clock = parse_time_control(json.at("tc").get<std::string>());
  return player;
}

ordered_json adjudication_json(const Adjudication& a) {
  ordered_json out = ordered_json::object();
  if (a.resign_moves > 0) out["resign"] = {a.resign_moves, a.resign_value};
  if (a.draw_moves > 0) out["draw"] = {a.draw_moves, a.draw_margin, a.draw_from_ply};
  if (a.exact) out["exact"] = true;
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
  if (json.contains("exact")) a.exact = json["exact"];
  return a;
}

}  // namespace

std::string configuration(const Match& match) {
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
  if (match.has_clock()) out["time_margin_ms"] = match.time_margin.count();
  return out.dump();
}

Match parse_configuration(const std::string& text, const Match* like) {
  const auto json = ordered_json::parse(text, nullptr, false);
  try {
    Match match;
    std::string rules = json.at("game");
    for (const auto& [name, value] : json.at("parameters").items()) {
      rules += " " + name + "=" + value.get<std::string>();
    }
    set_game(match, rules);
    for (const std::size_t i : {0, 1})
      match.players[i] = parse_player_json(json.at("players").at(i));
    const auto openings = json.at("openings").get<std::string>();
    const bool are_known =
        like != nullptr && same_rules(match, *like) && like->openings.text() == openings;
    match.openings =
        are_known ? like->openings : parse_openings(openings, *match.initial_position());
    match.seed = json.at("seed");
    match.max_plies = json.at("max_plies");
    match.adjudication = parse_adjudication(json.at("adjudication"));
    match.move_timeout = std::chrono::milliseconds(json.at("move_timeout_ms").get<std::int64_t>());
    if (json.contains("time_margin_ms")) {
      match.time_margin = std::chrono::milliseconds(json["time_margin_ms"].get<std::int64_t>());
    }
    return match;
  } catch (const ordered_json::exception& e) {
    throw UserError(std::string("a match's configuration is damaged: ") + e.what());
  }
}

}  // namespace pitboss::clients
