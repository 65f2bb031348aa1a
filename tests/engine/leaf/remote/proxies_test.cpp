#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include "engine/leaf/remote/connection.hpp"
#include "tests/environment/variable_set.hpp"

namespace pitboss::engine {

using namespace std::chrono_literals;
using tests::VariableSet;

namespace {

/// A proxy on this machine that answers nobody.
class Proxy {
 public:
  Proxy() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(::bind(socket_, any, size) == 0);
    REQUIRE(::listen(socket_, 8) == 0);
    REQUIRE(::getsockname(socket_, any, &size) == 0);
    port_ = ntohs(address.sin_port);
  }
  ~Proxy() { ::close(socket_); }
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  [[nodiscard]] std::string url(const std::string& user = "") const {
    return "http://" + user + "127.0.0.1:" + std::to_string(port_);
  }
  /// What the first client sends first; empty if none comes.
  [[nodiscard]] std::string heard(std::chrono::milliseconds limit) const {
    const auto is_ready = [&](int file) {
      pollfd ready{file, POLLIN, 0};
      return ::poll(&ready, 1, static_cast<int>(limit.count())) == 1;
    };
    if (!is_ready(socket_)) return "";
    const int client = ::accept(socket_, nullptr, nullptr);
    std::array<char, 4096> text;
    const ssize_t size = is_ready(client) ? ::recv(client, text.data(), text.size(), 0) : 0;
    ::close(client);
    return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  int port_ = 0;
};

void probe(const std::string& url, const ConnectionTerms& terms) {
  Connection connection(url, terms);
  CHECK_THROWS_AS(connection.probe(std::chrono::system_clock::now() + 300ms), ServerFailure);
}

}  // namespace

TEST_CASE("connection: the environment's proxies are not used, wherever the evaluator is") {
  const Proxy proxy;
  const std::string url = proxy.url();
  const VariableSet none("no_proxy", nullptr);
  const VariableSet none_of_grpc("no_grpc_proxy", nullptr);
  for (const char* name : {"grpc_proxy", "https_proxy", "http_proxy"}) {
    const VariableSet variable(name, url.c_str());
    probe("grpc://127.0.0.1:1", {});
    probe("grpc://localhost:1", {.token = "secret"});
    probe("grpc://[::1]:1", {});
    probe("grpcs://127.0.0.1:1", {.token = "secret"});
    probe("grpc://evaluator.invalid:7", {});
    probe("grpcs://evaluator.invalid:7", {.token = "secret"});
  }
  CHECK(proxy.heard(100ms).empty());
}

TEST_CASE(
    "connection: a proxy that is named is used, but never to this machine, and sees no token") {
  const VariableSet none("no_proxy", nullptr);
  const VariableSet none_of_grpc("no_grpc_proxy", nullptr);
  {
    const Proxy proxy;
    for (const char* url : {"grpc://127.0.0.1:1", "grpc://localhost:1", "grpcs://[::1]:1"}) {
      probe(url, {.proxy = proxy.url()});
    }
    CHECK(proxy.heard(100ms).empty());
  }
  for (const std::string scheme : {"grpc", "grpcs"}) {
    const Proxy proxy;
    const bool has_token = scheme == "grpcs";
    Connection connection(scheme + "://evaluator.invalid:7",
                          {.token = has_token ? "secret" : "", .proxy = proxy.url("me:word@")});
    CHECK_THROWS_AS(connection.probe(std::chrono::system_clock::now() + 300ms), ServerFailure);
    const std::string heard = proxy.heard(2000ms);
    CAPTURE(heard);
    CHECK(heard.starts_with("CONNECT evaluator.invalid:7"));
    CHECK(heard.find("Proxy-Authorization: Basic") != std::string::npos);
    CHECK(heard.find("secret") == std::string::npos);
    CHECK(heard.find("Bearer") == std::string::npos);
  }
}

TEST_CASE("connection: a token goes to other machines by TLS only, with a proxy or without") {
  for (const std::string proxy : {"", "http://127.0.0.1:1"}) {
    CHECK_THROWS_AS(Connection("grpc://evaluator.invalid:7", {.token = "secret", .proxy = proxy}),
                    std::runtime_error);
    CHECK_NOTHROW(Connection("grpc://localhost:7", {.token = "secret", .proxy = proxy}));
    CHECK_NOTHROW(Connection("grpcs://evaluator.invalid:7", {.token = "secret", .proxy = proxy}));
  }
}

TEST_CASE("connection: what is no proxy") {
  for (const char* proxy : {"proxy:80", "https://proxy:80", "http://proxy", "http://:80", "http://",
                            "http://proxy:x", "socks5://proxy:80", "http://proxy:80/"}) {
    CAPTURE(proxy);
    CHECK_THROWS_WITH_AS(
        Connection("grpc://127.0.0.1:1", {.proxy = proxy}),
        ("the proxy of evaluators must be http://HOST:PORT, not '" + std::string(proxy) + "'")
            .c_str(),
        std::runtime_error);
  }
  // The sentence shows no password.
  CHECK_THROWS_WITH_AS(Connection("grpc://127.0.0.1:1", {.proxy = "http://me:word@proxy"}),
                       "the proxy of evaluators must be http://HOST:PORT, not 'http://proxy'",
                       std::runtime_error);
}

}  // namespace pitboss::engine
