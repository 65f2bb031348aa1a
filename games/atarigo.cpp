#include "games/atarigo.hpp"

#include <algorithm>

#include "games/move_of_points.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<AtariGo> && HasMoveOf<AtariGo>);
static_assert(HasStaticValue<AtariGo> && !HasFeatures<AtariGo>);

namespace {
constexpr Parameter atarigo_size{"size", "7", "2-11", "points along a side"};
}

std::span<const Parameter> AtariGo::parameters() { return {&atarigo_size, 1}; }

AtariGo AtariGo::create(const Parameters& parameters) {
  const int size = parameters.number("size", 2, 11);
  return AtariGo(rectangular_grid<128>(size, size));
}

std::string AtariGo::text(Move move) const { return grid_->text(static_cast<int>(code(move))); }

std::optional<Move> AtariGo::move_of(std::string_view text) const {
  return move_of_points(text, shape());
}

AtariGo AtariGo::with(const Setup<Board>& setup) const {
  check_no_extra(setup, name);
  check_stones(setup.pieces, points());
  // Handicap stones may give black more stones.
  if (setup.pieces[0].count() - setup.pieces[1].count() < index(setup.to_move)) {
    throw BadGame(
        "black must have at least as many stones as white when black is to move, more when white "
        "is");
  }
  AtariGo game(*grid_);
  game.stones_ = setup.pieces;
  game.to_move_ = setup.to_move;
  const Colour last = opponent(setup.to_move);
  const auto is_captured = [&](Colour c) {
    return minus(game.pieces(index(c)), game.breathing(c, game.empty_points())).any();
  };
  const bool captures = is_captured(setup.to_move);
  // The last stone may have captured while its own group had no liberty.
  if (is_captured(last) && !captures) {
    throw BadGame("the side that moved last has a group without a liberty");
  }
  if (captures || game.legal_points().none()) game.result_ = Result::win(last);
  return game;
}

/// The liberties of the group that has fewest; without a stone, the number of points.
int AtariGo::fewest_liberties(Colour c) const {
  const Board empty = empty_points();
  int fewest = grid_->points.count();
  for (Board rest = pieces(index(c)); rest.any();) {
    const Board group = grid_->flood(Board::point(rest.first()), rest);
    fewest = std::min(fewest, (grid_->neighbours(group) & empty).count());
    rest = minus(rest, group);
  }
  return fewest;
}

double AtariGo::static_value() const {
  int lead = fewest_liberties(Colour::black) - fewest_liberties(Colour::white);
  if (lead == 0) lead = to_move_ == Colour::black ? 1 : -1;
  const double bound = grid_->points.count();
  return (lead + bound) / (2 * bound);
}

}  // namespace pitboss::games
