#include "clients/pitboss/server_load.hpp"

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <ctime>
#include <deque>
#include <exception>
#include <memory>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/players/gtp_client.hpp"
#include "protocol/awaiting.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto load_connect_timeout = 10s;
/// How long after its planned time the measurement waits for outstanding answers.
constexpr auto patience = 10s;
constexpr std::size_t longest_refusal = 200;
/// Others are counted together.
constexpr std::size_t most_refusals = 20;

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Finds the ends of answers in the received bytes.
class AnswerReader {
 public:
  /// Calls `answered(refusal)` for each answer that ends in `bytes`, with its sentence, which is
  /// empty if it is a success. Throws UserError for bytes that are no answer.
  template <class Answered>
  void take(std::string_view bytes, Answered&& answered) {
    for (const char c : bytes) {
      if (first_ == '\0') {
        if (c != '=' && c != '?')
          throw UserError("the server sends text that is not an answer in GTP");
        first_ = c;
      } else if (first_ == '?' && c >= ' ' && refusal_.size() < longest_refusal) {
        if (c != ' ' || !refusal_.empty()) refusal_ += c;
      }
      if (c == '\n' && last_ == '\n') {
        answered(refusal_);
        first_ = last_ = '\0';
        refusal_.clear();
      } else if (c != '\r') {
        last_ = c;
      }
    }
  }

 private:
  char first_ = '\0';  ///< the first character of an unfinished answer
  char last_ = '\0';
  std::string refusal_;
};

class Load {
 public:
  explicit Load(const LoadPlan& plan) : plan_(plan), line_(plan.command + "\n") {}

  LoadResult run() {
    connect();
    const double processor_before = processor_seconds();
    begin_ = SteadyClock::now();
    end_ = begin_ + plan_.time;
    for (LineStream::Socket& socket : sockets_) asio::co_spawn(io_, ask(socket), protocol::rethrow);
    running_ = plan_.connections;
    io_.run_until(end_ + patience);
    if (running_ > 0) throw UserError("the server has stopped answering");
    result_.seconds = std::chrono::duration<double>(last_ - begin_).count();
    const double elapsed = std::chrono::duration<double>(SteadyClock::now() - begin_).count();
    result_.busy = (processor_seconds() - processor_before) / elapsed;
    return result_;
  }

 private:
  void connect() {
    std::vector<GtpClient> clients;
    for (int i = 0; i < plan_.connections; ++i) clients.emplace_back(io_.get_executor());
    for (GtpClient& client : clients) {
      asio::co_spawn(io_, greet(client), protocol::rethrow);
    }
    try {
      while (greeted_ < plan_.connections) io_.run_one();
    } catch (const EngineFailure& failure) {
      throw UserError(sentence_of(failure, plan_.server));
    }
    for (GtpClient& client : clients) sockets_.push_back(client.release().socket);
  }

  /// Waits for an answer: a server may accept a connection long before it serves it.
  asio::awaitable<void> greet(GtpClient& client) {
    co_await client.connect(plan_.server, load_connect_timeout);
    co_await client.ask_for_codes(true, load_connect_timeout);
    co_await client.demand("protocol_version", load_connect_timeout);
    co_await client.ask_for_codes(false, load_connect_timeout);
    for (const std::string& line : plan_.setup) co_await client.demand(line, load_connect_timeout);
    ++greeted_;
  }

  asio::awaitable<void> ask(LineStream::Socket& socket) {
    std::deque<SteadyClock::time_point> under_way;
    std::array<char, 16384> chunk;
    AnswerReader reader;
    for (int sending = plan_.pipeline;;) {
      if (sending > 0) {
        std::string lines;
        for (int i = 0; i < sending; ++i) lines += line_;
        under_way.insert(under_way.end(), sending, SteadyClock::now());
        const auto [error, size] =
            co_await asio::async_write(socket, asio::buffer(lines), protocol::awaiting);
        if (error) throw UserError("a connection was lost: " + error.message());
      }
      if (under_way.empty()) break;
      const auto [error, size] =
          co_await socket.async_read_some(asio::buffer(chunk), protocol::awaiting);
      if (error) throw UserError("a connection was lost: " + error.message());
      const auto now = SteadyClock::now();
      const bool in_time = now < end_;
      sending = 0;
      reader.take({chunk.data(), size}, [&](const std::string& refusal) {
        if (under_way.empty())
          throw UserError("the server sends more answers than it got commands");
        if (in_time) {
          result_.latencies.add(now - under_way.front());
          if (!refusal.empty()) note(refusal);
          last_ = now;
          ++sending;
        }
        under_way.pop_front();
      });
    }
    if (--running_ == 0) io_.stop();
  }

  void note(const std::string& refusal) {
    auto& refusals = result_.refusals;
    const bool is_known = refusals.contains(refusal) || refusals.size() < most_refusals;
    ++refusals[is_known ? refusal : "others"];
  }

  const LoadPlan& plan_;
  std::string line_;
  asio::io_context io_{1};
  std::vector<LineStream::Socket> sockets_;
  SteadyClock::time_point begin_;
  SteadyClock::time_point end_;
  SteadyClock::time_point last_;
  int greeted_ = 0;
  int running_ = 0;
  LoadResult result_;
};

}  // namespace

LoadResult run_load(const LoadPlan& plan) { return std::make_unique<Load>(plan)->run(); }

}  // namespace pitboss::clients
