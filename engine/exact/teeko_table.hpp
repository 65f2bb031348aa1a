#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace pitboss::engine {

/// How teeko goes on from each placement of the markers, with any number of them dropped, when the
/// side that can win hurries and the other one delays. The number of plies is not bounded: who
/// cannot be made to lose moves on for ever. Placements that the symmetries of the board bring onto
/// each other have one entry, a byte: 13 MB.
class TeekoTable {
 public:
  /// Points as bits.
  struct Markers {
    std::uint32_t own;  ///< of the side to move, which has not won
    std::uint32_t enemy;
  };

  /// Makes the table, by retrograde analysis from the won placements: some ten seconds, 40 MB.
  [[nodiscard]] static TeekoTable made();
  /// The table with these bytes; nothing if they are not those of the table that `made` gives.
  [[nodiscard]] static std::optional<TeekoTable> of(std::string bytes);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  /// In how many plies the game is over: an odd number if the side to move wins, an even one if the
  /// other side does (0: it has won). Nothing if neither can force a win.
  [[nodiscard]] std::optional<int> plies(Markers markers) const;

 private:
  class Retrograde;

  explicit TeekoTable(std::string bytes) : bytes_(std::move(bytes)) {}

  std::string bytes_;
};

}  // namespace pitboss::engine
