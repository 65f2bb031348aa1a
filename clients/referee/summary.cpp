#include "clients/referee/summary.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace pitboss::clients {

namespace {

using nlohmann::ordered_json;

ordered_json tally_json(const Tally& tally) {
  const Interval interval = score_interval(tally.points(), tally.games());
  return {{"games", tally.games()}, {"wins", tally.wins},
          {"draws", tally.draws},   {"losses", tally.losses},
          {"score", tally.score()}, {"interval", {interval.low, interval.high}}};
}

ordered_json player_json(const Match& match, int number, const Standings& standings) {
  const Player& player = match.players[number];
  ordered_json out{{"name", player.name}, {"options", ordered_json::object()}};
  for (const auto& [name, value] : player.options) out["options"][name] = value;
  out.update(tally_json(standings.tally(number)));
  for (std::size_t c = 0; c < match.colours.size(); ++c) {
    out[std::string(match.colours[c])] =
        tally_json(standings.tally(number, static_cast<games::Colour>(c)));
  }
  out["resignations"] = standings.resignations(number);
  out["failures"] = standings.failures(number);
  return out;
}

template <class... Values>
std::string format(const char* pattern, Values... values) {
  const int size = std::snprintf(nullptr, 0, pattern, values...);
  std::string out(static_cast<std::size_t>(size), '\0');
  std::snprintf(out.data(), out.size() + 1, pattern, values...);
  return out;
}

std::string options_text(const Player& player) {
  std::string out;
  for (const auto& [name, value] : player.options) {
    if (!out.empty()) out += ' ';
    out += name;
    out += '=';
    out += value;
  }
  return out.empty() ? "server's defaults" : out;
}

std::string row(const char* key, const std::string& value) {
  return format("%-10s %s\n", key, value.c_str());
}

/// A line a player, with what its seats of each colour have earned.
std::string scores_table(const Match& match, const Standings& standings) {
  const auto width = static_cast<int>(
      std::max({std::size_t{6}, match.players[0].name.size(), match.players[1].name.size()}));
  std::string out = format("%-*s %6s %6s %6s %7s  %-15s", width, "player", "wins", "draws",
                           "losses", "score %", "95 % interval");
  for (const std::string_view colour : match.colours) {
    out += format(" %8s", (std::string(colour) + " %").c_str());
  }
  for (const int i : {0, 1}) {
    const Tally& tally = standings.tally(i);
    const Interval interval = score_interval(tally.points(), tally.games());
    const std::string bounds = format("[%.2f, %.2f]", 100 * interval.low, 100 * interval.high);
    out += format("\n%-*s %6d %6d %6d %7.2f  %-15s", width, match.players[i].name.c_str(),
                  tally.wins, tally.draws, tally.losses, 100 * tally.score(), bounds.c_str());
    for (std::size_t c = 0; c < match.colours.size(); ++c) {
      out += format(" %8.2f", 100 * standings.tally(i, static_cast<games::Colour>(c)).score());
    }
  }
  return out + "\n";
}

}  // namespace

std::string summary_json(const Match& match, const Standings& standings) {
  ordered_json out;
  out["game"] = match.game;
  out["parameters"] = ordered_json::object();
  for (const auto& [name, text] : match.parameters.values()) out["parameters"][name] = text;
  out["openings"] = match.openings.text();
  out["seed"] = match.seed;
  out["complete"] = standings.games() == match.games;
  // The score is the first player's.
  out.update(tally_json(standings.tally(0)));
  out["distinct_games"] = standings.distinct();
  out["failures"] = standings.forfeits();
  out["players"] = ordered_json::array();
  for (const int i : {0, 1}) out["players"].push_back(player_json(match, i, standings));
  return out.dump(2) + "\n";
}

std::string score_text(const Tally& tally) {
  const Interval interval = score_interval(tally.points(), tally.games());
  return format("%d-%d-%d, %.1f %% [%.1f, %.1f]", tally.wins, tally.draws, tally.losses,
                100 * tally.score(), 100 * interval.low, 100 * interval.high);
}

std::string summary_table(const Match& match, const Standings& standings) {
  const std::string parameters = match.parameters.line();
  std::string out = row("game", match.game + (parameters.empty() ? "" : " " + parameters));
  for (const Player& player : match.players) {
    out += row(player.name.c_str(), options_text(player));
  }
  out += row("openings", match.openings.summary() + ", seed " + std::to_string(match.seed));
  out += row("games", std::to_string(standings.games()) + " of " + std::to_string(match.games) +
                          ", " + std::to_string(standings.distinct()) + " distinct");
  out += "\n";

  out += scores_table(match, standings);
  out += "\n";

  if (standings.forfeits() == 0) out += row("failures", "none");
  for (const int i : {0, 1}) {
    for (const auto& [reason, count] : standings.failures(i)) {
      out += row("failures", match.players[i].name + ": " + reason + ", " + std::to_string(count));
    }
  }
  return out;
}

}  // namespace pitboss::clients
