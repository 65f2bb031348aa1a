#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/exact/patience.hpp"
#include "engine/exact/zeroed_table.hpp"
#include "games/connect4.hpp"

namespace pitboss::engine {

/// Solves positions of connect4 by alpha-beta search over win, draw and loss: forced replies at
/// once, moves that make most threats first, and a table of bounds.
class Connect4Solution {
 public:
  using Game = games::Connect4;
  static constexpr bool counts_points = false;

  explicit Connect4Solution(std::size_t table_bytes);

  /// For the side to move 1 if it wins, 0 for a draw, -1 if it loses; nothing if patience ends
  /// first.
  [[nodiscard]] std::optional<int> score(const games::Connect4& position, Patience& patience);
  /// No less than the score; the least such number that the table knows.
  [[nodiscard]] int most(const games::Connect4& position) const;
  /// About how many positions a score takes to find.
  [[nodiscard]] static double expected_positions(const games::Connect4& position);
  /// Measured, by one thread.
  static constexpr double positions_a_second = 5e6;

 private:
  /// Stones by columns of seven bits from the bottom, the seventh always empty, so that the sum of
  /// both words names the position.
  struct Stones {
    std::uint64_t own;  ///< of the side to move
    std::uint64_t all;
    /// The other side is to move, and `move` has been made.
    [[nodiscard]] Stones after(std::uint64_t move) const { return {own ^ all, all | move}; }
    [[nodiscard]] std::uint64_t key() const { return own + all + 1; }  // 0 is no position's
  };
  /// Of the side to move: the least and the most that the position can come to.
  struct Bounds {
    int lower;
    int upper;
  };

  [[nodiscard]] static Stones stones_of(const games::Connect4& position);
  [[nodiscard]] int search(Stones stones, int alpha, int beta);
  [[nodiscard]] Bounds found(std::uint64_t key) const;
  void keep(Stones stones, Bounds bounds);
  /// The place of the first entry of a bucket.
  [[nodiscard]] std::size_t bucket(std::uint64_t key) const;

  /// Buckets of two: the position with most empty points, so that a search that begins again finds
  /// its large parts, and the latest. An entry has the key, the empty points in six bits, and the
  /// bounds in the lowest four.
  ZeroedTable<std::uint64_t> table_;
  Patience* patience_ = nullptr;
};

}  // namespace pitboss::engine
