#include "environment/machine.hpp"

#include <doctest/doctest.h>

#include "tests/environment/made_system.hpp"

namespace pitboss::environment {

TEST_CASE("load: of the last minute; 0 where the system does not tell") {
  const tests::MadeSystem system;
  CHECK(load(system.root) == 0);
  system.write("proc/loadavg", "5.25 1.50 0.75 3/400 12345\n");
  CHECK(load(system.root) == 5.25);
}

}  // namespace pitboss::environment
