#include "tests/peers/rewording.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/awaiting.hpp"
#include "protocol/failure_code.hpp"

namespace pitboss::peers {

namespace asio = boost::asio;
using asio::ip::tcp;
using Socket = std::shared_ptr<tcp::socket>;

namespace {

/// "?ID CODE: sentence" with another sentence.
std::string with_other_sentence(std::string_view failure) {
  const std::size_t blank = failure.find(' ');
  const std::string_view text = failure.substr(blank + 1);
  const std::size_t colon = text.find(": ");
  const bool has_code = protocol::failure_code_named(text.substr(0, colon)).has_value();
  return std::string(failure.substr(0, blank + 1)) +
         (has_code ? std::string(text.substr(0, colon)) + ": " : "") + "no, I'd rather not\n\n";
}

void hang_up(const Socket& socket) {
  boost::system::error_code ignored;
  socket->shutdown(tcp::socket::shutdown_both, ignored);
}

asio::awaitable<void> pass_lines(Socket client, Socket server) {
  std::array<char, 4096> chunk{};
  for (;;) {
    const auto [error, size] =
        co_await client->async_read_some(asio::buffer(chunk), protocol::awaiting);
    if (error) break;
    const auto [lost, written] =
        co_await asio::async_write(*server, asio::buffer(chunk, size), protocol::awaiting);
    if (lost) break;
  }
  hang_up(server);
}

asio::awaitable<void> pass_answers(Socket server, Socket client, std::atomic<int>& reworded) {
  std::string input;
  for (;;) {
    const auto [error, size] = co_await asio::async_read_until(*server, asio::dynamic_buffer(input),
                                                               "\n\n", protocol::awaiting);
    if (error) break;
    std::string answer = input.substr(0, size);
    input.erase(0, size);
    if (answer.starts_with('?')) {
      answer = with_other_sentence(answer);
      ++reworded;
    }
    const auto [lost, written] =
        co_await asio::async_write(*client, asio::buffer(answer), protocol::awaiting);
    if (lost) break;
  }
  hang_up(client);
}

asio::awaitable<void> accept_all(tcp::acceptor& acceptor, std::uint16_t server_port,
                                 std::atomic<int>& reworded) {
  const auto executor = acceptor.get_executor();
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(protocol::awaiting);
    if (error) co_return;
    const auto client = std::make_shared<tcp::socket>(std::move(socket));
    const auto server = std::make_shared<tcp::socket>(executor);
    const auto [lost] = co_await server->async_connect(
        {asio::ip::address_v4::loopback(), server_port}, protocol::awaiting);
    if (lost) continue;
    for (const auto& one : {client, server}) one->set_option(tcp::no_delay(true));
    asio::co_spawn(executor, pass_lines(client, server), asio::detached);
    asio::co_spawn(executor, pass_answers(server, client, reworded), asio::detached);
  }
}

}  // namespace

Rewording::Rewording(std::uint16_t server_port)
    : acceptor_(io_, {asio::ip::address_v4::loopback(), 0}),
      address_{"127.0.0.1", acceptor_.local_endpoint().port()} {
  asio::co_spawn(io_, accept_all(acceptor_, server_port, reworded_), asio::detached);
  thread_ = std::thread([this] { io_.run(); });
}

Rewording::~Rewording() {
  io_.stop();
  thread_.join();
}

}  // namespace pitboss::peers
