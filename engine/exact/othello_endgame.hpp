#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/exact/patience.hpp"
#include "engine/exact/zeroed_table.hpp"
#include "games/othello.hpp"

namespace pitboss::engine {

/// Solves positions of othello in which few points are empty, by alpha-beta search: null windows
/// (principal variation search), a table of bounds, moves that leave the opponent few replies
/// first, and near the end those in regions with an odd number of empty points.
class OthelloEndgame {
 public:
  using Game = games::Othello;
  static constexpr bool counts_points = true;

  explicit OthelloEndgame(std::size_t table_bytes);

  /// The final discs of the side to move minus the other's, empty points given to the winner;
  /// nothing if patience ends first.
  [[nodiscard]] std::optional<int> score(const games::Othello& position, Patience& patience);
  /// No less than the score; the least such number that the table knows.
  [[nodiscard]] int most(const games::Othello& position) const;
  /// About how many positions a score takes to find.
  [[nodiscard]] static double expected_positions(const games::Othello& position);
  /// Measured, by one thread.
  static constexpr double positions_a_second = 1e7;

 private:
  /// Discs of the side to move and of the other.
  struct Discs {
    std::uint64_t own;
    std::uint64_t enemy;
    friend bool operator==(const Discs&, const Discs&) = default;
  };
  struct Entry {
    Discs discs;  ///< none at all in an entry that is not used
    std::int8_t lower;
    std::int8_t upper;
    std::uint8_t best;   ///< a point
    std::uint8_t empty;  ///< points
  };
  static constexpr std::uint8_t none = 64;
  struct Window {
    int alpha;
    int beta;
    [[nodiscard]] Window reversed() const { return {-beta, -alpha}; }
  };
  struct Candidate {
    Discs after;  ///< of the opponent, who is to move
    int order;
    std::uint8_t point;
  };
  /// The candidates of one position, the most promising first.
  struct Candidates;

  [[nodiscard]] int deep(Discs discs, Window window);
  [[nodiscard]] int shallow(Discs discs, Window window);
  [[nodiscard]] int last_point(Discs discs, std::uint64_t open) const;
  [[nodiscard]] int without_move(Discs discs, Window window,
                                 int (OthelloEndgame::*search)(Discs, Window));
  [[nodiscard]] int final_score(Discs discs) const;
  [[nodiscard]] std::uint64_t open(Discs discs) const {
    return points_ & ~(discs.own | discs.enemy);
  }
  [[nodiscard]] std::uint64_t moves(Discs discs) const;
  [[nodiscard]] static Discs discs_of(const games::Othello& position);
  /// The place of the first entry of a bucket.
  [[nodiscard]] std::size_t bucket(Discs discs) const;
  [[nodiscard]] const Entry* found(Discs discs) const;
  void keep(const Entry& entry);
  void list(Discs discs, std::uint64_t moves, std::uint8_t best, Candidates& candidates) const;
  [[nodiscard]] bool is_cut_by_replies(const Candidates& candidates, int beta, int& score) const;

  ZeroedTable<Entry> table_;  ///< buckets of two: the one with most empty points, and the latest
  std::uint64_t points_ = 0;
  Patience* patience_ = nullptr;
};

}  // namespace pitboss::engine
