#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>

namespace pitboss::tests {

/// Hex on at most 5x5 points, solved by trying all lines; point (x, y) is bit size * y + x. Shares
/// nothing with the solver that it is to check.
class PlainHex {
 public:
  explicit PlainHex(int size) : size_(size), all_((1U << size * size) - 1) {}

  /// Whether `mover`, 0 for black, wins. Nobody has won yet, or the enemy has.
  [[nodiscard]] bool wins(std::uint32_t black, std::uint32_t white, int mover) {
    if (joins(mover == 0 ? white : black, 1 - mover)) return false;
    const std::uint64_t key =
        std::uint64_t{black} << 32U | std::uint64_t{white} << 1U | static_cast<unsigned>(mover);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    bool wins = false;
    for (std::uint32_t left = all_ & ~(black | white); left != 0 && !wins; left &= left - 1) {
      const std::uint32_t stone = left & -left;
      wins =
          mover == 0 ? !this->wins(black | stone, white, 1) : !this->wins(black, white | stone, 0);
    }
    return known_[key] = wins;
  }
  /// Black joins the lowest row with the highest, white the first column with the last.
  [[nodiscard]] bool joins(std::uint32_t stones, int colour) const {
    std::uint32_t reached = 0;
    std::uint32_t end = 0;
    for (int i = 0; i < size_; ++i) {
      reached |= 1U << (colour == 0 ? i : i * size_);
      end |= 1U << (colour == 0 ? (size_ - 1) * size_ + i : i * size_ + size_ - 1);
    }
    reached &= stones;
    for (std::uint32_t before = 0; before != reached;) {
      before = reached;
      for (int p = 0; p < size_ * size_; ++p) {
        if ((reached >> p & 1U) != 0) reached |= near(p) & stones;
      }
    }
    return (reached & end) != 0;
  }
  [[nodiscard]] std::uint32_t all() const { return all_; }

 private:
  [[nodiscard]] std::uint32_t near(int p) const {
    constexpr std::array<std::array<int, 2>, 6> steps{
        {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}}};
    std::uint32_t points = 0;
    for (const auto& [dx, dy] : steps) {
      const int x = p % size_ + dx;
      const int y = p / size_ + dy;
      if (0 <= x && x < size_ && 0 <= y && y < size_) points |= 1U << (size_ * y + x);
    }
    return points;
  }

  int size_;
  std::uint32_t all_;
  std::unordered_map<std::uint64_t, bool> known_;
};

}  // namespace pitboss::tests
