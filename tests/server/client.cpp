#include "tests/server/client.hpp"

#include <netinet/tcp.h>
#include <poll.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/socket_base.hpp>
#include <stdexcept>
#include <utility>

namespace pitboss::tests {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

void wait_for(tcp::socket& socket, short events, std::chrono::milliseconds timeout) {
  pollfd state{socket.native_handle(), events, 0};
  if (::poll(&state, 1, static_cast<int>(timeout.count())) == 0) {
    throw std::runtime_error("test client: timeout");
  }
}

}  // namespace

Client::Client(std::uint16_t port, const std::string& host, const std::string& own, Pipe pipe)
    : socket_(io_) {
  if (!own.empty() || pipe == Pipe::narrow) socket_.open(tcp::v4());
  if (pipe == Pipe::narrow) {
    // Before connecting: the server's side takes the size of its buffer from that of segments.
    using SegmentSize = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_MAXSEG>;
    socket_.set_option(SegmentSize(536));
    socket_.set_option(tcp::socket::receive_buffer_size(4096));
  }
  if (!own.empty()) socket_.bind({asio::ip::make_address(own), 0});
  socket_.connect({asio::ip::make_address(host), port});
  socket_.set_option(tcp::no_delay(true));
  socket_.non_blocking(true);
}

void Client::write(std::string_view bytes) {
  while (!bytes.empty()) {
    boost::system::error_code error;
    bytes.remove_prefix(socket_.write_some(asio::buffer(bytes), error));
    if (error == asio::error::would_block) {
      wait_for(socket_, POLLOUT, timeout);
    } else if (error) {
      throw std::runtime_error("test client: " + error.message());
    }
  }
}

void Client::write_until_blocked() {
  // Small buffers on this side, so that a server that goes on slowly is not taken for blocked.
  socket_.set_option(tcp::socket::send_buffer_size(1 << 14));
  socket_.set_option(tcp::socket::receive_buffer_size(1 << 16));
  const auto before = std::exchange(timeout, std::chrono::seconds(2));
  try {
    while (true) write("list_commands\nlist_options\n");
  } catch (const std::runtime_error&) {
    timeout = before;
  }
}

bool Client::read_some() {
  std::array<char, 65536> chunk;
  while (true) {
    boost::system::error_code error;
    const auto size = socket_.read_some(asio::buffer(chunk), error);
    input_.append(chunk.data(), size);
    if (error != asio::error::would_block) return !error;
    wait_for(socket_, POLLIN, timeout);
  }
}

std::string Client::bytes(std::size_t count) {
  while (input_.size() < count && read_some()) {
  }
  const std::string text = input_.substr(0, count);
  input_.erase(0, count);
  return text;
}

std::string Client::answer() {
  std::size_t searched = 0;
  while (true) {
    const auto end = input_.find("\n\n", searched);
    if (end != std::string::npos) {
      auto text = input_.substr(0, end + 2);
      input_.erase(0, end + 2);
      return text;
    }
    searched = input_.empty() ? 0 : input_.size() - 1;
    if (!read_some()) return std::exchange(input_, {});
  }
}

std::string Client::line() {
  while (true) {
    const auto end = input_.find('\n');
    if (end != std::string::npos) {
      auto text = input_.substr(0, end);
      input_.erase(0, end + 1);
      return text;
    }
    if (!read_some()) throw std::runtime_error("test client: end of stream");
  }
}

std::string Client::ask(std::string_view line) {
  write(std::string(line) + '\n');
  return answer();
}

std::string Client::rest() {
  while (read_some()) {
  }
  return std::exchange(input_, {});
}

void Client::end_input() { socket_.shutdown(tcp::socket::shutdown_send); }

void Client::close() { socket_.close(); }

void Client::reset() {
  socket_.set_option(asio::socket_base::linger(true, 0));
  socket_.close();
}

}  // namespace pitboss::tests
