#include "protocol/http_server.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <deque>
#include <future>
#include <string>
#include <thread>

#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"

namespace pitboss::protocol {

namespace asio = boost::asio;
using tests::Client;
using tests::eventually;

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
