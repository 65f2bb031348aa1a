#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "games/game.hpp"
#include "games/position_hash.hpp"

namespace pitboss::games {

/// Finds the positions that lie some turns ahead, each once, however many orders of moves lead to
/// it. Depth first; visits no position twice at the same depth. A turn is all plies of a colour
/// until another colour is to move.
template <Game G>
class DistinctLines {
 public:
  using Lines = std::vector<std::vector<std::string>>;

  /// Gives up when more than `limit` positions have been met.
  explicit DistinctLines(std::size_t limit) : limit_(limit) {}

  /// In order of the moves' texts, one line of moves to each unfinished position `turns` turns
  /// after `start`; nothing if there were too many.
  [[nodiscard]] std::optional<Lines> find(const G& start, int turns) {
    seen_.assign(static_cast<std::size_t>(turns) + 1, {});
    if (!visit(start, turns)) return std::nullopt;
    return std::move(lines_);
  }

 private:
  struct Hash {
    std::size_t operator()(const G& game) const { return position_hash(game); }
  };

  bool visit(const G& game, int turns) {
    if (game.result().finished()) return true;
    if (!seen_[static_cast<std::size_t>(turns)].insert(game).second) return true;
    if (++met_ > limit_) return false;
    if (turns == 0) {
      lines_.push_back(line_);
      return true;
    }
    for (const auto& [text, move] : moves_of(game)) {
      G next = game;
      next.play(move);
      line_.push_back(text);
      if (!visit(next, next.to_move() == game.to_move() ? turns : turns - 1)) return false;
      line_.pop_back();
    }
    return true;
  }

  static std::vector<std::pair<std::string, Move>> moves_of(const G& game) {
    MoveList<G::max_moves> list;
    game.legal_moves(list);
    std::vector<std::pair<std::string, Move>> moves;
    moves.reserve(static_cast<std::size_t>(list.size()));
    for (const Move m : list) moves.emplace_back(game.text(m), m);
    std::ranges::sort(moves);
    return moves;
  }

  std::size_t limit_;
  std::size_t met_ = 0;
  std::vector<std::unordered_set<G, Hash>> seen_;  // by turns still to come
  std::vector<std::string> line_;
  Lines lines_;
};

}  // namespace pitboss::games
