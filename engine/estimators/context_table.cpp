#include "engine/estimators/context_table.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace pitboss::engine {

namespace {

constexpr std::size_t least_lines = 1024;  // 64 KiB

}  // namespace

void ContextTable::reset(std::size_t bytes) {
  most_lines_ = std::max(least_lines, std::bit_floor(bytes / sizeof(Line)));
  // A table that has grown in the last search will be needed in the next one.
  lines_.resize(std::clamp(lines_.size(), least_lines, most_lines_));
  mask_ = lines_.size() - 1;
  std::ranges::fill(lines_, Line{});
  entries_ = 0;
  evictions_ = 0;
}

/// The key's entry; a free one, or the least sampled, if it has none.
ContextTable::Entry& ContextTable::entry_for(std::uint64_t key) {
  Line& line = lines_[place(key)];
  Entry* chosen = &line.entry[0];
  for (Entry& entry : line.entry) {
    if (entry.key == key || entry.key == 0) return entry;
    if (entry.mean.count < chosen->mean.count) chosen = &entry;
  }
  return *chosen;
}

void ContextTable::add(std::uint64_t key, double value) {
  Entry* entry = &entry_for(key);
  // Where there is much room elsewhere the line is only an unlucky one.
  const bool crowded = entries_ > lines_.size();
  if (entry->key != key && entry->key != 0 && crowded && lines_.size() < most_lines_) {
    grow();
    entry = &entry_for(key);
  }
  if (entry->key != key) {
    entry->key == 0 ? static_cast<void>(++entries_) : static_cast<void>(++evictions_);
    *entry = {key, {}};
  }
  Mean& mean = entry->mean;
  mean.count += 1;
  mean.value += (static_cast<float>(value) - mean.value) / mean.count;
}

double ContextTable::samples() const {
  double sum = 0;
  for (const Line& line : lines_) {
    for (const Entry& entry : line.entry) sum += static_cast<double>(entry.mean.count);
  }
  return sum;
}

/// Twice the lines: a line's entries go to it or to the one that is new, so that all find room.
/// Without memory for it the table stays as it is, and does not try again.
void ContextTable::grow() {
  std::vector<Line> before;
  try {
    before.resize(lines_.size() * 2);
  } catch (const std::bad_alloc&) {
    most_lines_ = lines_.size();
    return;
  }
  std::swap(before, lines_);
  mask_ = lines_.size() - 1;
  for (const Line& line : before) {
    for (const Entry& entry : line.entry) {
      if (entry.key != 0) entry_for(entry.key) = entry;
    }
  }
}

}  // namespace pitboss::engine
