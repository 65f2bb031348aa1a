#include "engine/action_table.hpp"

#include <algorithm>

#include "games/random.hpp"

namespace pitboss::engine {

ActionTable::ActionTable() : entries_(size) {}

void ActionTable::clear() { std::ranges::fill(entries_, Entry{}); }

std::uint64_t ActionTable::key_of(games::Move move, games::Colour mover) {
  return (std::uint64_t{games::code(move)} << 3) + static_cast<std::uint64_t>(mover) + 1;
}

const ActionTable::Entry* ActionTable::find(std::uint64_t key) const {
  const std::uint64_t home = games::mix(key);
  for (int i = 0; i < most_probes; ++i) {
    const Entry& entry = entries_[(home + i) % size];
    if (entry.key == key || entry.key == 0) return &entry;
  }
  return nullptr;
}

ActionTable::Mean ActionTable::of(games::Move move, games::Colour mover) const {
  const Entry* const entry = find(key_of(move, mover));
  return entry == nullptr ? Mean{} : entry->mean;
}

void ActionTable::add(games::Move move, games::Colour mover, double value) {
  const std::uint64_t key = key_of(move, mover);
  const Entry* const found = find(key);
  if (found == nullptr) return;
  Entry& entry = entries_[static_cast<std::size_t>(found - entries_.data())];
  entry.key = key;
  ++entry.mean.count;
  entry.mean.value +=
      (static_cast<float>(value) - entry.mean.value) / static_cast<float>(entry.mean.count);
}

}  // namespace pitboss::engine
