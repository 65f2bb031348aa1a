#include "clients/load.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/program_options.hpp>
#include <cmath>
#include <ctime>
#include <deque>
#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "clients/engines/gtp_client.hpp"
#include "clients/read_arguments.hpp"
#include "clients/user_error.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
namespace po = boost::program_options;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr auto connect_timeout = 10s;
/// Commands that are never answered end the measurement that long after its time.
constexpr auto patience = 10s;

void rethrow(const std::exception_ptr& error) {
  if (error) std::rethrow_exception(error);
}

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Finds the ends of answers in what comes.
class AnswerReader {
 public:
  /// Calls `answered(bool refused)` for each answer that ends in `bytes`. Throws UserError for what
  /// is no answer.
  template <class Answered>
  void take(std::string_view bytes, Answered&& answered) {
    for (const char c : bytes) {
      if (first_ == '\0') {
        if (c != '=' && c != '?') throw UserError("the server sends what is no answer");
        first_ = c;
      }
      if (c == '\n' && last_ == '\n') {
        answered(first_ == '?');
        first_ = last_ = '\0';
      } else if (c != '\r') {
        last_ = c;
      }
    }
  }

 private:
  char first_ = '\0';  ///< of the answer that has begun
  char last_ = '\0';
};

class Load {
 public:
  explicit Load(const LoadPlan& plan) : plan_(plan), line_(plan.command + "\n") {}

  LoadResult run() {
    connect();
    const double processor_before = processor_seconds();
    begin_ = Clock::now();
    end_ = begin_ + plan_.time;
    for (Wire::Socket& socket : sockets_) asio::co_spawn(io_, ask(socket), rethrow);
    running_ = plan_.connections;
    io_.run_until(end_ + patience);
    if (running_ > 0) throw UserError("the server does not answer any more");
    result_.seconds = std::chrono::duration<double>(last_ - begin_).count();
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
    result_.busy = (processor_seconds() - processor_before) / elapsed;
    return result_;
  }

 private:
  void connect() {
    std::vector<GtpClient> clients;
    for (int i = 0; i < plan_.connections; ++i) clients.emplace_back(io_.get_executor());
    for (GtpClient& client : clients) {
      asio::co_spawn(io_, greet(client), rethrow);
    }
    try {
      io_.run();
    } catch (const GtpFailure& failure) {
      throw UserError(plan_.server.text() + ": " + failure.what());
    }
    io_.restart();
    for (GtpClient& client : clients) sockets_.push_back(client.release().socket);
  }

  /// An answer shows that the server serves this connection, which takes longer than to accept it.
  asio::awaitable<void> greet(GtpClient& client) {
    co_await client.connect(plan_.server, connect_timeout);
    co_await client.demand("protocol_version", connect_timeout);
  }

  asio::awaitable<void> ask(Wire::Socket& socket) {
    std::deque<Clock::time_point> under_way;
    std::array<char, 16384> chunk;
    AnswerReader reader;
    for (int sending = plan_.pipeline;;) {
      if (sending > 0) {
        std::string lines;
        for (int i = 0; i < sending; ++i) lines += line_;
        under_way.insert(under_way.end(), sending, Clock::now());
        const auto [error, size] =
            co_await asio::async_write(socket, asio::buffer(lines), as_result);
        if (error) throw UserError("a connection was lost: " + error.message());
      }
      if (under_way.empty()) break;
      const auto [error, size] = co_await socket.async_read_some(asio::buffer(chunk), as_result);
      if (error) throw UserError("a connection was lost: " + error.message());
      const auto now = Clock::now();
      const bool in_time = now < end_;
      sending = 0;
      reader.take({chunk.data(), size}, [&](bool refused) {
        if (under_way.empty()) throw UserError("the server answers what was not asked");
        if (in_time) {
          result_.latencies.add(now - under_way.front());
          result_.refused += refused ? 1 : 0;
          last_ = now;
          ++sending;
        }
        under_way.pop_front();
      });
    }
    --running_;
  }

  const LoadPlan& plan_;
  std::string line_;
  asio::io_context io_{1};
  std::vector<Wire::Socket> sockets_;
  Clock::time_point begin_;
  Clock::time_point end_;
  Clock::time_point last_;
  int running_ = 0;
  LoadResult result_;
};

// ---- the command

