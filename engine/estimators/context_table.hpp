#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace pitboss::engine {

/// Mean results of moves in contexts, by 64-bit keys: N(context, action) and Q(context, action) of
/// one abstractor (ME-MCTS, eqs. 1 to 3). Four entries share a cache line; where all four are taken
/// a new entry takes the place of the least sampled, which up to the bound happens to few.
///
/// Begins small and doubles while it fills, in memory that is the system's until it is written to:
/// so that there are never two tables at once, and to empty a large one takes no time. What it does
/// depends on nothing but what has been added since it was emptied. Key 0 is not to be used.
class ContextTable {
 public:
  struct Mean {
    float value;
    float count;  ///< stays at 2^24
  };

  /// Comes before all else. Empties the table; it may take up to `bytes` from now on, rounded down
  /// to a power of two, but at least 64 KiB. May throw std::bad_alloc; then the table is as it was.
  void reset(std::size_t bytes);

  /// Reads the key's cache line ahead of `of`.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&lines_[place(key)]); }
  /// Count 0 if the key is not known.
  [[nodiscard]] Mean of(std::uint64_t key) const {
    // Without branches: where in its line a key is, and whether it is, nobody can foretell.
    const Line& line = lines_[place(key)];
    std::uint64_t found = 0;
    for (int i = 0; i < ways; ++i) {
      const auto same = std::uint64_t{0} - static_cast<std::uint64_t>(line.key[i] == key);
      found |= same & std::bit_cast<std::uint64_t>(line.mean[i]);
    }
    return std::bit_cast<Mean>(found);
  }
  /// Adds a sample in [0, 1]. From 65536 samples on the mean follows the later ones: the share of
  /// one must stay well above the rounding of a float.
  void add(std::uint64_t key, double value);

  /// What has ever been written to of the memory it may take.
  [[nodiscard]] std::size_t bytes() const { return written_ * sizeof(Line); }
  [[nodiscard]] std::size_t entries() const { return entries_; }
  /// Of all entries together; looks at every one.
  [[nodiscard]] double samples() const;
  /// How many entries have had to make room since the last reset.
  [[nodiscard]] std::int64_t evictions() const { return evictions_; }

 private:
  static constexpr int ways = 4;
  static constexpr float most_divided = 65536;  ///< what a sample is divided by, at most
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
  std::size_t most_ = 0;     ///< lines that there may be
  std::size_t written_ = 0;  ///< lines that have been in use since there is memory for them
  std::size_t entries_ = 0;
  std::int64_t evictions_ = 0;
};

}  // namespace pitboss::engine
