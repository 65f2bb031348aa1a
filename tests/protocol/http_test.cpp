#include "protocol/http.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace pitboss::protocol;

TEST_CASE("is_http: request lines of any method, and Host") {
  for (const std::string_view line :
       {"GET / HTTP/1.1\r", "POST /play HTTP/1.0", "OPTIONS * HTTP/1.1\r", "PRI * HTTP/2.0\r",
        "CONNECT 127.0.0.1:4580 HTTP/1.1\r", "anything /a#b c HTTP/3", "Host: 127.0.0.1:4580\r",
        "hOsT:x"}) {
    CAPTURE(line);
    CHECK(is_http(line));
  }
  for (const std::string_view line : {"", "name", "1 name\r", "genmove b", "HTTP/1.1", "auth HTTP",
                                      "hosts", "loadsgf HTTP/1.sgf"}) {
    CAPTURE(line);
    CHECK_FALSE(is_http(line));
  }
}

TEST_CASE("is_loopback_host: names that nobody else can point elsewhere") {
  for (const std::string_view host : {"localhost", "LOCALHOST:9464", "localhost.", "127.0.0.1",
                                      "127.8.9.10:1", "[::1]", "[::1]:9464"}) {
    CAPTURE(host);
    CHECK(is_loopback_host(host));
  }
  for (const std::string_view host :
       {"", "attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example",
        "192.168.1.2", "127.1", "[::2]", "[::1", "0.0.0.0", "127.0.0.1.5"}) {
    CAPTURE(host);
    CHECK_FALSE(is_loopback_host(host));
  }
}
