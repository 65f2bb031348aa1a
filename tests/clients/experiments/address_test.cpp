#include "clients/experiments/address.hpp"

#include <doctest/doctest.h>

#include <string>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

TEST_CASE("parse_address") {
  CHECK(parse_address("127.0.0.1:4580") == Address{"127.0.0.1", 4580});
  CHECK(parse_address("node-7.cluster:1") == Address{"node-7.cluster", 1});
  CHECK(parse_address("[::1]:65535") == Address{"::1", 65535});
  CHECK(parse_address("[::1]:65535").text() == "[::1]:65535");
  CHECK(parse_address("tls://[::1]:4580").text() == "tls://[::1]:4580");
  CHECK(parse_address("tls://localhost:1") == Address{"localhost", 1, true});
  CHECK_FALSE(parse_address("localhost:1") == Address{"localhost", 1, true});
  CHECK(Address{"a", 1, true, {"token", ""}} == Address{"a", 1, true});
  for (const char* text :
       {"", ":", "localhost", "localhost:", ":4580", "localhost:0", "localhost:65536",
        "localhost:-1", "tls://", "tls://:1", "tls:/a:1", "ssl://a:1", "tls://tls://a:1",
        "localhost:80x", "::1:80", "two words:80", "[]:80"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parse_address(text)), UserError);
  }
}

}  // namespace pitboss::clients
