#include "environment/loopback.hpp"

#include <doctest/doctest.h>

namespace pitboss::environment {

TEST_CASE("is_loopback: names and addresses of this machine alone") {
  for (const char* host : {"localhost", "LocalHost", "localhost.", "127.0.0.1", "127.9.8.7", "::1",
                           "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"}) {
    CAPTURE(host);
    CHECK(is_loopback(host));
  }
  for (const char* host :
       {"", ".", "127.0.0.1.example.org", "localhost.example.org", "128.0.0.1", "0.0.0.0",
        "::", "::2", "::ffff:10.0.0.1", "[::1]", "127.0.0.1:80", "example.org", "127.x"}) {
    CAPTURE(host);
    CHECK_FALSE(is_loopback(host));
  }
}

}  // namespace pitboss::environment
