#pragma once

#include <vector>

#include "games/any_game.hpp"

namespace pitboss::games {

/// Perft for games of type G: depth-first over an explicit stack, so that the count can pause
/// anywhere. The last ply is counted by the length of the move list.
template <Game G>
class PerftOf final : public Perft {
 public:
  PerftOf(const G& root, int depth) : depth_(depth) {
    if (depth == 0) {
      count_ = 1;
    } else {
      stack_.reserve(static_cast<std::size_t>(depth));  // so that `advance` cannot fail
      push(root);
    }
  }

  bool advance(std::int64_t positions) override {
    for (; positions > 0 && !stack_.empty(); --positions) {
      Level& top = stack_.back();
      if (top.next == top.moves.size()) {
        stack_.pop_back();
        continue;
      }
      G child = top.game;
      child.play(top.moves[top.next++]);
      push(child);
    }
    return stack_.empty();
  }

  [[nodiscard]] std::uint64_t count() const override { return count_; }

 private:
  struct Level {
    G game;
    MoveList<G::max_moves> moves;
    int next = 0;
  };

  void push(const G& game) {
    Level level{game, {}, 0};
    game.legal_moves(level.moves);
    if (static_cast<int>(stack_.size()) + 1 == depth_) {
      count_ += static_cast<std::uint64_t>(level.moves.size());
    } else if (!level.moves.empty()) {
      stack_.push_back(level);
    }
  }

  int depth_;
  std::uint64_t count_ = 0;
  std::vector<Level> stack_;
};

}  // namespace pitboss::games
