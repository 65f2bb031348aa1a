#include "protocol/arguments.hpp"

#include <doctest/doctest.h>

#include "protocol/error.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;

TEST_CASE("Arguments") {
  const Arguments a({"12", "-3", "1.5", "B", "White", "x"}, "");
  CHECK(a.whole(0, 0, 100) == 12);
  CHECK(a.whole(1, -10, 100) == -3);
  CHECK_THROWS_AS((void)a.whole(0, 0, 11), CommandError);
  CHECK_THROWS_AS((void)a.whole(2, 0, 100), CommandError);
  CHECK_THROWS_AS((void)a.whole(5, 0, 100), CommandError);
  CHECK(a.number(2) == 1.5);
  CHECK_THROWS_AS((void)a.number(5), CommandError);
  const auto game = games::make_game("connect4");
  CHECK(a.colour(3, *game) == games::Colour::black);
  CHECK(a.colour(4, *game) == games::Colour::white);
  CHECK_THROWS_AS((void)a.colour(5, *game), CommandError);
  CHECK_NOTHROW(a.expect(6, 6, ""));
  CHECK_THROWS_WITH_AS(a.expect(1, 2, "COLOUR"), "syntax error: expected COLOUR", CommandError);
}
