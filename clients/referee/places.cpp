#include "clients/referee/places.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace pitboss::clients {

namespace {

std::set<std::string> places_of(const Match& match) {
  return {text_of(match.players[0].place), text_of(match.players[1].place)};
}

}  // namespace

Places::Places(int games, std::map<std::string, int> limits)
    : games_(games), limits_(std::move(limits)) {}

Places::Room& Places::room(const std::string& place) {
  const auto found = limits_.find(place);
  const int most = found == limits_.end() ? games_ : found->second;
  return rooms_.try_emplace(place, Room{.most = most, .limit = most}).first->second;
}

bool Places::has_room(const Match& match, Time now) {
  return std::ranges::all_of(places_of(match), [&](const std::string& place) {
    Room& r = room(place);
    if (r.limit < r.most && now >= r.until) {
      ++r.limit;
      r.until = now + rest;
    }
    return !r.is_down && r.taken < r.limit;
  });
}

void Places::take(const Match& match) {
  for (const std::string& place : places_of(match)) ++room(place).taken;
}

void Places::give_back(const Match& match) {
  for (const std::string& place : places_of(match)) --room(place).taken;
}

int Places::refuse(const std::string& place, Time now) {
  Room& r = room(place);
  if (r.taken <= 1) return 0;
  r.limit = std::min(r.limit, r.taken - 1);
  r.until = now + rest;
  return r.limit;
}

void Places::mark_down(const std::string& place, Time now) {
  Room& r = room(place);
  if (!r.is_down) r.down_since = now;
  r.is_down = true;
}

void Places::mark_up(const std::string& place) { room(place).is_down = false; }

bool Places::is_down(const std::string& place) const {
  const auto found = rooms_.find(place);
  return found != rooms_.end() && found->second.is_down;
}

bool Places::is_down(const Match& match) const {
  return std::ranges::any_of(places_of(match),
                             [&](const std::string& place) { return is_down(place); });
}

Places::Time Places::down_since(const std::string& place) const {
  const auto found = rooms_.find(place);
  return found != rooms_.end() && found->second.is_down ? found->second.down_since : Time::min();
}

}  // namespace pitboss::clients
