#include <doctest/doctest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "clients/players/gtp_client.hpp"
#include "engine/sha256.hpp"
#include "server/net/credentials.hpp"
#include "tests/folders.hpp"
#include "tests/peers/certificate.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/running_server.hpp"
#include "tests/server/web_client.hpp"

using namespace std::chrono_literals;
using namespace pitboss;
using clients::Address;
using clients::EngineFailure;
using clients::GtpClient;
using tests::Certificate;
using tests::Client;
using tests::Daemon;
using tests::eventually;
using tests::RunningServer;

namespace {

constexpr auto patience = 20s;

server::Config config_with(const Certificate& certificate) {
  auto config = RunningServer::small();
  config.listen.front().tls = true;
  config.credentials.certificate = certificate.file();
  config.credentials.key = certificate.key();
  return config;
}

Address address_of(std::uint16_t port, const std::string& ca_file,
                   const std::string& host = "127.0.0.1") {
  return {host, port, true, {{}, ca_file}};
}

/// Connects, asks, and closes: the answers, or what failed.
std::vector<std::string> asked(const Address& address, const std::vector<std::string>& commands) {
  boost::asio::io_context io{1};
  std::vector<std::string> answers;
  const auto ask = [&]() -> boost::asio::awaitable<void> {
    GtpClient client(co_await boost::asio::this_coro::executor);
    try {
      co_await client.connect(address, patience);
      for (const std::string& command : commands) {
        answers.push_back((co_await client.ask(command, patience)).text);
      }
    } catch (const EngineFailure& failure) {
      answers.emplace_back(failure.what());
    }
    client.close();
  };
  std::exception_ptr failure;
  boost::asio::co_spawn(io, ask(), [&](std::exception_ptr e) { failure = std::move(e); });
  io.run();  // until the tunnel is closed, too
  if (failure) std::rethrow_exception(failure);
  return answers;
}

std::string asked_for_name(const Address& address) { return asked(address, {"name"}).back(); }

constexpr const char* unknown_certificate =
    "the server's certificate: self-signed certificate; --ca-file FILE (ca_file in an experiment) "
    "says which one to trust";

/// The beginning of a handshake, and no more of it.
constexpr std::string_view half_a_hello("\x16\x03\x01\x02\x00\x01", 6);

}  // namespace

TEST_CASE("TLS: a client that trusts the certificate talks to the server") {
  const Certificate certificate;
  const RunningServer server(config_with(certificate));
  const auto answers =
      asked(address_of(server.port(), certificate.file()), {"name", "genmove b", "list_options"});
  REQUIRE(answers.size() == 3);
  CHECK(answers[0] == "Pitboss");
  CHECK(answers[1].size() == 2);
  CHECK(answers[2].size() > 2000);
  CHECK(asked_for_name(address_of(server.port(), certificate.file(), "localhost")) == "Pitboss");
  CHECK(eventually([&] { return server.counts().sockets == 0; }));
}

TEST_CASE("TLS: of version 1.2 only suites with authenticated encryption") {
  namespace ssl = boost::asio::ssl;
  const Certificate certificate;
  const RunningServer server(config_with(certificate));
  const auto shakes_hands = [&](const char* suites) {
    boost::asio::io_context io{1};
    ssl::context context(ssl::context::tlsv12_client);
    REQUIRE(SSL_CTX_set_cipher_list(context.native_handle(), suites) == 1);
    ssl::stream<boost::asio::ip::tcp::socket> stream(io, context);
    stream.lowest_layer().connect({boost::asio::ip::address_v4::loopback(), server.port()});
    boost::system::error_code error;
    stream.handshake(ssl::stream_base::client, error);
    return !error;
  };
  CHECK(shakes_hands("ECDHE+AESGCM"));
  CHECK(shakes_hands("ECDHE+CHACHA20"));
  CHECK_FALSE(shakes_hands("ALL:!AESGCM:!CHACHA20:!AESCCM"));  // CBC
  CHECK_FALSE(shakes_hands("kRSA+AESGCM"));                    // no forward secrecy
}

