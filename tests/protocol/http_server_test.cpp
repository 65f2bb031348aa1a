#include "protocol/http_server.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <deque>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"

namespace pitboss::protocol {

namespace asio = boost::asio;
using tests::Client;
using tests::eventually;

namespace {

/// Whether a server has ended the connection without an answer.
bool closed(Client& client) {
  try {
    client.write("\r\n\r\n");
    return client.rest().empty();
  } catch (const std::runtime_error&) {
    return true;
  }
}

}  // namespace

TEST_CASE("HttpServer: a bounded number waits for workers, and who has gone is not answered") {
  std::promise<void> released;
  const std::shared_future<void> release = released.get_future().share();
  std::atomic<int> answers = 0;
  asio::io_context io(1);
  asio::thread_pool threads(1);
  HttpWorkers workers{threads.get_executor(), 2};
  HttpServer server(
      io, Listener(io, {"127.0.0.1", 0}, "here"),
      {.patience = std::chrono::seconds(10), .connections = 3, .header = 4096},
      [&](const HttpRequest&, const std::string& host) {
        ++answers;
        release.wait();
        return http_text(boost::beast::http::status::ok, host);
      },
      [](const std::string&) {},
      [&](const HttpRequest&, const std::string&) { return HttpWork{workers}; });
  const std::uint16_t port = server.listener().port();
  server.start();
  std::thread loop([&] { io.run(); });
  const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  Client answered(port);
  answered.write(request);
  CHECK(eventually([&] { return answers == 1; }));
  Client waiting(port);
  waiting.write(request);
  {
    Client refused(port);
    // `waiting` may still be on its way: then this one is taken, and that one refused.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    refused.write(request);
    CHECK(refused.rest().starts_with("HTTP/1.1 503 "));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  Client first(port);
  Client second(port);  // in the place of `answered`
  Client third(port);   // and of `waiting`
  CHECK(waiting.rest().empty());
  released.set_value();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  third.write(request);
  CHECK(third.rest().ends_with("127.0.0.1"));
  CHECK(answers == 2);
  io.stop();
  loop.join();
  threads.stop();
  threads.join();
}

TEST_CASE("HttpServer: patience is for each part of an answer, and for a request as a whole") {
  constexpr std::size_t page = 40'000'000;
  constexpr auto patience = std::chrono::seconds(2);
  asio::io_context io(1);
  HttpServer server(
      io, Listener(io, {"127.0.0.1", 0}, "here"),
      {.patience = patience, .connections = 8, .header = 4096},
      [](const HttpRequest&, const std::string&) {
        return http_text(boost::beast::http::status::ok, std::string(page, 'x'));
      },
      [](const std::string&) {});
  const std::uint16_t port = server.listener().port();
  server.start();
  std::promise<void> is_over;
  std::thread loop([&] { io.run(); });
  const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  Client slow(port);
  Client stuck(port);
  Client hesitant(port);
  hesitant.write(request);
  for (Client* const client : {&slow, &stuck}) {
    client->socket().set_option(asio::ip::tcp::socket::receive_buffer_size(1 << 16));
    client->write(request + "\r\n");
  }
  CHECK(stuck.bytes(9) == "HTTP/1.1 ");
  asio::steady_timer timer(io, 2 * patience);  // rings after those of the server
  timer.async_wait([&](const boost::system::error_code&) { is_over.set_value(); });
  std::size_t taken = 0;
  auto future = is_over.get_future();
  while (future.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
    taken += slow.bytes(200'000).size();
    try {
      hesitant.write("a");
    } catch (const std::runtime_error&) {  // the server has closed
    }
  }
  CHECK(slow.rest().size() + taken > page);
  CHECK(stuck.rest().size() < page);
  CHECK(closed(hesitant));
  // Nothing of this is in others' way.
  Client next(port);
  next.write(request + "\r\n");
  CHECK(next.rest().size() > page);
  io.stop();
  loop.join();
}

TEST_CASE("HttpServer: who has most connections makes room for others") {
  asio::io_context io(1);
  HttpServer server(
      io, Listener(io, {"127.0.0.1", 0}, "here"),
      {.patience = std::chrono::seconds(10), .connections = 8, .header = 4096},
      [](const HttpRequest&, const std::string& host) {
        return http_text(boost::beast::http::status::ok, host);
      },
      [](const std::string&) {});
  const std::uint16_t port = server.listener().port();
  server.start();
  std::thread loop([&] { io.run(); });
  Client early(port, "127.0.0.1", "127.0.0.2");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::deque<Client> flood;
  for (int i = 0; i < 20; ++i) flood.emplace_back(port, "127.0.0.1", "127.0.0.3");
  CHECK(flood.front().rest().empty());
  early.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  CHECK(early.rest().ends_with("127.0.0.2"));
  io.stop();
  loop.join();
}

}  // namespace pitboss::protocol
