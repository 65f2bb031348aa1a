#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace pitboss::engine {

/// Mean results of moves in contexts, by 64-bit keys: N(context, action) and Q(context, action) of
/// one abstractor (ME-MCTS, eqs. 1 to 3). Four entries share a cache line; if all four are taken, a
/// new entry replaces the least sampled one, which is rare until the table has its full size.
///
/// The table begins small and doubles as it fills, within one allocation that gets physical memory
/// as it is written to: growing needs no second table, and emptying a large table takes no time.
/// The contents depend only on the samples added since the table was emptied. Key 0 is reserved.
class ContextTable {
 public:
  struct Mean {
    float value;
    float count;  ///< samples; stops at 2^24
  };

  /// Must be called first. Empties the table and bounds its memory by `bytes`, rounded down to a
  /// power of two, but at least 64 KiB. May throw std::bad_alloc; then the table is unchanged.
  void reset(std::size_t bytes);

  /// Prefetches the key's cache line for `of`.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&lines_[place(key)]); }
  /// The key's mean; its count is 0 if the key is unknown.
  [[nodiscard]] Mean of(std::uint64_t key) const {
    // Without branches, since a processor could not predict the key's place in its line.
    const Line& line = lines_[place(key)];
    std::uint64_t found = 0;
    for (int i = 0; i < ways; ++i) {
      const auto same = std::uint64_t{0} - static_cast<std::uint64_t>(line.key[i] == key);
      found |= same & std::bit_cast<std::uint64_t>(line.mean[i]);
    }
    return std::bit_cast<Mean>(found);
  }
  /// Adds a sample in [0, 1]. From the 65536th sample on, each has a share of 1/65536, well above a
  /// float's rounding, so that the mean follows later samples.
  void add(std::uint64_t key, double value);

  /// Memory that has been written to since the allocation.
  [[nodiscard]] std::size_t bytes() const { return written_ * sizeof(Line); }
  [[nodiscard]] std::size_t entries() const { return entries_; }
  /// The samples of all entries together; reads the whole table.
  [[nodiscard]] double samples() const;
  /// The number of entries replaced since the last reset.
  [[nodiscard]] std::int64_t evictions() const { return evictions_; }

 private:
  static constexpr int ways = 4;
  static constexpr float most_divided = 65536;  ///< largest divisor of a sample
  struct alignas(64) Line {
    std::uint64_t key[ways];  ///< 0: free
    Mean mean[ways];
  };
  static_assert(sizeof(Line) == 64);

  [[nodiscard]] std::size_t place(std::uint64_t key) const { return key & mask_; }
  [[nodiscard]] static int way_for(const Line& line, std::uint64_t key);
  [[nodiscard]] std::size_t lines_in_use() const { return mask_ + 1; }
  [[nodiscard]] bool is_crowded() const;
  void grow();

  std::unique_ptr<Line[]> lines_;
  std::size_t mask_ = 0;     ///< lines in use - 1
  std::size_t most_ = 0;     ///< most lines in use
  std::size_t written_ = 0;  ///< the most lines ever used since the allocation
  std::size_t entries_ = 0;
  std::int64_t evictions_ = 0;
};

}  // namespace pitboss::engine