TEST_CASE("TLS: the page, and a WebSocket") {
  namespace asio = boost::asio;
  const Certificate certificate;
  auto config = config_with(certificate);
  config.listen.push_back({"127.0.0.1", 0, "othello", true, true});
  const RunningServer server(config);
  asio::io_context io{1};
  asio::ssl::context context(asio::ssl::context::tls_client);
  context.load_verify_file(certificate.file());
  context.set_verify_mode(asio::ssl::verify_peer);
  using Stream = asio::ssl::stream<asio::ip::tcp::socket>;
  const auto connected = [&](const std::string& request) {
    auto stream = std::make_unique<Stream>(io, context);
    stream->lowest_layer().connect({asio::ip::address_v4::loopback(), server.page_port()});
    stream->handshake(asio::ssl::stream_base::client);
    asio::write(*stream, asio::buffer(request));
    return stream;
  };
  const auto head = [](Stream& stream) {
    std::string text;
    asio::read_until(stream, asio::dynamic_buffer(text), "\r\n\r\n");
    return text;
  };
  CHECK(head(*connected("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")).starts_with("HTTP/1.1 200"));
  // The Origin of a page that has come by TLS.
  const auto web = connected(tests::upgrade_request("Origin: https://localhost\r\n"));
  CHECK(head(*web).starts_with("HTTP/1.1 101"));
  const std::string expected = R"({"id":7,"ok":true,"text":"Pitboss"})";
  for (int i = 0; i < 3; ++i) {
    asio::write(*web, asio::buffer(tests::WebClient::frame_bytes(R"({"id":7,"line":"name"})")));
    std::string frame(2 + expected.size(), '\0');
    asio::read(*web, asio::buffer(frame));
    CHECK(frame.substr(2) == expected);
  }
  // Who speaks no TLS there is told, and costs the others nothing.
  Client plain(server.page_port());
  plain.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string told = plain.rest();
  CHECK(told.starts_with("HTTP/1.1 400"));
  CHECK(told.find("TLS is spoken here: https://") != std::string::npos);
  CHECK(asked_for_name(address_of(server.port(), certificate.file())) == "Pitboss");
}

