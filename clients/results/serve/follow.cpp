#include "clients/results/serve/follow.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <csignal>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "clients/experiments/address.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/results/serve/watch.hpp"
#include "clients/results/serve/web_answers.hpp"
#include "protocol/http_server.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

constexpr protocol::HttpLimits limits{
    .patience = std::chrono::seconds(10), .connections = 64, .header = 8192};

/// Requests for long tables that wait, and the one that is answered.
constexpr std::size_t most_long_answers = 8;

/// Ends threads, which leave what they have not begun.
struct Ending {
  asio::thread_pool& threads;
  asio::thread_pool& long_threads;
  Ending(asio::thread_pool& some, asio::thread_pool& others)
      : threads(some), long_threads(others) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  ~Ending() {
    threads.stop();
    long_threads.stop();
    threads.join();
    long_threads.join();
  }
};

protocol::HostAndPort place_in(const std::string& text) {
  try {
    return protocol::parse_host_and_port(text);
  } catch (const std::invalid_argument& failure) {
    throw UserError("cannot listen on '" + text + "': " + failure.what());
  }
}

protocol::Listener listener_at(asio::io_context& io, const protocol::HostAndPort& place) {
  try {
    return {io, place, Address{place.host, place.port}.text()};
  } catch (const std::runtime_error& failure) {
    throw UserError(failure.what());
  }
}

}  // namespace

void follow(const FollowSettings& settings,
            const std::function<void(const std::string& url, bool is_local)>& on_listening) {
  asio::io_context io(1);
  const protocol::HostAndPort place = place_in(settings.listen);
  protocol::Listener listener = listener_at(io, place);
  Watch watch(settings.place, settings.kinds);
  const bool is_local = listener.is_local();
  const std::string url = "http://" + Address{place.host, listener.port()}.text() + "/";
  WebAnswers answers(watch, {is_local, place.host, settings.origins}, settings.token);
  // A long table keeps nobody waiting who asks for a short answer.
  asio::thread_pool threads(2);
  asio::thread_pool long_threads(1);
  protocol::HttpWorkers workers{threads.get_executor(), limits.connections};
  protocol::HttpWorkers long_workers{long_threads.get_executor(), most_long_answers};
  protocol::HttpServer server(
      io, std::move(listener), limits,
      [&](const protocol::HttpRequest& request, const std::string& host) {
        return answers(request, host);
      },
      [](const std::string& failure) { std::cerr << failure << "\n"; },
      [&](const protocol::HttpRequest& request, const std::string& host) {
        return protocol::HttpWork{WebAnswers::takes_long(request) ? long_workers : workers,
                                  answers.delay_of(request, host)};
      });
  const Ending ending{threads, long_threads};
  server.start();
  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const auto&, int) { io.stop(); });
  on_listening(url, is_local);
  io.run();
}

}  // namespace pitboss::clients
