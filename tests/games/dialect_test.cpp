#include "games/dialect.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace pitboss::games;

TEST_CASE("spoken(), heard()") {
  const BoardShape square{11, 11, 11};
  const BoardShape hex{11, 11, 11, Lattice::hexagonal};
  const BoardShape falling{11, 11, 11, Lattice::hexagonal_falling};
  for (const auto& shape : {square, hex, falling}) {
    CHECK(spoken(Dialect::plain, shape, "j4") == "j4");
    // HexGui has row 1 at the top; on the board of Hex the names of rows stay, and so do
    // neighbours.
    const std::string_view j4 = draws_upside_down(Dialect::hexgui, shape) ? "i4" : "i8";
    CHECK(spoken(Dialect::hexgui, shape, "j4") == j4);
    CHECK(heard(Dialect::hexgui, shape, j4) == "j4");
    CHECK(spoken(Dialect::hexgui, shape, "swap") == "swap-pieces");
    CHECK(heard(Dialect::hexgui, shape, "swap-pieces") == "swap");
    CHECK(heard(Dialect::hexgui, shape, "Swap-Pieces") == "swap");
  }
  // GoGui draws one of the two ways in which hexagons can lean; the other is put upside down.
  CHECK(spoken(Dialect::gogui, square, "j4") == "j4");
  CHECK(spoken(Dialect::gogui, hex, "j4") == "j4");
  CHECK(spoken(Dialect::gogui, falling, "j4") == "j8");
  CHECK(heard(Dialect::gogui, falling, "j8") == "j4");
  CHECK_FALSE(draws_upside_down(Dialect::plain, falling));
  CHECK_FALSE(draws_upside_down(Dialect::gogui, hex));
  CHECK(draws_upside_down(Dialect::gogui, falling));
  CHECK(draws_upside_down(Dialect::hexgui, falling));
  CHECK_FALSE(draws_upside_down(Dialect::hexgui, square));
}
