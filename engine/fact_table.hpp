#pragma once

#include <array>

#include "games/game.hpp"

namespace pitboss::engine {

/// One number for every fact (point, content) of a board, content being empty, black or white,
/// laid out for the way in which a search asks: the positions it sees differ from its root in few
/// points. The facts of the root lie together in one array, which a vector pass reads whole; the
/// points in which a position differs are taken out of the pass and looked up one by one.
template <games::Game G>
class FactTable {
 public:
  /// All facts get `initial`. Places of the array that are no points of the board get `neutral`.
  void reset(const G& root, double initial, double neutral) {
    root_ = {root.pieces(games::Colour::black), root.pieces(games::Colour::white)};
    for (auto& of_content : other_) of_content.fill(initial);
    of_root_.fill(neutral);
    size_ = 0;
    root.points().for_each([&](int p) {
      of_root_[p] = initial;
      size_ = p + 1;
    });
    size_ = (size_ + 7) / 8 * 8;
  }

  /// Calls `pass(array, size)` once on the numbers of all facts that `position` shares with the
  /// root (with `neutral` for the others, whose entries the pass leaves unchanged in effect), and
  /// `single(number)` for each of its other facts.
  template <class Pass, class Single>
  void visit(const G& position, double neutral, Pass&& pass, Single&& single) {
    const auto black = position.pieces(games::Colour::black);
    const auto white = position.pieces(games::Colour::white);
    const auto differing = (black ^ root_[0]) | (white ^ root_[1]);
    std::array<double, G::Board::bits> kept;
    differing.for_each([&](int p) {
      kept[p] = of_root_[p];
      of_root_[p] = neutral;
      single(other_[black.has(p) ? 1 : white.has(p) ? 2 : 0][p]);
    });
    pass(of_root_.data(), size_);
    differing.for_each([&](int p) { of_root_[p] = kept[p]; });
  }

 private:
  std::array<typename G::Board, 2> root_;
  int size_ = 0;
  alignas(64) std::array<double, (G::Board::bits + 7) / 8 * 8> of_root_;
  alignas(64) std::array<std::array<double, G::Board::bits>, 3> other_;
};

}  // namespace pitboss::engine
