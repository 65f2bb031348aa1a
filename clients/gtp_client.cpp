#include "clients/gtp_client.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <cstdio>
#include <utility>
#include <vector>

namespace pitboss::clients {

namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

}  // namespace

struct GtpClient::Wire {
  explicit Wire(const asio::any_io_executor& executor)
      : socket(executor), resolver(executor), deadline(executor) {}

  void close() {
    boost::system::error_code ignored;
    resolver.cancel();
    socket.close(ignored);
  }

  tcp::socket socket;
  tcp::resolver resolver;
  asio::steady_timer deadline;
  bool late = false;     // the deadline has passed and closed the socket
  std::string received;  // without carriage returns
};

GtpClient::GtpClient(asio::any_io_executor executor) : executor_(std::move(executor)) {}

bool GtpClient::is_connected() const { return wire_ && wire_->socket.is_open(); }

void GtpClient::close() {
  if (wire_) wire_->close();
  wire_.reset();
}

GtpClient::Released GtpClient::release() {
  const auto wire = std::exchange(wire_, nullptr);
  return {std::move(wire->socket), std::move(wire->received)};
}

void GtpClient::start_deadline(Duration timeout) {
  wire_->deadline.expires_after(timeout);
  wire_->deadline.async_wait([wire = wire_](const boost::system::error_code& error) {
    // The wait may have ended just before the deadline was moved on: then it says nothing.
    if (error || wire->deadline.expiry() > Clock::now()) return;
    wire->late = true;
    wire->close();
  });
}

void GtpClient::stop_deadline() { wire_->deadline.expires_at(Clock::time_point::max()); }

void GtpClient::fail(GtpFailure::Kind kind, const std::string& what, Duration timeout) {
  const bool late = wire_->late;
  stop_deadline();
  close();
  if (late && kind != GtpFailure::Kind::unreachable) {
    throw GtpFailure(GtpFailure::Kind::silent, "no answer in " + seconds_text(timeout));
  }
  throw GtpFailure(kind, what);
}

asio::awaitable<void> GtpClient::connect(Address address, Duration timeout) {
  close();
  wire_ = std::make_shared<Wire>(executor_);
  last_id_ = 0;
  start_deadline(timeout);

  // A numeric address needs no resolver, which would cost a thread.
  std::vector<tcp::endpoint> endpoints;
  boost::system::error_code error;
  const asio::ip::address numeric = asio::ip::make_address(address.host, error);
  if (!error) {
    endpoints.emplace_back(numeric, address.port);
  } else {
    const std::string port = std::to_string(address.port);
    auto [resolve_error, found] =
        co_await wire_->resolver.async_resolve(address.host, port, as_result);
    error = resolve_error;
    for (const auto& entry : found) endpoints.push_back(entry.endpoint());
  }
  if (!endpoints.empty()) {
    auto [connect_error, endpoint] =
        co_await asio::async_connect(wire_->socket, endpoints, as_result);
    error = connect_error;
  }
  if (wire_->late) error = asio::error::timed_out;
  if (error) fail(GtpFailure::Kind::unreachable, error.message(), timeout);

  stop_deadline();
  wire_->socket.set_option(tcp::no_delay(true), error);
}

asio::awaitable<void> GtpClient::read_more(Duration timeout) {
  std::array<char, 16384> chunk;
  auto [error, size] = co_await wire_->socket.async_read_some(asio::buffer(chunk), as_result);
  if (error) fail(GtpFailure::Kind::closed, "connection closed", timeout);
  std::copy_if(chunk.begin(), chunk.begin() + size, std::back_inserter(wire_->received),
               [](char c) { return c != '\r'; });
}

asio::awaitable<GtpAnswer> GtpClient::ask(std::string command, Duration timeout) {
  if (!is_connected()) throw GtpFailure(GtpFailure::Kind::closed, "connection closed");
  const std::uint32_t id = ++last_id_;
  const std::string line = std::to_string(id) + " " + command + "\n";
  std::string& received = wire_->received;
  start_deadline(timeout);

  auto [error, written] = co_await asio::async_write(wire_->socket, asio::buffer(line), as_result);
  if (error) fail(GtpFailure::Kind::closed, "connection closed", timeout);

  for (std::size_t searched = 0;;) {
    // Line feeds before an answer are harmless. What is not an answer is known by its first line.
    const std::size_t start = received.find_first_not_of('\n');
    received.erase(0, std::min(start, received.size()));
    if (!received.empty() && received[0] != '=' && received[0] != '?') {
      const std::size_t line_end = received.find('\n');
      if (line_end != std::string::npos) {
        fail(GtpFailure::Kind::garbage, "garbage: " + printable(received.substr(0, line_end)),
             timeout);
      }
    }
    const std::size_t end = received.find("\n\n", searched);
    if (end <= max_answer_bytes) {  // else there is none yet
      const std::string block = received.substr(0, end);
      received.erase(0, end + 2);
      stop_deadline();
      try {
        co_return parse_answer(block, id);
      } catch (const GtpFailure&) {
        close();
        throw;
      }
    }
    if (received.size() > max_answer_bytes) {
      fail(GtpFailure::Kind::garbage, "garbage: an answer without end", timeout);
    }
    searched = received.empty() ? 0 : received.size() - 1;
    co_await read_more(timeout);
  }
}

asio::awaitable<std::string> GtpClient::demand(std::string command, Duration timeout) {
  const GtpAnswer answer = co_await ask(command, timeout);
  if (!answer.ok) {
    throw GtpFailure(GtpFailure::Kind::refused,
                     "refused: " + command + ": " + printable(answer.text));
  }
  co_return answer.text;
}

GtpAnswer parse_answer(std::string_view block, std::uint32_t id) {
  const GtpFailure garbage(GtpFailure::Kind::garbage,
                           "garbage: " + printable(block.substr(0, block.find('\n'))));
  if (block.empty() || (block[0] != '=' && block[0] != '?')) throw garbage;

  std::uint32_t echoed = 0;
  const char* const last = block.data() + block.size();
  const auto [rest, error] = std::from_chars(block.data() + 1, last, echoed);
  if (error != std::errc{} || echoed != id) throw garbage;
  if (rest != last && *rest != ' ' && *rest != '\t' && *rest != '\n') throw garbage;

  std::string_view text(rest, static_cast<std::size_t>(last - rest));
  const std::size_t begin = text.find_first_not_of(" \t");
  text.remove_prefix(std::min(begin, text.size()));
  const std::size_t end = text.find_last_not_of(" \t\n");
  return {block[0] == '=',
          std::string(text.substr(0, end == std::string_view::npos ? 0 : end + 1))};
}

std::string printable(std::string_view text, std::size_t max_length) {
  std::string out;
  for (const char c : text.substr(0, max_length)) {
    out += c == '\t' || c == '\n' ? ' ' : c < ' ' || c > '~' ? '?' : c;
  }
  if (text.size() > max_length) out += "...";
  return out;
}

std::string seconds_text(std::chrono::milliseconds duration) {
  std::array<char, 32> text;
  const double seconds = std::chrono::duration<double>(duration).count();
  std::snprintf(text.data(), text.size(), "%.6g s", seconds);
  return text.data();
}

}  // namespace pitboss::clients
