#pragma once

#include <cstdint>
#include <vector>

namespace pitboss::tests {

/// Teeko with all markers on the board, solved by retrograde analysis over each placement by
/// itself, with as many moves counted down as each has. Point (x, y) is bit 5 * y + x. Shares
/// nothing with the table that it is to check; takes half a minute, and 450 MB.
class PlainTeeko {
 public:
  PlainTeeko() : number_(1U << 25U) {
    for (std::uint32_t set = 0; set < 1U << 25U; ++set) {
      if (bits_in(set) != 4) continue;
      number_[set] = static_cast<std::uint16_t>(sets_.size());
      sets_.push_back(set);
      wins_.push_back(is_won(set));
    }
    plies_.assign(sets_.size() * sets_.size(), unknown);
    moves_left_.assign(plies_.size(), 0);
    solve();
  }

  static constexpr std::uint8_t unknown = 255;
  [[nodiscard]] const std::vector<std::uint32_t>& sets() const { return sets_; }
  /// In how many plies the side to move has won (odd) or lost (even); `unknown` if neither can be
  /// forced.
  [[nodiscard]] std::uint8_t plies(std::uint32_t own, std::uint32_t enemy) const {
    return plies_[index(own, enemy)];
  }

 private:
  static int bits_in(std::uint32_t set) {
    int bits = 0;
    for (; set != 0; set &= set - 1) ++bits;
    return bits;
  }
  static bool is_won(std::uint32_t set) {
    constexpr int shapes[5][4][2] = {{{0, 0}, {1, 0}, {2, 0}, {3, 0}},
                                     {{0, 0}, {0, 1}, {0, 2}, {0, 3}},
                                     {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
                                     {{0, 3}, {1, 2}, {2, 1}, {3, 0}},
                                     {{0, 0}, {1, 0}, {0, 1}, {1, 1}}};
    for (int x = 0; x < 5; ++x) {
      for (int y = 0; y < 5; ++y) {
        for (const auto& shape : shapes) {
          std::uint32_t made = 0;
          for (const auto& [dx, dy] : shape) {
            if (x + dx < 5 && y + dy < 5) made |= 1U << (5 * (y + dy) + x + dx);
          }
          if (made == set) return true;
        }
      }
    }
    return false;
  }
  [[nodiscard]] std::size_t index(std::uint32_t own, std::uint32_t enemy) const {
    return number_[own] * sets_.size() + number_[enemy];
  }
  /// The sets that one step of one of `men` makes of them.
  static void steps(std::uint32_t men, std::uint32_t other, const auto& call) {
    for (int p = 0; p < 25; ++p) {
      if ((men >> p & 1U) == 0) continue;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int x = p % 5 + dx;
          const int y = p / 5 + dy;
          if (x < 0 || x > 4 || y < 0 || y > 4) continue;
          const int q = 5 * y + x;
          if (((men | other) >> q & 1U) == 0) call((men & ~(1U << p)) | 1U << q);
        }
      }
    }
  }

  void solve() {
    std::vector<std::uint32_t> decided;
    for (std::uint32_t i = 0; i < plies_.size(); ++i) {
      const auto own = sets_[i / sets_.size()];
      const auto enemy = sets_[i % sets_.size()];
      if ((own & enemy) != 0 || wins_[number_[own]]) continue;
      if (wins_[number_[enemy]]) {
        plies_[i] = 0;
        decided.push_back(i);
      } else {
        steps(own, enemy, [&](std::uint32_t) { ++moves_left_[i]; });
      }
    }
    for (std::uint8_t plies = 1; !decided.empty(); ++plies) {
      std::vector<std::uint32_t> next;
      for (const std::uint32_t after : decided) {
        const auto mover = sets_[after / sets_.size()];  // the other side has moved
        steps(sets_[after % sets_.size()], mover, [&](std::uint32_t own) {
          const auto before = static_cast<std::uint32_t>(index(own, mover));
          if (plies_[before] != unknown || wins_[number_[own]]) return;
          if (plies % 2 == 0 && --moves_left_[before] > 0) return;
          plies_[before] = plies;
          next.push_back(before);
        });
      }
      decided = std::move(next);
    }
  }

  std::vector<std::uint16_t> number_;  ///< by the bits of a set of four
  std::vector<std::uint32_t> sets_;
  std::vector<bool> wins_;
  std::vector<std::uint8_t> plies_;
  std::vector<std::uint8_t> moves_left_;  ///< that do not lose, as far as that is known
};

}  // namespace pitboss::tests
