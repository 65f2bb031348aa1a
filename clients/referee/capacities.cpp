#include "clients/referee/capacities.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <variant>

namespace pitboss::clients {

namespace {

std::set<std::string> locations_of(const Match& match) {
  std::set<std::string> locations;
  for (const Player& player : match.players) {
    locations.insert(text_of(player.location));
    if (std::holds_alternative<Program>(player.location)) {
      locations.insert(Capacities::this_machine);
    }
  }
  return locations;
}

}  // namespace

Capacities::Capacities(int games, std::map<std::string, int> limits)
    : games_(games), limits_(std::move(limits)) {}

Capacities::Room& Capacities::room(const std::string& location) {
  const auto found = limits_.find(location);
  const int most = found == limits_.end() ? games_ : found->second;
  return rooms_.try_emplace(location, Room{.most = most, .limit = most}).first->second;
}

void Capacities::limit(const std::string& location, int games) {
  Room& r = room(location);
  r.most = r.limit = std::min(r.most, games);
}

int Capacities::room_for(const Match& match, Time now) {
  int games = std::numeric_limits<int>::max();
  for (const std::string& location : locations_of(match)) {
    Room& r = room(location);
    if (r.limit < r.most && now >= r.until) {
      ++r.limit;
      r.until = now + rest;
    }
    games = std::min(games, r.is_down ? 0 : r.limit - r.taken);
  }
  return std::max(games, 0);
}

void Capacities::take(const Match& match) {
  for (const std::string& location : locations_of(match)) ++room(location).taken;
}

void Capacities::give_back(const Match& match) {
  for (const std::string& location : locations_of(match)) --room(location).taken;
}

int Capacities::refuse(const std::string& location, Time now) {
  Room& r = room(location);
  if (r.taken <= 1) return 0;
  r.limit = std::min(r.limit, r.taken - 1);
  r.until = now + rest;
  return r.limit;
}

void Capacities::mark_down(const std::string& location, Time now) {
  Room& r = room(location);
  if (!r.is_down) r.down_since = now;
  r.is_down = true;
}

void Capacities::mark_up(const std::string& location) { room(location).is_down = false; }

bool Capacities::is_down(const std::string& location) const {
  const auto found = rooms_.find(location);
  return found != rooms_.end() && found->second.is_down;
}

bool Capacities::is_down(const Match& match) const {
  return std::ranges::any_of(locations_of(match),
                             [&](const std::string& location) { return is_down(location); });
}

Capacities::Time Capacities::down_since(const std::string& location) const {
  const auto found = rooms_.find(location);
  return found != rooms_.end() && found->second.is_down ? found->second.down_since : Time::min();
}

}  // namespace pitboss::clients
