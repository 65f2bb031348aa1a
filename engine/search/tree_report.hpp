#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/options/options.hpp"
#include "engine/search.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// A position along a line of moves, for reports, which need the moves' texts.
class TextPosition {
 public:
  virtual ~TextPosition() = default;
  [[nodiscard]] virtual std::unique_ptr<TextPosition> clone() const = 0;
  [[nodiscard]] virtual games::Colour to_move() const = 0;
  [[nodiscard]] virtual std::string text(games::Move move) const = 0;
  /// The texts of all legal moves.
  [[nodiscard]] virtual std::vector<std::string> texts() const = 0;
  virtual void play(games::Move move) = 0;
};

template <games::Game G>
class TextPositionOf final : public TextPosition {
 public:
  explicit TextPositionOf(const G& game) : game_(game) {}
  [[nodiscard]] std::unique_ptr<TextPosition> clone() const override {
    return std::make_unique<TextPositionOf>(*this);
  }
  [[nodiscard]] games::Colour to_move() const override { return game_.to_move(); }
  [[nodiscard]] std::string text(games::Move move) const override { return game_.text(move); }
  [[nodiscard]] std::vector<std::string> texts() const override {
    games::MoveList<G::max_moves> moves;
    game_.legal_moves(moves);
    std::vector<std::string> texts;
    for (const games::Move move : moves) texts.push_back(game_.text(move));
    return texts;
  }
  void play(games::Move move) override { game_.play(move); }

 private:
  G game_;
};

/// Reports on the moves of a tree's root. Knows no game. No thread may write to the nodes that it
/// reads.
class TreeReport {
 public:
  /// `is_leased` says which nodes a thread leases: their subtrees are not read.
  TreeReport(const Tree& tree, FinalMove final_move, std::uint64_t seed,
             std::function<bool(const Node&)> is_leased)
      : tree_(tree), final_move_(final_move), seed_(seed), is_leased_(std::move(is_leased)) {}

  /// The index of the best move by the option `final_move` in a position with `mover` to move,
  /// among those that have been tried or proven and are not `avoided`: by mean, or else by visits
  /// (equal visits: by mean), with proven wins before and proven losses after all others. Remaining
  /// ties are broken at random. -1 if there is none.
  [[nodiscard]] int favourite(MoveBlock& block, games::Colour mover, games::Random& ties,
                              std::span<const int> avoided = {}) const;
  /// The index of a move that is drawn by the priors of a block that has them, whether it has been
  /// tried or not, but none of those `avoided`; -1 if there is no other.
  [[nodiscard]] static int drawn(MoveBlock& block, games::Random& random,
                                 std::span<const int> avoided);
  /// All moves of the root in the order of Report::moves; the first `continuations` with their
  /// principal variations.
  [[nodiscard]] std::vector<MoveReport> moves(MoveBlock& root, const TextPosition& position,
                                              int continuations) const;
  /// The tree's block below the i-th move of a block; null if there is none.
  [[nodiscard]] MoveBlock* below(MoveBlock& block, int i) const;
  /// The i-th move of the root.
  [[nodiscard]] MoveReport describe(MoveBlock& root, const TextPosition& position, int i) const;
  /// The same with its principal variation.
  [[nodiscard]] MoveReport with_continuation(MoveBlock& root, const TextPosition& position,
                                             int i) const;

 private:
  void tell_continuation(MoveReport& move, Index node, TextPosition& position,
                         games::Random& ties) const;

  const Tree& tree_;
  FinalMove final_move_;
  std::uint64_t seed_;
  std::function<bool(const Node&)> is_leased_;
};

}  // namespace pitboss::engine
