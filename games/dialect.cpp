#include "games/dialect.hpp"

#include <algorithm>

#include "games/letter_case.hpp"
#include "games/move_words.hpp"
#include "games/swap.hpp"

namespace pitboss::games {

bool draws_upside_down(Dialect dialect, const BoardShape& shape) {
  return dialect != Dialect::plain && shape.lattice == Lattice::hexagonal_falling;
}

Notation notation_of(Dialect dialect, const BoardShape& shape) {
  switch (dialect) {
    case Dialect::hexgui:
      // HexGui draws row 1 at the top. Where that keeps neighbours together, rows keep their names.
      return {true, draws_upside_down(dialect, shape) ? 0 : shape.height};
    case Dialect::gogui:
      return {false, draws_upside_down(dialect, shape) ? shape.height : 0};
    case Dialect::plain:
      break;
  }
  return {};
}

std::string spoken(Dialect dialect, const BoardShape& shape, std::string_view move) {
  if (dialect == Dialect::hexgui && move == SwapRule::text) return std::string(swap_pieces_text);
  return rewritten(move, {}, notation_of(dialect, shape));
}

std::string heard(Dialect dialect, const BoardShape& shape, std::string_view move) {
  if (dialect == Dialect::hexgui && same_ignoring_case(move, swap_pieces_text)) {
    return std::string(SwapRule::text);
  }
  return rewritten(move, notation_of(dialect, shape), {});
}

}  // namespace pitboss::games
