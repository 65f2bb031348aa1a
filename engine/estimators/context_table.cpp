#include "engine/estimators/context_table.hpp"

#include <algorithm>
#include <bit>

namespace pitboss::engine {

namespace {

constexpr std::size_t least_lines = 1024;  // 64 KiB

}  // namespace

void ContextTable::reset(std::size_t bytes) {
  const std::size_t most = std::max(least_lines, std::bit_floor(bytes / sizeof(Line)));
  if (most != most_) {
    lines_ = std::make_unique_for_overwrite<Line[]>(most);
    most_ = most;
    written_ = least_lines;
  }
  mask_ = least_lines - 1;
  std::fill_n(lines_.get(), least_lines, Line{});
  entries_ = 0;
  evictions_ = 0;
}

/// The key's place in its line; else a free place or, without one, the least sampled entry's.
int ContextTable::way_for(const Line& line, std::uint64_t key) {
  int chosen = 0;
  for (int i = 0; i < ways; ++i) {
    if (line.key[i] == key) return i;
    if (line.mean[i].count < line.mean[chosen].count) chosen = i;
  }
  return chosen;
}

/// Whether the table should grow because full lines are likely. An eviction counts as sixteen
/// entries: an evicted move looks new, so it is played first, returns and evicts another entry of
/// its line, until the table grows.
bool ContextTable::is_crowded() const {
  return entries_ + 16 * static_cast<std::size_t>(evictions_) > lines_in_use();
}

void ContextTable::add(std::uint64_t key, double value) {
  Line* line = &lines_[place(key)];
  int way = way_for(*line, key);
  if (line->key[way] != key) {
    if (line->key[way] != 0 && is_crowded() && lines_in_use() < most_) {
      grow();
      line = &lines_[place(key)];
      way = way_for(*line, key);
    }
    if (line->key[way] == 0) {
      ++entries_;
    } else {
      ++evictions_;
    }
    line->key[way] = key;
    line->mean[way] = {};
  }
  Mean& mean = line->mean[way];
  mean.count += 1;
  mean.value += (static_cast<float>(value) - mean.value) / std::min(mean.count, most_divided);
}

double ContextTable::samples() const {
  double sum = 0;
  for (std::size_t i = 0; i < lines_in_use(); ++i) {
    for (const Mean& mean : lines_[i].mean) sum += static_cast<double>(mean.count);
  }
  return sum;
}

/// Doubles the lines. An entry stays in its line, or moves to the same place of the line whose
/// number is higher by the old number of lines.
void ContextTable::grow() {
  const std::size_t before = lines_in_use();
  for (std::size_t i = 0; i < before; ++i) {
    Line& here = lines_[i];
    Line& there = lines_[i + before];
    for (int way = 0; way < ways; ++way) {  // without branches, as in `of`
      const std::uint64_t key = here.key[way];
      const auto mean = std::bit_cast<std::uint64_t>(here.mean[way]);
      const auto goes = std::uint64_t{0} - static_cast<std::uint64_t>((key & before) != 0);
      here.key[way] = key & ~goes;
      here.mean[way] = std::bit_cast<Mean>(mean & ~goes);
      there.key[way] = key & goes;
      there.mean[way] = std::bit_cast<Mean>(mean & goes);
    }
  }
  mask_ = 2 * before - 1;
  written_ = std::max(written_, lines_in_use());
}

}  // namespace pitboss::engine
