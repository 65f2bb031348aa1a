#include "protocol/tables.hpp"

#include <algorithm>
#include <utility>

#include "protocol/error.hpp"

namespace pitboss::protocol {

namespace {

constexpr std::size_t longest_name = 64;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

}  // namespace

Tables::Tables(const Limits& limits, std::function<void(std::shared_ptr<Table>)> on_gone)
    : limits_(limits), on_gone_(std::move(on_gone)) {}

std::shared_ptr<Table> Tables::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : found->second.table;
}

void Tables::add(std::string_view name, std::shared_ptr<Table> table) {
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, is_name_character)) {
    throw CommandError("syntax error: a name has 1 to 64 letters, digits, '.', '_' or '-'");
  }
  if (places_.size() >= limits_.most) {
    throw CommandError("too many tables (limit " + std::to_string(limits_.most) + ")");
  }
  places_.emplace(name, Place{std::move(table), 0, Clock::now()});
}

std::string_view Tables::name_of(const Table& table) const {
  const auto found = std::ranges::find(places_, &table,
                                       [](const auto& place) { return place.second.table.get(); });
  return found == places_.end() ? std::string_view() : std::string_view(found->first);
}

Tables::Place* Tables::place_of(const Table& table) {
  const auto name = name_of(table);
  return name.empty() ? nullptr : &places_.find(name)->second;
}

void Tables::sit(const Table& table) {
  if (Place* const place = place_of(table)) ++place->sessions;
}

void Tables::leave(std::shared_ptr<Table> table) {
  Place* const place = place_of(*table);
  if (place != nullptr && --place->sessions > 0) return;
  table->turn().ask();
  if (place != nullptr) {
    place->left = Clock::now();
  } else {
    give_up(std::move(table));
  }
}

std::vector<Tables::Row> Tables::rows() const {
  std::vector<Row> rows;
  for (const auto& [name, place] : places_) rows.push_back({name, *place.table, place.sessions});
  return rows;
}

void Tables::expire(Clock::time_point now) {
  for (auto it = places_.begin(); it != places_.end();) {
    Place& place = it->second;
    if (place.sessions > 0 || now < place.left + limits_.keep) {
      ++it;
      continue;
    }
    auto table = std::move(place.table);
    it = places_.erase(it);
    give_up(std::move(table));
  }
}

void Tables::give_up(std::shared_ptr<Table> table) {
  if (on_gone_) on_gone_(std::move(table));
}

}  // namespace pitboss::protocol
