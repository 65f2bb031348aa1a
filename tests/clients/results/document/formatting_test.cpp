#include "clients/results/document/formatting.hpp"

#include <doctest/doctest.h>

namespace pitboss::clients {

TEST_CASE("numbers as people read them") {
  CHECK(duration_text(0) == "0:00");
  CHECK(duration_text(173) == "2:53");
  CHECK(duration_text(3773) == "1:02:53");
  CHECK(duration_text(36000) == "10:00:00");
  CHECK(duration_text(3 * 86400 + 3773) == "3 d 01:02:53");
  CHECK(elo_text({}) == "too few games");
  CHECK(elo_text({8.5, -15.7, 32.9}) == "+8.5 [-15.7, +32.9]");
  CHECK(elo_text({8.5, -15.7, {}}) == "too few games");
  CHECK(elo_text({-436.0, {}, -297.0}) == "about -436.0, below -297.0");
  CHECK(elo_text({436.0, 297.0, {}}) == "about +436.0, above +297.0");
  CHECK(elo_text({-436.0, {}, 12.0}) == "too few games");
  CHECK(elo_text({{}, 12.0, {}}) == "above +12.0");
  CHECK(elo_text({{}, {}, -12.0}) == "below -12.0");
  // All games won tell no more than that the player is not weaker.
  CHECK(elo_text({{}, -69.8, {}}) == "too few games");
  CHECK(elo_text({{}, {}, 69.8}) == "too few games");
}

}  // namespace pitboss::clients
