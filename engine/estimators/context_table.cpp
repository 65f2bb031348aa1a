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

/// Where in its line the key is; a free place, or that of the least sampled, if it is not there.
int ContextTable::way_for(const Line& line, std::uint64_t key) {
  int chosen = 0;
  for (int i = 0; i < ways; ++i) {
    if (line.key[i] == key || line.key[i] == 0) return i;
    if (line.mean[i].count < line.mean[chosen].count) chosen = i;
  }
  return chosen;
}

void ContextTable::add(std::uint64_t key, double value) {
  Line* line = &lines_[place(key)];
  int way = way_for(*line, key);
  if (line->key[way] != key) {
    // Where there is much room elsewhere the line is only an unlucky one.
    const bool crowded = entries_ > lines_.size();
    if (line->key[way] != 0 && crowded && lines_.size() < most_lines_) {
      grow();
      line = &lines_[place(key)];
      way = way_for(*line, key);
    }
    line->key[way] == 0 ? static_cast<void>(++entries_) : static_cast<void>(++evictions_);
    line->key[way] = key;
    line->mean[way] = {};
  }
  Mean& mean = line->mean[way];
  mean.count += 1;
  mean.value += (static_cast<float>(value) - mean.value) / std::min(mean.count, most_divided);
}

double ContextTable::samples() const {
  double sum = 0;
  for (const Line& line : lines_) {
    for (const Mean& mean : line.mean) sum += static_cast<double>(mean.count);
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
    for (int i = 0; i < ways; ++i) {
      if (line.key[i] == 0) continue;
      Line& now = lines_[place(line.key[i])];
      const int way = way_for(now, line.key[i]);
      now.key[way] = line.key[i];
      now.mean[way] = line.mean[i];
    }
  }
}

}  // namespace pitboss::engine
