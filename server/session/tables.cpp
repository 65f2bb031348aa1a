#include "server/session/tables.hpp"

#include <algorithm>
#include <utility>

#include "engine/plain_name.hpp"
#include "protocol/limit.hpp"
#include "server/session/pondering.hpp"

namespace pitboss::server {

namespace {

void check_name(std::string_view name) {
  if (engine::is_plain_name(name)) return;
  throw protocol::CommandError(protocol::FailureCode::bad_argument,
                               "syntax error: a name has 1 to 64 letters, digits, '.', '_' or '-'");
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
  check_name(name);
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
  tables_.emplace(name, Entry{.table = std::move(table),
                              .maker = std::move(maker),
                              .left = SteadyClock::now(),
                              .used = limits_.today()});
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
  if (found->second.is_kept) to_forget_.insert(found->first);
  found->second.table->ownership().others = protocol::Right::nothing;
  tables_.erase(found);
}

void Tables::leave(std::shared_ptr<Table> table, const protocol::Identity& client) {
  auto& seated = table->seated();
  if (const auto place = std::ranges::find(seated, client); place != seated.end()) {
    seated.erase(place);
  }
  Entry* const entry = entry_of(*table);
  if (entry != nullptr && table->ownership().lets_play(client)) {
    entry->left = SteadyClock::now();
    entry->used = limits_.today();
  }
  if (has_player(*table)) return;
  table->turn().ask();
  if (entry == nullptr) give_up(std::move(table));
}

std::vector<Tables::Row> Tables::rows() const {
  std::vector<Row> rows;
  for (const auto& [name, entry] : tables_) rows.push_back({name, *entry.table});
  return rows;
}

void Tables::keep(const Table& table, bool is_kept) {
  Entry& entry = *entry_of(table);
  if (std::exchange(entry.is_kept, is_kept) == is_kept) return;
  entry.saved.clear();
  const std::string name(name_of(table));
  if (is_kept) {
    to_forget_.erase(name);
  } else {
    to_forget_.insert(name);
  }
}

bool Tables::is_kept(const Table& table) const {
  const auto found = tables_.find(name_of(table));
  return found != tables_.end() && found->second.is_kept;
}

std::optional<Tables::Unsaved> Tables::next_unsaved(bool at_end) {
  if (!to_forget_.empty()) return Unsaved{to_forget_.extract(to_forget_.begin()).value()};
  const auto is_kept = [](const auto& entry) { return entry.second.is_kept; };
  auto next = std::find_if(tables_.upper_bound(last_looked_at_), tables_.end(), is_kept);
  if (next == tables_.end()) next = std::ranges::find_if(tables_, is_kept);
  if (next == tables_.end()) return std::nullopt;
  auto& [name, entry] = *next;
  last_looked_at_ = name;
  // Pondering changes nothing that is saved.
  const Turn& turn = entry.table->turn();
  if (!at_end && !turn.is_free() && !Pondering::has(turn)) return std::nullopt;
  std::string text = saved_table(*entry.table, {entry.maker, entry.used});
  if (text == entry.saved) return std::nullopt;
  Unsaved unsaved{name, text};
  entry.saved = std::move(text);
  return unsaved;
}

void Tables::not_saved(const Unsaved& unsaved) {
  const auto found = tables_.find(unsaved.name);
  const bool is_kept = found != tables_.end() && found->second.is_kept;
  if (is_kept) {
    found->second.saved.clear();
  } else {
    to_forget_.insert(unsaved.name);
  }
}

void Tables::restore(const std::string& name, RestoredTable table, std::string text) {
  check_name(name);
  tables_.emplace(name, Entry{.table = std::move(table.table),
                              .maker = std::move(table.use.maker),
                              .left = SteadyClock::now(),
                              .is_kept = true,
                              .used = table.use.last_day.value_or(limits_.today()),
                              .saved = std::move(text)});
}

Tables::Expired Tables::expire(SteadyClock::time_point now) {
  Expired expired;
  const auto today = limits_.today();
  const auto is_over = [&](const Entry& entry) {
    if (!entry.is_kept) return now >= entry.left + limits_.keep;
    return limits_.kept > std::chrono::days::zero() && today >= entry.used + limits_.kept;
  };
  for (auto it = tables_.begin(); it != tables_.end();) {
    Entry& entry = it->second;
    const bool is_used = has_player(*entry.table);
    if (is_used) {
      entry.left = now;
      entry.used = today;
    }
    if (is_used || !is_over(entry)) {
      ++it;
      continue;
    }
    ++(entry.is_kept ? expired.kept : expired.tables);
    if (entry.is_kept) to_forget_.insert(it->first);
    auto table = std::move(entry.table);
    it = tables_.erase(it);
    give_up(std::move(table));
  }
  return expired;
}

void Tables::give_up(std::shared_ptr<Table> table) {
  if (on_gone_) on_gone_(std::move(table));
}

}  // namespace pitboss::server
