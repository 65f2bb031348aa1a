#pragma once

#include <cstdint>
#include <vector>

#include "engine/search/tree_report.hpp"

namespace pitboss::engine {

/// Reports on the whole moves of the root of a search by half moves (games/halves.hpp): a move's
/// node is two levels below the root. Knows no game. No thread may write to the tree.
class HalvesReport {
 public:
  /// `root` is the root's block, `position` its position; both must outlive the report.
  HalvesReport(TreeReport tree, MoveBlock& root, const TextPosition& position, std::uint64_t seed)
      : tree_(std::move(tree)), root_(root), position_(position), seed_(seed) {}

  /// All moves: proven wins first and proven losses last; then by the first half, then by the
  /// second: most visits first, and of those with as many the highest mean. The first
  /// `continuations` have their principal variations.
  [[nodiscard]] std::vector<MoveReport> moves(int continuations) const;
  /// The best move that begins with the `first`-th half; if none of them has been tried, a random
  /// one.
  [[nodiscard]] MoveReport favourite(int first, bool with_pv) const;

 private:
  /// The moves with one first half.
  struct Family {
    int first;
    MoveReport half;
    std::unique_ptr<TextPosition> between;
    MoveBlock* seconds;  ///< null if the tree has none
  };
  [[nodiscard]] Family family(int first) const;
  [[nodiscard]] MoveReport whole_move(const Family& family, int second, bool with_pv) const;

  TreeReport tree_;
  MoveBlock& root_;
  const TextPosition& position_;
  std::uint64_t seed_;
};

}  // namespace pitboss::engine
