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

TEST_CASE("is_own_host: names that only this server has") {
  const WebAddress local{true, "127.0.0.1", {"https://board.example.org"}};
  const WebAddress open{false, "0.0.0.0", {}};
  const WebAddress named{false, "box.example", {}};
  struct Row {
    const WebAddress& address;
    std::string_view host;
    bool is_own;
  };
  for (const Row& row :
       {Row{local, "localhost:8080", true}, Row{local, "127.0.0.1:8080", true},
        Row{local, "[::1]:8080", true}, Row{local, "board.example.org", true},
        Row{local, "Board.Example.ORG", true}, Row{local, "board.example.org:444", false},
        Row{local, "attacker.example:8080", false}, Row{local, "192.168.1.2:8080", false},
        Row{local, "", false}, Row{open, "192.168.1.2:8080", true}, Row{open, "[fe80::1]:80", true},
        Row{open, "attacker.example", false}, Row{open, "", false},
        Row{named, "BOX.example:8080", true}, Row{named, "evil.box.example", false}}) {
    CAPTURE(row.host);
    CHECK(is_own_host(row.address, row.host) == row.is_own);
  }
}

TEST_CASE("is_own_origin: the page of this server, and those that are named") {
  const WebAddress address{true, "127.0.0.1", {"https://board.example.org"}};
  const std::string_view host = "127.0.0.1:8080";
  for (const std::string_view origin : {"http://127.0.0.1:8080", "https://127.0.0.1:8080",
                                        "https://board.example.org", "HTTPS://Board.example.org"}) {
    CAPTURE(origin);
    CHECK(is_own_origin(address, origin, host));
  }
  for (const std::string_view origin :
       {"", "null", "http://attacker.example", "http://127.0.0.1", "http://127.0.0.1:80801",
        "http://localhost:8080", "127.0.0.1:8080", "file://127.0.0.1:8080",
        "http://board.example.org", "http://x@127.0.0.1:8080", "http://127.0.0.1:8080/"}) {
    CAPTURE(origin);
    CHECK_FALSE(is_own_origin(address, origin, host));
  }
  CHECK_FALSE(is_origin("board.example.org"));
  CHECK_FALSE(is_origin("https://"));
}
