#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/options/options.hpp"
#include "engine/search/search.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// A position along a line of moves, for reports: they know no game, and need the moves' texts.
class ReportPosition {
 public:
  virtual ~ReportPosition() = default;
  [[nodiscard]] virtual std::unique_ptr<ReportPosition> clone() const = 0;
  [[nodiscard]] virtual games::Colour to_move() const = 0;
  [[nodiscard]] virtual std::string text(games::Move move) const = 0;
  /// All legal moves.
  [[nodiscard]] virtual std::vector<games::Move> moves() const = 0;
  virtual void play(games::Move move) = 0;
};

template <games::Game G>
class ReportPositionOf final : public ReportPosition {
 public:
  explicit ReportPositionOf(const G& game) : game_(game) {}
  [[nodiscard]] std::unique_ptr<ReportPosition> clone() const override {
    return std::make_unique<ReportPositionOf>(*this);
  }
  [[nodiscard]] games::Colour to_move() const override { return game_.to_move(); }
  [[nodiscard]] std::string text(games::Move move) const override { return game_.text(move); }
  [[nodiscard]] std::vector<games::Move> moves() const override {
    games::MoveList<G::max_moves> moves;
    game_.legal_moves(moves);
    return {moves.begin(), moves.end()};
  }
  void play(games::Move move) override { game_.play(move); }
  [[nodiscard]] const G& game() const { return game_; }

 private:
  G game_;
};

/// Reports on the moves of a tree's root, or of another position of the tree. Knows no game. No
/// thread may write to the nodes that it reads.
class TreeReport {
 public:
  /// `is_leased` says which nodes a thread leases: their subtrees are not read.
  TreeReport(const Tree& tree, FinalMove final_move, std::uint64_t seed,
             std::function<bool(const Node&)> is_leased)
      : tree_(tree), final_move_(final_move), seed_(seed), is_leased_(std::move(is_leased)) {}

  /// The index of the best move by the option `final_move` in a position with `mover` to move,
  /// among those that have been tried or proven, are not closed as no better than another, and not
  /// `avoided`: by mean, or else by visits (equal visits: by mean), with proven wins before and
  /// proven losses after all others. Remaining ties are broken at random. -1 if there is none.
  [[nodiscard]] int favourite(MoveBlock& block, games::Colour mover, games::Random& ties,
                              std::span<const int> avoided = {}) const;
  /// The index of a move that is drawn by the priors of a block that has them, whether it has been
  /// tried or not, but none of those `avoided`; -1 if there is no other.
  [[nodiscard]] static int drawn(MoveBlock& block, games::Random& random,
                                 std::span<const int> avoided);
  /// The node of the position after these moves from another node on; null if there is none.
  [[nodiscard]] const Node* find(const Node& from, std::span<const games::Move> moves) const;
  /// All moves of the root in the order of Report::moves; the first `continuations` with their
  /// principal variations.
  [[nodiscard]] std::vector<MoveReport> moves(MoveBlock& root, const ReportPosition& position,
                                              int continuations) const;
  /// The tree's block below the i-th move of a block; null if there is none.
  [[nodiscard]] MoveBlock* below(MoveBlock& block, int i) const;
  /// The i-th move of the root.
  [[nodiscard]] MoveReport describe(MoveBlock& root, const ReportPosition& position, int i) const;
  /// The same with its principal variation.
  [[nodiscard]] MoveReport with_continuation(MoveBlock& root, const ReportPosition& position,
                                             int i) const;

 private:
  void tell_continuation(MoveReport& move, Index node, ReportPosition& position,
                         games::Random& ties) const;

  const Tree& tree_;
  FinalMove final_move_;
  std::uint64_t seed_;
  std::function<bool(const Node&)> is_leased_;
};

/// Tells what a root rule sees of a block's moves.
void tell_moves(const Tree& tree, MoveBlock& block, std::vector<RootMove>& moves);

/// Plays the moves and returns their texts; of each `joined` moves one text, and of fewer at the
/// end none.
[[nodiscard]] std::vector<std::string> play_line(ReportPosition& position,
                                                 std::span<const games::Move> moves,
                                                 int joined = 1);
/// The moves of a position of which the tree has none.
[[nodiscard]] std::vector<MoveReport> untried_moves(const ReportPosition& position);

/// Reports on the whole moves of the root of a search by half moves (games/halves.hpp): a move's
/// node is two levels below the root. Knows no game. No thread may write to the tree.
class HalvesReport {
 public:
  /// `root` is the root's block, `position` its position; both must outlive the report.
  HalvesReport(TreeReport tree, MoveBlock& root, const ReportPosition& position, std::uint64_t seed)
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
    std::unique_ptr<ReportPosition> between;
    MoveBlock* seconds;  ///< null if the tree has none
  };
  [[nodiscard]] Family family(int first) const;
  [[nodiscard]] MoveReport whole_move(const Family& family, int second, bool with_pv) const;

  TreeReport tree_;
  MoveBlock& root_;
  const ReportPosition& position_;
  std::uint64_t seed_;
};

}  // namespace pitboss::engine
