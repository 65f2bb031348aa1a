#include "server/net/listen_address.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using pitboss::server::host_and_port;
using pitboss::server::ListenAddress;
using pitboss::server::parse_listen_address;

TEST_CASE("parse_listen_address") {
  struct Row {
    const char* text;
    ListenAddress address;
    const char* written;
  };
  const Row rows[] = {
      {"127.0.0.1:4580", {"127.0.0.1", 4580, "connect4"}, "127.0.0.1:4580"},
      {"localhost:0=hex", {"localhost", 0, "hex"}, "localhost:0"},
      {"h:1,tls", {"h", 1, "connect4", true}, "tls://h:1"},
      {"[::1]:1=hex,tls", {"::1", 1, "hex", true}, "tls://[::1]:1"},
      {"[::1]:65535=othello", {"::1", 65535, "othello"}, "[::1]:65535"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(parse_listen_address(row.text) == row.address);
    CHECK(host_and_port(row.address) == row.written);
  }
  for (const char* text :
       {"", "4580", "host", ":4580", "host:", "host:65536", "host:-1", "host:1x", "::1:4580",
        "[::1]", "[]:1", "host:1=", "[::1:1", "h:1,", "h:1,ssl", "h:1,tls=hex", "h:1,tls,tls"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parse_listen_address(text)), std::invalid_argument);
  }
}
