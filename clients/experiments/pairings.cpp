#include "clients/experiments/pairings.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

using Pairings = std::vector<Pairing>;
using Players = std::vector<PlayerSettings>;

const PlayerSettings& player_named(const Setting& setting, const Players& players) {
  const auto found = std::ranges::find(players, setting.text(), &PlayerSettings::name);
  if (found != players.end()) return *found;
  std::vector<std::string_view> names;
  for (const PlayerSettings& other : players) names.push_back(other.name());
  setting.refuse("there is no player \"" + setting.text() + "\"" +
                 games::suggestion(setting.text(), names));
}

Pairings round_robin(const Players& players) {
  Pairings all;
  for (std::size_t i = 0; i < players.size(); ++i) {
    for (std::size_t j = i + 1; j < players.size(); ++j) {
      all.emplace_back(&players[i], &players[j]);
    }
  }
  return all;
}

Pairings pairs_against(const PlayerSettings& one, const Players& players) {
  Pairings all;
  for (const PlayerSettings& other : players) {
    if (&other != &one) all.emplace_back(&other, &one);
  }
  return all;
}

Pairings listed_pairs(const Setting& setting, const Players& players) {
  Pairings all;
  for (const Setting& pair : setting.list()) {
    if (!pair.is_list() || pair.list().size() != 2) {
      pair.refuse(R"(expected a pair of players' names, as in ["A", "B"])");
    }
    const Pairing one{&player_named(pair.list()[0], players),
                      &player_named(pair.list()[1], players)};
    if (one.first == one.second) pair.refuse("a player cannot play against itself");
    const auto is_same = [&](const Pairing& other) {
      return other == one || other == Pairing{one.second, one.first};
    };
    if (std::ranges::any_of(all, is_same)) pair.refuse("this pair is listed twice");
    all.push_back(one);
  }
  if (all.empty()) setting.refuse("no pair is listed");
  return all;
}

}  // namespace

std::vector<Pairing> pairings_of(const Setting& file, const std::vector<PlayerSettings>& players) {
  const Setting* const setting = file.find("pairings");
  if (setting == nullptr) return round_robin(players);
  if (setting->is_list()) return listed_pairs(*setting, players);
  if (setting->is_table()) {
    setting->expect_keys({"against"});
    return pairs_against(player_named(setting->at("against"), players), players);
  }
  if (!setting->is_text() || (setting->text() != "round-robin" && setting->text() != "gauntlet")) {
    setting->refuse(
        "expected \"round-robin\", \"gauntlet\", { against = \"NAME\" }, or a list of pairs of "
        "names");
  }
  if (setting->text() == "round-robin") return round_robin(players);
  Pairings all;
  for (std::size_t j = 1; j < players.size(); ++j) {
    all.emplace_back(&players.front(), &players[j]);
  }
  return all;
}

}  // namespace pitboss::clients
