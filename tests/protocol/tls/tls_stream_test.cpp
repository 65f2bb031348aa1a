#include "protocol/tls/tls_stream.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/error.hpp>
#include <string>

#include "tests/peers/certificate.hpp"

namespace pitboss::tls {

namespace {

/// Two ends of a connection that do not block.
class Ends {
 public:
  Ends() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()) == 0); }
  ~Ends() {
    for (const int end : ends_) ::close(end);
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;

  [[nodiscard]] int of_server() const { return ends_[0]; }
  [[nodiscard]] int of_client() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{};
};

/// Shakes hands with a server that shows the certificate, as a client that trusts it and wants the
/// host: what the client finds wrong; empty if nothing.
std::string fault_found(const tests::Certificate& certificate, const std::string& host) {
  const auto of_server = server_context(certificate.file(), certificate.key());
  const auto of_client = client_context(certificate.file());
  const Ends ends;
  TlsStream server(*of_server, ends.of_server());
  TlsStream client(*of_client, ends.of_client(), host);
  error_code of_handshake = boost::asio::error::would_block;
  for (int i = 0; i < 10 && of_handshake == boost::asio::error::would_block; ++i) {
    client.shake_hands(of_handshake);
    error_code ignored;
    server.shake_hands(ignored);
  }
  return of_handshake ? client.why(of_handshake) : "";
}

}  // namespace

TEST_CASE("a client shakes hands with those hosts alone that the certificate is for") {
  const tests::Certificate certificate;  // for localhost and 127.0.0.1
  for (const char* host : {"localhost", "LOCALHOST", "127.0.0.1"}) {
    CAPTURE(host);
    CHECK(fault_found(certificate, host).empty());
  }
  for (const char* host : {"localhost.example", "host", "other.localhost", "xlocalhost"}) {
    CAPTURE(host);
    CHECK(fault_found(certificate, host) == "the server's certificate: hostname mismatch");
  }
  for (const char* host : {"127.0.0.2", "::1"}) {
    CAPTURE(host);
    CHECK(fault_found(certificate, host) == "the server's certificate: IP address mismatch");
  }
}

}  // namespace pitboss::tls
