#include "server/session/tables.hpp"

#include <algorithm>
#include <utility>

#include "protocol/limit.hpp"

namespace pitboss::server {

namespace {

constexpr std::size_t longest_name = 64;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

/// Whether somebody sits at the table who may play there.
bool has_player(const Table& table) {
  return std::ranges::any_of(table.seated(), [&](const protocol::Identity& client) {
    return table.ownership().lets_play(client);
  });
}

}  // namespace

Tables::Tables(const TableLimits& limits, std::function<void(std::shared_ptr<Table>)> on_gone)
    : limits_(limits), on_gone_(std::move(on_gone)) {}

std::shared_ptr<Table> Tables::find(std::string_view name) const {
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second.table;
}

void Tables::add(std::string_view name, std::shared_ptr<Table> table,
                 const protocol::Identity& client) {
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, is_name_character)) {
    throw protocol::CommandError(
        protocol::FailureCode::bad_argument,
        "syntax error: a name has 1 to 64 letters, digits, '.', '_' or '-'");
  }
  if (tables_.size() >= limits_.most) {
    throw protocol::LimitError(protocol::Limit::max_tables,
                               "too many tables (limit " + std::to_string(limits_.most) + ")");
  }
  std::string maker = client.key();
  const auto is_of_client = [&](const auto& entry) { return entry.second.maker == maker; };
  const auto own = static_cast<std::size_t>(std::ranges::count_if(tables_, is_of_client));
  if (own >= limits_.most_of_one) {
    throw protocol::LimitError(
        protocol::Limit::max_tables_per_client,
        "too many tables of one client (limit " + std::to_string(limits_.most_of_one) + ")");
  }
  table->ownership() = {client.name};
  tables_.emplace(name, Entry{std::move(table), std::move(maker), SteadyClock::now()});
}

std::string_view Tables::name_of(const Table& table) const {
  const auto found = std::ranges::find(tables_, &table,
                                       [](const auto& entry) { return entry.second.table.get(); });
  return found == tables_.end() ? std::string_view() : std::string_view(found->first);
}

Tables::Entry* Tables::entry_of(const Table& table) {
  const auto name = name_of(table);
  return name.empty() ? nullptr : &tables_.find(name)->second;
}

void Tables::remove(const Table& table) {
  const auto found = tables_.find(name_of(table));
  if (found == tables_.end()) return;
  found->second.table->ownership().others = protocol::Right::nothing;
  tables_.erase(found);
}

void Tables::leave(std::shared_ptr<Table> table, const protocol::Identity& client) {
  auto& seated = table->seated();
  if (const auto place = std::ranges::find(seated, client); place != seated.end()) {
    seated.erase(place);
  }
  Entry* const entry = entry_of(*table);
  if (entry != nullptr && table->ownership().lets_play(client)) entry->left = SteadyClock::now();
  if (has_player(*table)) return;
  table->turn().ask();
  if (entry == nullptr) give_up(std::move(table));
}

std::vector<Tables::Row> Tables::rows() const {
  std::vector<Row> rows;
  for (const auto& [name, entry] : tables_) rows.push_back({name, *entry.table});
  return rows;
}

std::size_t Tables::expire(SteadyClock::time_point now) {
  std::size_t expired = 0;
  for (auto it = tables_.begin(); it != tables_.end();) {
    Entry& entry = it->second;
    const bool is_used = has_player(*entry.table);
    if (is_used) entry.left = now;
    if (is_used || now < entry.left + limits_.keep) {
      ++it;
      continue;
    }
    auto table = std::move(entry.table);
    it = tables_.erase(it);
    give_up(std::move(table));
    ++expired;
  }
  return expired;
}

void Tables::give_up(std::shared_ptr<Table> table) {
  if (on_gone_) on_gone_(std::move(table));
}

}  // namespace pitboss::server
