#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace pitboss::engine {

/// The table of a solver: as many entries as fit into some bytes, a power of two, all of them zero
/// at first. The system hands its memory out as it is written, so that a large table costs no time.
template <class Entry>
class ZeroedTable {
  static_assert(std::is_trivially_copyable_v<Entry>);

 public:
  /// Has `least` entries if the bytes do not suffice for so many. Throws std::bad_alloc.
  explicit ZeroedTable(std::size_t bytes, std::size_t least = 1)
      : size_(std::bit_floor(std::max(bytes / sizeof(Entry), least))),
        // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): new would write all of it
        entries_(static_cast<Entry*>(std::calloc(size_, sizeof(Entry)))) {
    if (!entries_) throw std::bad_alloc();
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Entry& operator[](std::size_t i) { return entries_.get()[i]; }
  [[nodiscard]] const Entry& operator[](std::size_t i) const { return entries_.get()[i]; }

 private:
  struct Free {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): of std::calloc
    void operator()(Entry* entries) const { std::free(entries); }
  };
  std::size_t size_;
  std::unique_ptr<Entry, Free> entries_;
};

}  // namespace pitboss::engine