TEST_CASE("TLS: much passes both ways, and in order") {
  const Certificate certificate;
  const RunningServer server(config_with(certificate));
  boost::asio::io_context io{1};
  bool is_right = true;
  const auto flood = [&]() -> boost::asio::awaitable<void> {
    GtpClient client(co_await boost::asio::this_coro::executor);
    co_await client.connect(address_of(server.port(), certificate.file()), patience);
    const std::vector<std::string> commands(500, "list_options");
    const auto answers = co_await client.ask_all(commands, 60s);  // 1.5 MB
    for (const auto& answer : answers) is_right = is_right && answer.ok;
    co_await client.ask(std::string(60'000, ' ') + "name", patience);
    client.close();
  };
  std::exception_ptr failure;
  boost::asio::co_spawn(io, flood(), [&](std::exception_ptr e) { failure = std::move(e); });
  io.run();
  if (failure) std::rethrow_exception(failure);
  CHECK(is_right);
}

TEST_CASE("TLS: a client talks to nobody whom it has no reason to trust") {
  const Certificate certificate;
  const Certificate other;
  const RunningServer server(config_with(certificate));
  CHECK(asked_for_name(address_of(server.port(), other.file())) == unknown_certificate);
  CHECK(asked_for_name(address_of(server.port(), "")) == unknown_certificate);
  const Certificate expired(-60s);
  const RunningServer old(config_with(expired));
  CHECK(asked_for_name(address_of(old.port(), expired.file())) ==
        "the server's certificate: certificate has expired");
  auto config = config_with(certificate);
  config.listen.front().host = "127.0.0.2";  // for which the certificate is not
  const RunningServer elsewhere(config);
  CHECK(asked_for_name(address_of(elsewhere.port(), certificate.file(), "127.0.0.2")) ==
        "the server's certificate: IP address mismatch");
}

TEST_CASE("TLS: a client without it is told, and one with it on a plain port fails") {
  const Certificate certificate;
  const RunningServer server(config_with(certificate));
  Client plain(server.port());
  plain.write("name\n");
  CHECK(plain.rest() == "? TLS is spoken on this port: connect to tls://HOST:PORT\n\n");
  const RunningServer plain_server;
  CHECK(asked_for_name(address_of(plain_server.port(), certificate.file())) ==
        "TLS: the port speaks none; its address is without tls://");
}

TEST_CASE("TLS: a client that ends without a wait has taken its leave") {
  const Certificate certificate;
  Daemon daemon({"--listen", "127.0.0.1:0,tls", "--certificate", certificate.file(), "--key",
                 certificate.key()});
  const auto port = Daemon::port_of(daemon.output_line());
  const auto talk = [&](bool closes) {
    boost::asio::io_context io{1};
    GtpClient client(io.get_executor());
    const auto ask = [&]() -> boost::asio::awaitable<void> {
      co_await client.connect(address_of(port, certificate.file()), patience);
      CHECK((co_await client.ask("name", patience)).text == "Pitboss");
      if (closes) client.close();
      io.stop();  // as the referee does at its end
    };
    boost::asio::co_spawn(io, ask(), boost::asio::detached);
    io.run();
  };
  talk(false);
  talk(true);
  const auto gone = [&](int session) {
    const std::string who = "session " + std::to_string(session) + ": ";
    for (;;) {
      const std::string line = daemon.error_line();
      if (line.find(who) != std::string::npos && line.find("disconnected") != std::string::npos) {
        return line;
      }
    }
  };
  CHECK(gone(1).ends_with(" disconnected; connect4, 1 command"));
  CHECK(gone(2).ends_with(" disconnected; connect4, 1 command"));
}

TEST_CASE("TLS: certificates and keys with a byte order mark") {
  const Certificate certificate;
  for (const std::string& file : {certificate.file(), certificate.key()}) {
    clients::write_text(file, "\xEF\xBB\xBF" + clients::read_text(file));
  }
  const RunningServer server(config_with(certificate));
  CHECK(asked_for_name(address_of(server.port(), certificate.file())) == "Pitboss");
}

TEST_CASE("TLS: a handshake that stalls keeps nobody waiting, and ends") {
  const Certificate certificate;
  auto config = config_with(certificate);
  config.limits.entry = 4s;
  const RunningServer server(config);
  Client silent(server.port());
  Client stalling(server.port());
  stalling.write(half_a_hello);
  CHECK(eventually([&] { return server.counts().sockets == 2; }));
  CHECK(asked_for_name(address_of(server.port(), certificate.file())) == "Pitboss");
  CHECK(silent.rest().empty());
  CHECK(stalling.rest().empty());
  CHECK(eventually([&] { return server.counts().sockets == 0; }));
}

TEST_CASE("TLS: nonsense instead of a handshake ends the connection alone") {
  const Certificate certificate;
  const RunningServer server(config_with(certificate));
  Client wrong(server.port());
  wrong.write(std::string(half_a_hello) + std::string(600, 'x'));
  static_cast<void>(wrong.rest());
  Client gone(server.port());
  gone.write(half_a_hello);
  gone.reset();
  CHECK(eventually([&] { return server.counts().sockets == 0; }));
  CHECK(asked_for_name(address_of(server.port(), certificate.file())) == "Pitboss");
}

TEST_CASE("TLS: over the limit of sessions a client that is shaking hands gives way") {
  const Certificate certificate;
  auto config = config_with(certificate);
  config.limits.max_sessions = 1;
  const RunningServer server(config);
  Client first(server.port());
  first.write(half_a_hello);
  CHECK(eventually([&] { return server.counts().sessions == 1; }));
  CHECK(asked_for_name(address_of(server.port(), certificate.file())) == "Pitboss");
  CHECK(first.rest().empty());
}

TEST_CASE("TLS: a certificate is read anew, but for one that is broken") {
  Certificate certificate;
  RunningServer server(config_with(certificate));
  const Address address = address_of(server.port(), certificate.file());
  clients::write_text(certificate.key(), "no key");
  server.reload();
  CHECK(asked_for_name(address) == "Pitboss");
  certificate.renew();
  CHECK(asked_for_name(address) == unknown_certificate);
  server.reload();
  CHECK(eventually([&] { return asked_for_name(address) == "Pitboss"; }));
}

TEST_CASE("credentials: a certificate that is valid for thirty days more is no reason to warn") {
  using std::chrono::hours;
  const auto warns = [](std::chrono::seconds valid) {
    const Certificate certificate(valid);
    const server::Credentials credentials({"", certificate.file(), certificate.key()});
    return std::ranges::any_of(credentials.warnings(), [](const std::string& warning) {
      return warning.starts_with("the certificate is valid");
    });
  };
  CHECK_FALSE(warns(hours(30 * 24 + 1)));
  CHECK(warns(hours(30 * 24 - 1)));
}

TEST_CASE("pitbossd: warns of a certificate that has expired, does soon, or is not valid yet") {
  using std::chrono::hours;
  struct Row {
    std::chrono::seconds valid;
    std::chrono::seconds since;
    std::string expected;
  };
  for (const auto& [valid, since, expected] :
       {Row{-60s, hours(-1), "the certificate has expired"},
        Row{hours(30), hours(-1), "the certificate is valid for 1 more days"},
        Row{hours(1000), hours(1), "the certificate is not valid yet"}}) {
    const Certificate certificate(valid, since);
    Daemon daemon({"--listen", "127.0.0.1:0,tls", "--certificate", certificate.file(), "--key",
                   certificate.key()});
    CHECK(daemon.error_line().find(" listens on ") != std::string::npos);
    CHECK(daemon.error_line().find(expected) != std::string::npos);
  }
}

TEST_CASE("pitbossd, pitboss gtp: TLS, a token, and the end of input") {
  const Certificate certificate;
  const clients::ScratchFolder folder;
  const auto tokens = (folder / "tokens").string();
  const auto token = (folder / "token").string();
  clients::write_text(tokens, "alice play " + engine::sha256("secret") + "\n");
  clients::write_text(token, "secret\n");
  Daemon daemon({"--listen", "127.0.0.1:0,tls", "--tokens", tokens, "--certificate",
                 certificate.file(), "--key", certificate.key()});
  const std::string line = daemon.output_line();
  CHECK(line.starts_with("listening tls://127.0.0.1:"));
  const std::string address = Daemon::address_of(line);
  const std::vector<std::string> words{pitboss::tests::bin_folder() + "/pitboss",
                                       "gtp",
                                       "--connect",
                                       address,
                                       "--ca-file",
                                       certificate.file()};
  std::filesystem::permissions(token, std::filesystem::perms(0600));
  auto with_token = words;
  with_token.insert(with_token.end(), {"--token-file", token});
  peers::Process bridge(with_token);
  bridge.write("genmove b\nmoves\n");
  bridge.end_input();
  CHECK(bridge.wait() == 0);
  CHECK(std::ranges::count(bridge.output(), '=') == 2);

  peers::Process without(words);
  without.write("showboard\n");
  without.end_input();
  CHECK(without.wait() == 0);
  CHECK(without.output() == "? this server asks for a token first: auth TOKEN\n\n");

  clients::write_text(token, "wrong\n");
  peers::Process refused(with_token);
  CHECK(refused.wait() == 2);
  CHECK(refused.errors() == "pitboss: " + address + ": refused: auth: ? wrong token\n");
}