double microseconds(Latencies::Duration duration) {
  return static_cast<double>(duration.count()) / 1000;
}

void print_json(const LoadPlan& plan, const LoadResult& result) {
  const Latencies& l = result.latencies;
  const nlohmann::ordered_json json{
      {"server", plan.server.text()},
      {"command", plan.command},
      {"connections", plan.connections},
      {"pipeline", plan.pipeline},
      {"seconds", result.seconds},
      {"answers", l.count()},
      {"refused", result.refused},
      {"answers_per_second", static_cast<double>(l.count()) / result.seconds},
      {"latency_us",
       {{"p50", microseconds(l.quantile(0.5))},
        {"p90", microseconds(l.quantile(0.9))},
        {"p99", microseconds(l.quantile(0.99))},
        {"p99.9", microseconds(l.quantile(0.999))},
        {"max", microseconds(l.longest())}}},
      {"client_busy", result.busy}};
  std::cout << json.dump(2) << "\n";
}

void print_table(const LoadPlan& plan, const LoadResult& result) {
  const Latencies& l = result.latencies;
  std::printf("%-12s %8s %12s %12s %9s %9s %9s %9s %9s %6s\n", "connections", "pipeline", "answers",
              "answers/s", "p50 us", "p90 us", "p99 us", "p99.9 us", "max us", "busy");
  std::printf("%-12d %8d %12lld %12.0f %9.1f %9.1f %9.1f %9.1f %9.1f %6.2f\n", plan.connections,
              plan.pipeline, static_cast<long long>(l.count()),
              static_cast<double>(l.count()) / result.seconds, microseconds(l.quantile(0.5)),
              microseconds(l.quantile(0.9)), microseconds(l.quantile(0.99)),
              microseconds(l.quantile(0.999)), microseconds(l.longest()), result.busy);
  if (result.refused > 0) {
    std::printf("%lld of the answers refuse\n", static_cast<long long>(result.refused));
  }
}

constexpr std::string_view usage =
    "Measures how many commands a second a server answers: each connection sends the next command\n"
    "when it has an answer. Uses one thread; \"busy\" is how much of a processor it needed.\n\n"
    "  pitboss load --connect 127.0.0.1:4580 --connections 100 --seconds 5\n\n";

}  // namespace

LoadResult run_load(const LoadPlan& plan) { return std::make_unique<Load>(plan)->run(); }

int load(const std::vector<std::string>& arguments) {
  LoadPlan plan;
  std::string server;
  double seconds = 5;
  po::options_description options("Options", 100, 50);
  auto add = options.add_options();
  add("connect", po::value(&server)->default_value("127.0.0.1:4580")->value_name("HOST:PORT"),
      "the server");
  add("connections", po::value(&plan.connections)->default_value(1)->value_name("N"),
      "connections that ask at the same time");
  add("pipeline", po::value(&plan.pipeline)->default_value(1)->value_name("K"),
      "commands under way on each of them");
  add("command", po::value(&plan.command)->default_value(plan.command)->value_name("LINE"),
      "what to ask");
  add("seconds", po::value(&seconds)->default_value(5)->value_name("S"), "how long");
  add("json", "print JSON instead of a table");
  add("help", "this text");
  const auto map = read_arguments("load", usage, options, arguments);
  if (!map) return 0;
  const auto expect = [](bool holds, const char* what) {
    if (!holds) throw UserError(what);
  };
  expect(plan.connections >= 1 && plan.connections <= 10000, "--connections must be 1 to 10000");
  expect(plan.pipeline >= 1 && plan.pipeline <= 1000, "--pipeline must be 1 to 1000");
  expect(seconds > 0 && seconds <= 1e6, "--seconds must be more than 0 and at most 1e6");
  const auto is_text = [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '#'; };
  expect(std::ranges::all_of(plan.command, is_text) &&
             plan.command.find_first_not_of(' ') != std::string::npos,
         "--command must be a command, of one line");
  plan.server = parse_address(server);
  plan.time = std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(1000 * seconds)));

  const LoadResult result = run_load(plan);
  if (result.latencies.count() == 0) throw UserError("no answer came in time");
  if (map->contains("json")) {
    print_json(plan, result);
  } else {
    print_table(plan, result);
  }
  return 0;
}

}  // namespace pitboss::clients
